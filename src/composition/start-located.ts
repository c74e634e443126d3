import { RegistrationError } from "../clients.js";
import type { Configuration } from "../config/configuration.js";
import { SettingError } from "../config/settings.js";
import { ListSettingsError } from "../lists/settings.js";
import { CertsError } from "../pki/certs.js";
import { FileError } from "../yaml/document.js";

/** Starts something by a configuration; what proves wrong with its file is reported with file, line and column. @throws FileError */
export async function located<Started>(configuration: Configuration, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    if (configuration.file === undefined || !mayStandInFile(error)) throw error;
    const { checkConfiguration } = await import("./check-configuration.js");
    const { problems } = await checkConfiguration(configuration.file);
    throw problems.length > 0 ? new FileError(problems) : error;
  }
}

function mayStandInFile(error: unknown): boolean {
  if (error instanceof CertsError) return error.code === "HOSTNAME_INVALID";
  return error instanceof ListSettingsError || error instanceof RegistrationError || error instanceof SettingError;
}
