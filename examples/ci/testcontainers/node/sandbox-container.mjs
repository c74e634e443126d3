import { GenericContainer, Wait } from "testcontainers";
import { newClient } from "./new-client.mjs";

/** Built from this repository: `docker build -t business-payments-sandbox .`. No registry has it yet. */
const image = "business-payments-sandbox";

const apiPort = 8443;
const adminPort = 8090;

/**
 * Starts the sandbox in a container; the ports on the host are any that are free.
 *
 * Its server certificate and its admin API know the names `localhost`, `sandbox` and `host.docker.internal`. Where Docker runs on another
 * machine, give that one a name under `.internal` or `.test`, and the container `SANDBOX_HOSTNAME` with it.
 */
export async function startSandboxContainer() {
  const container = await new GenericContainer(image)
    .withExposedPorts(apiPort, adminPort)
    // The port is published for tests on this machine, which is why the admin API may go without a token.
    .withEnvironment({ SANDBOX_ADMIN_AUTH: "none" })
    .withWaitStrategy(Wait.forAll([Wait.forLogMessage(/Ready on https:\/\//), Wait.forHealthCheck()]))
    .start();
  const host = container.getHost();
  const url = `https://${host}:${container.getMappedPort(apiPort)}`;
  const adminUrl = `http://${host}:${container.getMappedPort(adminPort)}`;
  return {
    url,
    adminUrl,
    /** A client of its own for a test: its scenario, clock and journal are nobody else's. */
    newClient: () => newClient(adminUrl),
    stop: () => container.stop(),
  };
}
