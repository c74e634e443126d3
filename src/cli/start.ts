import { RegistrationError } from "../clients.js";
import type { Configuration } from "../config/configuration.js";
import { resolveConfiguration } from "../config/resolve.js";
import { type GivenSettings, SettingError } from "../config/settings.js";
import { version } from "../files/version.js";
import { ListSettingsError } from "../lists/settings.js";
import { CertsError } from "../pki/certs.js";
import { type Sandbox, startSandbox } from "../sandbox.js";
import { FileError } from "../yaml/document.js";
import { banner } from "./banner.js";
import { reportFailure } from "./failure.js";

/** How long requests in flight may go on once the sandbox is told to stop, in milliseconds. */
const gracePeriod = 5000;

/** `payments-sandbox start`: runs until SIGINT or SIGTERM. */
export async function start(flags: GivenSettings): Promise<void> {
  const configuration = await resolveConfiguration(flags, process.env, process.cwd());
  const stopped = toldToStop();
  const sandbox = await Promise.race([startLocated(configuration), stopped]);
  // Told to stop before it had started. What is half made is removed at the exit.
  if (!sandbox) process.exit(0);
  sandbox.identities.catch(reportFailure);
  process.stdout.write(
    banner({
      version,
      url: sandbox.url,
      defectUrls: sandbox.defectUrls,
      adminUrl: sandbox.adminUrl,
      adminToken: sandbox.adminToken,
      certs: configuration.hostCerts ?? "",
      configFile: configuration.file,
      scenario: configuration.scenario,
      seed: sandbox.seed,
      lists: sandbox.lists,
      configuredClients: configuration.clients.map(({ clientId }) => clientId),
      clientCertificate: configuration.tls.clientCertificate,
    }),
  );
  await stopped;
  await sandbox.close(gracePeriod);
  process.exit(0);
}

/** Resolves at the first SIGINT or SIGTERM. A second one means that the person does not want to wait. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    let told = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (told) process.exit(1);
        told = true;
        resolve();
      });
    }
  });
}

/** Starts the sandbox; what proves wrong with the configuration file is reported with its line and column. */
async function startLocated(configuration: Configuration): Promise<Sandbox> {
  try {
    return await startSandbox(configuration, undefined, undefined, true);
  } catch (error) {
    if (configuration.file === undefined || !mayStandInFile(error)) throw error;
    const { checkConfiguration } = await import("../composition/check-configuration.js");
    const { problems } = await checkConfiguration(configuration.file);
    throw problems.length > 0 ? new FileError(problems) : error;
  }
}

function mayStandInFile(error: unknown): boolean {
  if (error instanceof CertsError) return error.code === "HOSTNAME_INVALID";
  return error instanceof ListSettingsError || error instanceof RegistrationError || error instanceof SettingError;
}
