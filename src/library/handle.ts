import type { DefectUrls } from "../sandbox/connection/server-defect.js";
import type { AdminClient } from "./admin-client.js";
import type { Health } from "./answers.js";
import { findClient, findIdentity, mintClient } from "./client.js";
import { clockOf } from "./clock-control.js";
import { Connections } from "./connections.js";
import { SandboxError } from "./error.js";
import { countOf, exchangesOf, queryOf } from "./filters.js";
import { reportOn } from "./report.js";
import type { SandboxHandle } from "./sandbox-handle.js";
import { activate, upload } from "./scenario-control.js";

/** What a handle knows about its sandbox. */
interface HandleFacts {
  readonly url: string;
  readonly defectUrls: DefectUrls | undefined;
  readonly ca: string;
  readonly seed: string | undefined;
}

/** A 503 is accepted: the sandbox is not ready yet. */
export function healthOf(admin: AdminClient): Promise<Health> {
  return admin.call("GET /health", { accept: 503 });
}

/**
 * A sandbox behind its admin API.
 * @param stop ends the sandbox, if the handle has started it
 */
export function sandboxHandle(
  admin: AdminClient,
  { url, defectUrls, ca, seed }: HandleFacts,
  stop: () => Promise<void> = async () => {},
): SandboxHandle {
  const connections = new Connections();
  const common = { url, ca };
  const parts = { admin, connections, common };
  let closed: Promise<void> | undefined;
  const close = () => {
    connections.close();
    admin.close();
    closed ??= stop();
    return closed;
  };
  /** A client sees another certificate of the server only in a new handshake. The next CA may have been announced. */
  const withNewConnections = async <T>(change: Promise<T>) => {
    const result = await change;
    common.ca = await admin.text("/ca.pem");
    connections.renew();
    return result;
  };
  const handle: SandboxHandle = {
    url,
    get defectUrls() {
      if (defectUrls !== undefined) return defectUrls;
      throw new SandboxError(
        "NO_DEFECT_PORTS",
        `The sandbox at ${url} has no ports with a defective certificate: start it with --defect-ports (\`defectPorts\`).`,
      );
    },
    adminUrl: admin.url,
    get ca() {
      return common.ca;
    },
    seed,
    clock: clockOf(undefined, admin),
    client: (clientId) => findClient(clientId, parts),
    identity: (name) => findIdentity(name, parts),
    createClient: (options = {}) => mintClient(options, parts),
    clients: () => admin.all("GET /clients"),
    useScenario: (scenario) => withNewConnections(activate(undefined, scenario, admin)),
    clearScenario: () => withNewConnections(admin.call("DELETE /scenario", {})),
    scenario: () => admin.call("GET /scenario", {}),
    serverCertificate: () => admin.call("GET /server/certificate", {}),
    renewServerCertificate: (options = {}) =>
      withNewConnections(admin.call("POST /server/certificate", { body: options })),
    announceNextCa: () => withNewConnections(admin.call("POST /server/next-ca", { body: {} })),
    scenarios: async () => [...(await admin.call("GET /scenarios", {})).items],
    defineScenario: (name, scenario) => upload(name, scenario, admin),
    removeScenario: (name) => admin.run("DELETE /scenarios/{name}", { params: { name } }),
    requests: ({ limit, ...filters } = {}) => exchangesOf(filters, admin, limit),
    countRequests: (filters = {}) => countOf(filters, admin),
    request: (id) => admin.call("GET /requests/{id}", { params: { id } }),
    clearRequests: (filters = {}) => admin.run("DELETE /requests", { query: queryOf(filters) }),
    handshakes: () => admin.all("GET /handshakes"),
    report: (options) => reportOn(undefined, options, admin),
    assumptions: async () => [...(await admin.call("GET /assumptions", {})).items],
    health: () => healthOf(admin),
    reset: () => admin.run("POST /reset", { body: {} }),
    close,
    [Symbol.asyncDispose]: close,
  };
  // The getter may throw: code that prints or compares a handle must not read it.
  Object.defineProperty(handle, "defectUrls", { enumerable: false });
  return handle;
}
