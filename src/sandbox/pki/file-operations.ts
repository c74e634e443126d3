import fs from "node:fs";
import { dirname } from "node:path";
import { readRegularFileSync } from "../../base/files/regular-file.js";

/** The calls by which the certificates folder is read and written. Tests give others, which fail. */
export type FileOperations = Pick<
  typeof fs,
  | "accessSync"
  | "chmodSync"
  | "mkdirSync"
  | "readdirSync"
  | "renameSync"
  | "rmdirSync"
  | "rmSync"
  | "statSync"
  | "writeFileSync"
> & {
  /** As `readRegularFileSync`. */
  readonly readFile: (path: string, limit: number) => Buffer;
};

/** Those of the system. */
export const systemFiles: FileOperations = { ...fs, readFile: readRegularFileSync };

/**
 * Whether there is a file or a folder.
 * @throws the system's error when it does not say
 */
export function exists(path: string, files: FileOperations): boolean {
  return files.statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Makes a folder that only its owner can enter, and those above it. Node's `recursive` does not end if the system gives
 * ENOENT for the new folder, as in /proc.
 * @throws the system's error
 */
export function makeFolder(path: string, files: FileOperations): void {
  try {
    files.mkdirSync(path, { mode: modes.folder });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === "EEXIST" && files.statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || exists(above, files)) throw error;
    makeFolder(above, files);
    makeFolder(path, files);
  }
}

/** Only the owner can enter a folder and read a key. The CA's key is written once, so it is read-only. */
export const modes = { folder: 0o700, key: 0o600, authorityKey: 0o400, open: 0o644 } as const;

/** A file of the certificates folder that is to be written. */
export interface NewFile {
  /** Below the certificates folder, with slashes: `clients/demo/cert.pem`. */
  readonly path: string;
  readonly data: string | Buffer;
  readonly mode: number;
}

/** The folders of files, from the outer ones to the inner ones. The first one is the certificates folder. */
export function foldersOf(files: readonly NewFile[]): Set<string> {
  const folders = new Set([""]);
  for (const { path } of files) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end));
  }
  return folders;
}
