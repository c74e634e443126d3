import { openFilesProblem } from "../base/files/open-files.js";
import { withoutUserInformation } from "../base/text/user-information.js";
import { codesOfStart } from "../library/start-errors.js";

/** The exit status for a command line or a configuration that cannot be used. */
export const usageStatus = 2;

/** Errors of commands whose message is meant for the user, besides those of a start. */
const ofCommands: ReadonlySet<string> = new Set(["KeptRunError", "ReportFileError", "SandboxError"]);

/**
 * Codes of errors of the system that only the person who runs the command can fix. Their messages name the file
 * (errno(3)).
 */
const ofTheSystem: ReadonlySet<string | undefined> = new Set([
  "EACCES",
  "EAGAIN",
  "EDQUOT",
  "EIO",
  "ENOMEM",
  "ENOSPC",
  "EPERM",
  "EROFS",
]);

/** Prints an error and sets the exit status: one clear line for an expected error, the stack for a bug. */
export function reportFailure(error: unknown): void {
  const { message, status } = failureOf(error);
  process.stderr.write(`payments-sandbox: ${withoutUserInformation(message)}\n`);
  process.exitCode = status;
}

function failureOf(error: unknown): { message: string; status: number } {
  if (!(error instanceof Error)) return bug(String(error));
  const { name, message } = error;
  const limit = openFilesProblem(error);
  if (limit !== undefined) return { message: limit, status: 1 };
  if ("syscall" in error && error.syscall === "uv_cwd")
    return { message: "The working directory no longer exists; change to one that exists.", status: 1 };
  const { code, syscall } = error as NodeJS.ErrnoException;
  const kind = codesOfStart[name];
  // Of all problems with certificates, only that of a host name is a mistake on the command line or in the configuration.
  if (kind === "INVALID_OPTION" || (name === "CertsError" && code === "HOSTNAME_INVALID"))
    return { message, status: usageStatus };
  if (kind !== undefined || ofCommands.has(name)) return { message, status: 1 };
  if (syscall !== undefined && ofTheSystem.has(code)) return { message: `The system refuses: ${message}.`, status: 1 };
  return bug(error.stack ?? message);
}

function bug(details: string): { message: string; status: number } {
  return { message: `this is a bug in the sandbox, please report it:\n${details}`, status: 1 };
}
