import { readEnvironment } from "../base/text/environment.js";
import { defectUrlsFrom, defectVariable } from "../sandbox/connection/server-defect.js";
import { AdminClient } from "./admin-client.js";
import { healthOf, sandboxHandle } from "./handle.js";
import type { ConnectOptions } from "./options.js";
import type { SandboxHandle } from "./sandbox-handle.js";

/** A client of the admin API that the options or the environment name. */
export function adminClientOf({ adminUrl, adminToken }: ConnectOptions): AdminClient {
  const url = adminUrl ?? fromEnvironment("SANDBOX_ADMIN_URL") ?? "http://localhost:8090";
  return new AdminClient(url, adminToken ?? fromEnvironment("SANDBOX_ADMIN_TOKEN"));
}

/**
 * Connects by a client of the admin API, which is closed with the handle.
 * @throws as `connectSandbox`
 */
export async function connectedBy(admin: AdminClient): Promise<SandboxHandle> {
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
