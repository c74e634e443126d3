import { randomBytes } from "node:crypto";
import { chmod, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The file behind a path: the target of a symbolic link is replaced, not the link. */
export function fileBehind(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

/**
 * Checks whether a file can be replaced. Only an attempt shows what the file system allows.
 * @throws the system's error
 */
export async function tryToReplace(file: string): Promise<void> {
  const probe = temporaryPath(file);
  await writeFile(probe, "", { flag: "wx" });
  await rm(probe, { force: true });
}

interface Replacement {
  /** Of the file; undefined for the system's default. */
  readonly mode?: number | undefined;
  /** Called with the path of the new text, in the same folder, before it replaces the file. */
  readonly check?: (path: string) => Promise<void>;
}

/**
 * Replaces a file, or makes it, in one step: the text appears complete, or not at all.
 * @throws the system's error, or the error of `check`
 */
export async function replaceFile(file: string, text: string, { mode, check }: Replacement = {}): Promise<void> {
  const temporary = temporaryPath(file);
  try {
    // Other users must not read it before it has the mode of the file.
    await writeFile(temporary, text, { flag: "wx", ...(mode !== undefined && { mode: 0o600 }) });
    if (mode !== undefined) await chmod(temporary, mode);
    await check?.(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A path in the same folder, with a unique name. */
function temporaryPath(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}`);
}
