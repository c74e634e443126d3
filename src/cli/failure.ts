/** Exit status for a command line or a configuration that cannot be used. */
export const usageStatus = 2;

/** Errors whose message is meant for the person at the terminal, by name, with the exit status that they end in. */
const expected: Readonly<Record<string, number>> = {
  SettingError: usageStatus,
  FileError: usageStatus,
  ListSettingsError: usageStatus,
  RegistrationError: usageStatus,
  CertsError: 1,
  ListenError: 1,
};

/** Prints what went wrong and sets the exit status: one clear line for what was expected, all there is for a bug. */
export function reportFailure(error: unknown): void {
  const status = statusOf(error);
  if (error instanceof Error && "syscall" in error && error.syscall === "uv_cwd") {
    process.stderr.write("payments-sandbox: The present folder is gone; change to one that is there.\n");
    process.exitCode = 1;
    return;
  }
  if (error instanceof Error && status !== undefined) {
    process.stderr.write(`payments-sandbox: ${error.message}\n`);
    process.exitCode = status;
    return;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`payments-sandbox: this is a bug in the sandbox, please report it:\n${details}\n`);
  process.exitCode = 1;
}

/** The exit status of what was expected; undefined for a bug. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  // Of all that can be wrong with the certificates, only this is a mistake on the command line or in the configuration.
  if (error.name === "CertsError" && "code" in error && error.code === "HOSTNAME_INVALID") return usageStatus;
  return expected[error.name];
}
