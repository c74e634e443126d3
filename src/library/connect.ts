import { adminClientOf, connectedBy } from "./connect-by-client.js";
import type { ConnectOptions } from "./options.js";
import type { SandboxHandle } from "./sandbox-handle.js";

/**
 * Connects to a running sandbox, which goes on when the handle is closed.
 *
 * @example
 * ```ts
 * const sandbox = await connectSandbox({ adminUrl: "http://localhost:8090" });
 * const client = await sandbox.createClient();
 * ```
 * @throws SandboxError `UNREACHABLE`, `NO_SANDBOX`, `ADMIN_TOKEN_REQUIRED` or `INVALID_OPTION`
 */
export async function connectSandbox(options: ConnectOptions = {}): Promise<SandboxHandle> {
  return connectedBy(adminClientOf(options));
}
