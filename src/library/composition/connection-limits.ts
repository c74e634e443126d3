import { adminLimits } from "../../admin/server.js";
import { requireOpenFiles } from "../../base/files/open-files.js";
import { defaultLimits } from "../../sandbox/tls/limits.js";

/**
 * Files that connections leave free: what the process has open, and what it loads when it is first used. Node does not
 * try again to load a file that it once could not open.
 */
const keptForFiles = 192;

/** How many connections each port takes. */
export interface ConnectionLimits {
  readonly api: number;
  readonly admin: number;
}

/**
 * The usual limits, or less if the process may open few files: the API gets three quarters of what is left.
 * @param openFiles how many files the process may open
 * @throws OpenFilesError when that is too few
 */
export function connectionLimits(openFiles: number): ConnectionLimits {
  requireOpenFiles(openFiles);
  const left = openFiles - keptForFiles;
  const admin = Math.min(adminLimits.mostConnections, Math.floor(left / 4));
  return { admin, api: Math.min(defaultLimits.maxConnections, left - admin) };
}
