import { basename, dirname } from "node:path";
import { displayPath } from "../../base/files/display-path.js";
import { CertsError } from "./certs.js";
import { identityFiles } from "./profiles.js";

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EEXIST: "there is a file of that name",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is not a folder",
  ENOSPC: "no space is left",
  ENOENT: "there is no such file or folder",
};

/**
 * The error for files or folders that cannot be read or written, with the system's reason, which is the same for all
 * paths.
 * @param advice a sentence
 */
export function unusable(
  verb: "read" | "write",
  paths: string | readonly string[],
  error: unknown,
  advice?: string,
): CertsError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
  const names = [paths].flat().map(displayPath).join(", ");
  const problem = `Cannot ${verb} ${names}: ${reason}${code ? ` (${code})` : ""}.`;
  return new CertsError("FOLDER_UNUSABLE", [problem, ...(advice === undefined ? [] : [advice])].join(" "), error);
}

/** The error for a folder of certificates that cannot be written. */
export function unwritable(directory: string, error: unknown): CertsError {
  return unusable("write", directory, error, "Make it writable, or choose another folder for the certificates.");
}

/** The error for a file whose content does not fit its name. */
export function broken(path: string, what: string, cause?: unknown): CertsError {
  return new CertsError("BROKEN_FILE", `${displayPath(path)} ${what}. ${cure(path)}`, cause);
}

/** The error for a file that does not belong to the others. */
export function mismatch(path: string, what: string): CertsError {
  return new CertsError("MISMATCH", `${displayPath(path)} ${what}. ${cure(path)}`);
}

/** What to do about a file. */
function cure(path: string): string {
  const file = basename(path);
  let first = "Move it away, so that it is made again";
  if (file.startsWith("ca.")) first = "Put the right file back";
  else if (file.startsWith("server.")) first = "Move server.pem and server.key.pem away, so that they are made again";
  else if (identityFiles.includes(file))
    first = `Move the folder ${displayPath(dirname(path))} away, so that it is made again`;
  return `${first}, or start with --fresh-certs to make everything again.`;
}
