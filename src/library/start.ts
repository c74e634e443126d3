import { openFilesProblem } from "../base/files/open-files.js";
import { AdminClient } from "./admin-client.js";
import { configurationFrom } from "./configuration.js";
import { SandboxError } from "./error.js";
import { sandboxHandle } from "./handle.js";
import type { StartOptions } from "./options.js";
import type { StartedSandbox } from "./sandbox-handle.js";
import { codesOfStart } from "./start-errors.js";

/**
 * Starts a sandbox in this process. Several can run at once. It installs no signal handlers and changes no globals.
 * When it is closed, it leaves nothing behind.
 *
 * @example
 * ```ts
 * await using sandbox = await startSandbox();
 * const client = await sandbox.createClient();
 * const answer = await client.request("/v1/ping", { token: await client.token() });
 * ```
 *
 * @example
 * ```ts
 * const sandbox = await startSandbox({ scenario: "flaky", seed: "42", lists: { payments: { count: 500 } } });
 * afterAll(() => sandbox.close());
 * ```
 * @throws SandboxError `INVALID_OPTION`, `CANNOT_LISTEN`, `OPEN_FILES_LIMIT`, `CERTIFICATES_UNUSABLE` or
 *   `SHARED_STATE_UNAVAILABLE`, with nothing
 *   left running
 */
export async function startSandbox(options: StartOptions = {}): Promise<StartedSandbox> {
  try {
    const [{ startSandbox: start }, configuration] = await Promise.all([
      import("./composition/sandbox.js"),
      configurationFrom(options),
    ]);
    const output = {
      log: (text: string) => process.stdout.write(text),
      // `scenarios()` reports the problems of a scenario.
      warn: () => {},
    };
    const sandbox = await start(configuration, { output });
    const { url, defectUrls, adminUrl, caPem: ca, seed } = sandbox;
    const adminToken = sandbox.adminToken?.value;
    const handle = sandboxHandle(new AdminClient(adminUrl, adminToken), { url, defectUrls, ca, seed }, () =>
      sandbox.close(0),
    );
    try {
      await sandbox.identities;
    } catch (error) {
      await handle.close();
      throw error;
    }
    return Object.assign(handle, { seed, adminToken });
  } catch (error) {
    const limit = openFilesProblem(error);
    if (limit !== undefined) throw new SandboxError("OPEN_FILES_LIMIT", `startSandbox: ${limit}`, { cause: error });
    const code = error instanceof Error ? codesOfStart[error.name] : undefined;
    if (!(error instanceof Error) || code === undefined) throw error;
    throw new SandboxError(code, `startSandbox: ${error.message}`, { cause: error });
  }
}
