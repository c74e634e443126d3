import { RegistrationError } from "../sandbox/clients.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import { type ConfigurationFile, readConfigurationFile } from "../sandbox/config/file.js";
import { type ConfigurationProblem, configurationError, readConfiguration } from "../sandbox/config/resolve.js";
import { flagName, SettingError } from "../sandbox/config/settings.js";
import { ListenError } from "../sandbox/connection/listen-error.js";
import { ListSettingsError } from "../sandbox/lists/settings.js";
import { CertsError } from "../sandbox/pki/certs.js";

/**
 * Combines flags, environment and file. If there is a problem, all are reported, also those that only a start finds.
 * @throws SettingError or FileError, each problem with its source
 */
export async function locatedConfiguration(...sources: Parameters<typeof readConfiguration>): Promise<Configuration> {
  const { configuration, problems, file } = await readConfiguration(...sources);
  if (problems.length === 0) return configuration;
  throw configurationError([...problems, ...(await problemsIn(configuration, file))]);
}

/**
 * Starts something with a configuration. The problems of the configuration are reported with their sources, and a port
 * that cannot be bound with its flag.
 * @throws SettingError, FileError or ListenError
 */
export async function located<Started>(configuration: Configuration, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof ListenError) throw withFlag(error, configuration);
    if (!mayBeOfConfiguration(error)) throw error;
    const file = configuration.file === undefined ? undefined : await readConfigurationFile(configuration.file);
    const problems = await problemsIn(configuration, file);
    throw problems.length > 0 ? configurationError(problems) : error;
  }
}

/** What only a start finds, with its sources. The checks are loaded when they are needed. */
async function problemsIn(
  configuration: Configuration,
  file: ConfigurationFile | undefined,
): Promise<readonly ConfigurationProblem[]> {
  const { problemsOfStart } = await import("./check-configuration.js");
  return (await problemsOfStart(configuration, file)).problems;
}

/** Names the flag that chooses another port. */
function withFlag({ host, port, cause }: ListenError, { port: api, adminPort }: Configuration): ListenError {
  const name = port === api ? "port" : port === adminPort ? "adminPort" : "defectPorts";
  return new ListenError(host, port, cause, flagName(name));
}

function mayBeOfConfiguration(error: unknown): boolean {
  if (error instanceof CertsError) return error.code === "HOSTNAME_INVALID";
  return error instanceof ListSettingsError || error instanceof RegistrationError || error instanceof SettingError;
}
