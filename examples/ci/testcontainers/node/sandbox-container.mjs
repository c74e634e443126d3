import { GenericContainer, Wait } from "testcontainers";
import { newClient } from "./new-client.mjs";

/** Build it from this repository: `docker build -t business-payments-sandbox .`. No registry has it yet. */
const image = "business-payments-sandbox";

const apiPort = 8443;
const adminPort = 8090;

/**
 * Starts the sandbox in a container, on free ports of the host.
 *
 * Its server certificate and its admin API accept the names `localhost`, `sandbox` and `host.docker.internal`. If Docker
 * runs on another machine, pass the name of that machine to the container as `SANDBOX_HOSTNAME`: at its first start any
 * name, later one under `.test`.
 */
export async function startSandboxContainer() {
  const container = await new GenericContainer(image)
    .withExposedPorts(apiPort, adminPort)
    // The port is published for tests on this machine only, so the admin API does not need a token.
    .withEnvironment({ SANDBOX_ADMIN_AUTH: "none" })
    .withWaitStrategy(Wait.forAll([Wait.forLogMessage(/Ready on https:\/\//), Wait.forHealthCheck()]))
    .start();
  const host = container.getHost();
  const url = `https://${host}:${container.getMappedPort(apiPort)}`;
  const adminUrl = `http://${host}:${container.getMappedPort(adminPort)}`;
  return {
    url,
    adminUrl,
    /** A client for one test, with its own scenario, clock and journal. */
    newClient: () => newClient(adminUrl),
    stop: () => container.stop(),
  };
}
