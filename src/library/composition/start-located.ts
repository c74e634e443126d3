import { FileError } from "../../base/yaml/problem.js";
import { RegistrationError } from "../../sandbox/clients.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { configurationFile, resolveConfiguration } from "../../sandbox/config/resolve.js";
import { flagName, SettingError } from "../../sandbox/config/settings.js";
import { ListenError } from "../../sandbox/connection/listen-error.js";
import { ListSettingsError } from "../../sandbox/lists/settings.js";
import { CertsError } from "../../sandbox/pki/certs.js";

/**
 * Combines flags, environment and file, as `resolveConfiguration` does. If the file is wrong, all its problems are
 * reported with file, line and column.
 * @throws SettingError or FileError
 */
export async function locatedConfiguration(
  ...sources: Parameters<typeof resolveConfiguration>
): Promise<Configuration> {
  try {
    return await resolveConfiguration(...sources);
  } catch (error) {
    const file = await configurationFile(...sources);
    if (file === undefined || !(error instanceof FileError || error instanceof SettingError)) throw error;
    throw await withPlaces(error, file);
  }
}

/**
 * Starts something with a configuration; problems of its file are reported with file, line and column, and a port that
 * cannot be bound with its flag.
 * @throws FileError or ListenError
 */
export async function located<Started>(configuration: Configuration, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof ListenError) throw withFlag(error, configuration);
    if (configuration.file === undefined || !mayBeInFile(error)) throw error;
    throw await withPlaces(error, configuration.file);
  }
}

/** Names the flag that chooses another port. */
function withFlag({ host, port, cause }: ListenError, { port: api, adminPort }: Configuration): ListenError {
  const name = port === api ? "port" : port === adminPort ? "adminPort" : "defectPorts";
  return new ListenError(host, port, cause, flagName(name));
}

/** All problems of a file, and the problem of a flag or a variable; the error itself if the file has no problem. */
async function withPlaces(error: unknown, file: string): Promise<unknown> {
  const { checkConfiguration } = await import("./check-configuration.js");
  const { problems } = await checkConfiguration(file);
  if (problems.length === 0) return error;
  const located = new FileError(problems);
  const isOfFile = !(error instanceof SettingError) || problems.some(({ message }) => message === error.message);
  return isOfFile ? located : new SettingError(`${error.message}\n${located.message}`);
}

function mayBeInFile(error: unknown): boolean {
  if (error instanceof CertsError) return error.code === "HOSTNAME_INVALID";
  return error instanceof ListSettingsError || error instanceof RegistrationError || error instanceof SettingError;
}
