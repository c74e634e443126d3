import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterTest } from "./cleanups.js";

/** Root may read and write every file, whatever its mode. */
export const isRoot = process.getuid?.() === 0;

/** The user and group of a program, as `spawn` takes them. Without them it has those of the tests. */
export interface User {
  readonly uid?: number;
  readonly gid?: number;
}

const nobody = { uid: 65_534, gid: 65_534 };

/**
 * The user as whom a test runs a program to which files and folders must be closed: `nobody` if the tests run as root,
 * and otherwise the user of the tests. Undefined if they run as root and `nobody` cannot run Node.js, or cannot enter the
 * folder for temporary files.
 */
export const ordinaryUser: User | undefined = isRoot ? (canRunNode(nobody) ? nobody : undefined) : {};

/** For the name of a test that is skipped without such a user. */
export const needsOrdinaryUser = "(skipped if root's Node.js or temporary folder is closed to others)";

function canRunNode(user: User): boolean {
  return spawnSync(process.execPath, ["--version"], { ...user, cwd: tmpdir(), stdio: "ignore" }).status === 0;
}

/** Every user may read a folder and what is in it, whatever the umask. */
export function makeReadable(folder: string): void {
  setModes(folder, 0o755, 0o644);
}

/**
 * Gives a folder a mode that closes it to its owner, until the test is over. It must be open when it is removed: from
 * Node.js 24 on, `rmSync` reads even an empty folder.
 */
export function closeFolder(folder: string, mode: 0o000 | 0o500 | 0o555): void {
  chmodSync(folder, mode);
  afterTest(() => chmodSync(folder, 0o700));
}

/** Every user may read a folder and what is in it, and nobody may change it, until the test is over. */
export function makeReadOnly(folder: string): void {
  chmodSync(dirname(folder), 0o755);
  setModes(folder, 0o555, 0o444);
  afterTest(() => makeReadable(folder));
}

function setModes(folder: string, ofFolders: number, ofFiles: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? ofFolders : ofFiles);
  chmodSync(folder, ofFolders);
}
