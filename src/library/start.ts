import type { Sandbox } from "../sandbox.js";
import { AdminClient } from "./admin-client.js";
import { configurationFrom } from "./configuration.js";
import { SandboxError, type SandboxErrorCode } from "./error.js";
import { Handle } from "./handle.js";
import type { StartedSandbox } from "./handles.js";
import type { StartOptions } from "./options.js";

/** Errors of the parts that a caller can do something about, by name. Any other is a bug, and passed on as it is. */
const codes: Readonly<Record<string, SandboxErrorCode>> = {
  SettingError: "INVALID_OPTION",
  FileError: "INVALID_OPTION",
  ListSettingsError: "INVALID_OPTION",
  RegistrationError: "INVALID_OPTION",
  CertsError: "CERTIFICATES_UNUSABLE",
  ListenError: "CANNOT_LISTEN",
};

/**
 * Starts a sandbox in this process: on free ports, with certificates in memory, silent. Several can run at once. It reads no
 * environment, installs no signal handlers and changes no globals; once it is closed, nothing of it is left.
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
 * @throws SandboxError `INVALID_OPTION`, `CANNOT_LISTEN` or `CERTIFICATES_UNUSABLE`, with nothing left running
 */
export async function startSandbox(options: StartOptions = {}): Promise<StartedSandbox> {
  try {
    const [{ startSandbox: start }, configuration] = await Promise.all([
      import("../sandbox.js"),
      configurationFrom(options),
    ]);
    const sandbox = await start(configuration, undefined, {
      log: (text) => process.stdout.write(text),
      // What is wrong with a scenario is told by `scenarios()`.
      warn: () => {},
    });
    const handle = new StartedHandle(sandbox);
    try {
      await sandbox.identities;
    } catch (error) {
      await handle.close();
      throw error;
    }
    return handle;
  } catch (error) {
    const code = error instanceof Error ? codes[error.name] : undefined;
    if (!(error instanceof Error) || code === undefined) throw error;
    throw new SandboxError(code, `startSandbox: ${error.message}`, { cause: error });
  }
}

class StartedHandle extends Handle implements StartedSandbox {
  override readonly seed: string;
  readonly adminToken: string | undefined;

  constructor({ url, defectUrls, adminUrl, adminToken, caPem, seed, close }: Sandbox) {
    super(new AdminClient(adminUrl, adminToken?.value), {
      url,
      defectUrls,
      ca: caPem,
      seed,
      stop: () => close(0),
    });
    this.seed = seed;
    this.adminToken = adminToken?.value;
  }
}
