import { readEnvironment } from "../base/text/environment.js";
import { defectUrlsFrom, defectVariable } from "../sandbox/connection/server-defect.js";
import { AdminClient } from "./admin-client.js";
import { healthOf, sandboxHandle } from "./handle.js";
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
  const adminToken = options.adminToken ?? fromEnvironment("SANDBOX_ADMIN_TOKEN");
  const url = options.adminUrl ?? fromEnvironment("SANDBOX_ADMIN_URL") ?? "http://localhost:8090";
  const admin = new AdminClient(url, adminToken);
  try {
    // These routes demand the token, if there is one; `/health` would succeed without it.
    const [ca, text] = await Promise.all([admin.text("/ca.pem"), admin.text("/identities/demo/client.env")]);
    // Only the environment of an identity has the URLs that clients use. The sandbox may listen at other URLs.
    const environment = readEnvironment(text);
    const api = environment.get("SANDBOX_URL") ?? `https://localhost:${(await healthOf(admin)).ports.api}`;
    const defectUrls = defectUrlsFrom((defect) => environment.get(defectVariable(defect)));
    return sandboxHandle(admin, { url: api, defectUrls, ca, seed: undefined });
  } catch (error) {
    admin.close();
    throw error;
  }
}

/** An empty variable counts as unset, as it does for the command. */
function fromEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}
