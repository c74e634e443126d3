import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hour } from "../../base/text/duration.js";
import { unusable, unwritable } from "./problems.js";

// How files get into the certificates folder, without a lock: docs/decisions/certificates-without-a-lock.md. All of it
// is synchronous, so that no signal handler ends the process in the middle: only a kill or a crash leaves something
// behind.

/** Only the owner can enter a folder and read a key. The CA's key is written once, so it is read-only. */
export const modes = { folder: 0o700, key: 0o600, authorityKey: 0o400, open: 0o644 } as const;

/** A file of the certificates folder that is to be written. */
export interface NewFile {
  /** Below the certificates folder, with slashes: `clients/demo/cert.pem`. */
  readonly path: string;
  readonly data: string | Buffer;
  readonly mode: number;
}

const generationName = /^\.generation-([1-9]\d{0,14})$/;
const buildingName = /^\.making-[0-9a-f]{16}$/;

/** In a published generation: the files that are not in their places yet. */
const pending = "files";

/** It stays in its generation: a folder that is not empty cannot be replaced by a rename. */
const remark = {
  name: "README",
  text: "The sandbox put files into the folder above. It keeps this folder, whose number says how often it did that.\n",
};

/**
 * A folder in which a process builds is older than this, in milliseconds, only if the process was killed. Building
 * takes milliseconds. If the process was only suspended, it builds again.
 */
const abandonedAfter = hour;

/**
 * The number of the latest generation, 0 if there is none.
 * @throws CertsError when the folder cannot be read
 */
export function latestGeneration(directory: string): number {
  return Math.max(0, ...names(directory).map(generationOf));
}

/**
 * Moves the files of the latest generation to their places, unless they are there. Several processes may do it at the
 * same time, and any process may finish what a killed one began.
 * @returns the number of the generation
 * @throws CertsError when the folder cannot be read, or a file cannot be moved
 */
export function settle(directory: string): number {
  const generation = latestGeneration(directory);
  const files = join(directory, `.generation-${generation}`, pending);
  if (existsSync(files)) moveAll(files, directory);
  return generation;
}

/**
 * Publishes files as the successor of a generation, all of them or none. The files appear in their places, each by a
 * rename.
 * @param previous the generation from which the caller derived the files
 * @returns false if another process published a successor first: the caller has to read again
 * @throws CertsError when the folder cannot be written
 */
export function publish(directory: string, previous: number, files: readonly NewFile[]): boolean {
  const generation = previous + 1;
  const target = join(directory, `.generation-${generation}`);
  let building: string | undefined;
  let renamed = false;
  try {
    building = makeBuildingFolder(directory);
    writeFileSync(join(building, remark.name), remark.text);
    // Not with `recursive`: if another process removed the building folder, this must fail.
    for (const folder of foldersOf(files)) mkdirSync(join(building, pending, folder), { mode: modes.folder });
    for (const { path, data, mode } of files) writeFileSync(join(building, pending, path), data, { mode, flag: "wx" });
    renameSync(building, target);
    renamed = true;
  } catch (error) {
    // The error codes for a folder that exists differ between file systems. Another process removes the building folder
    // if it seems to be abandoned.
    const lost = existsSync(target) || (building !== undefined && !existsSync(building));
    if (!lost) throw unwritable(directory, error);
  } finally {
    if (building !== undefined) rmSync(building, { recursive: true, force: true });
  }
  const won = settle(directory) === generation;
  // A process that was suspended for long can publish a number that was used and removed. Only the highest number
  // counts.
  if (renamed && !won) rmSync(target, { recursive: true, force: true });
  if (won) removeLeftovers(directory);
  return renamed && won;
}

/**
 * Writes files, or replaces them, each in one step.
 * @returns those that could not be written, with the reason
 */
export function replaceFiles(directory: string, files: readonly NewFile[]): { path: string; error: unknown }[] {
  let building: string;
  try {
    building = makeBuildingFolder(directory);
  } catch (error) {
    return files.map(({ path }) => ({ path, error }));
  }
  const failed: { path: string; error: unknown }[] = [];
  for (const { path, data, mode } of files) {
    const staged = join(building, "file");
    try {
      writeFileSync(staged, data, { mode });
      renameSync(staged, join(directory, path));
    } catch (error) {
      failed.push({ path, error });
    }
  }
  rmSync(building, { recursive: true, force: true });
  return failed;
}

/**
 * Removes earlier generations, and folders of processes that were killed while they built. What cannot be removed
 * stays.
 * @param now milliseconds since the epoch; without it, folders of other processes stay
 */
export function removeLeftovers(directory: string, now = 0): void {
  const all = names(directory);
  const latest = Math.max(0, ...all.map(generationOf));
  for (const name of all) {
    const path = join(directory, name);
    try {
      if (generationName.test(name) && generationOf(name) < latest) rmSync(path, { recursive: true, force: true });
      if (buildingName.test(name) && now - statSync(path).mtimeMs > abandonedAfter) {
        // Away in one step: a process that still builds there must not publish a part of its files.
        const away = join(directory, newBuildingName());
        renameSync(path, away);
        rmSync(away, { recursive: true, force: true });
      }
    } catch {
      // The folder may be read-only, or another process removed it first.
    }
  }
}

/**
 * Makes a folder and those above it. Node's `recursive` does not end if the system gives ENOENT for the new folder, as
 * in /proc.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: modes.folder });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(above)) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}

function makeBuildingFolder(directory: string): string {
  const path = join(directory, newBuildingName());
  mkdirSync(path, { mode: modes.folder });
  return path;
}

function newBuildingName(): string {
  return `.making-${randomBytes(8).toString("hex")}`;
}

/** The folders of files, from the outer ones to the inner ones. The first one is the certificates folder. */
function foldersOf(files: readonly NewFile[]): Set<string> {
  const folders = new Set([""]);
  for (const { path } of files) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end));
  }
  return folders;
}

/**
 * Moves all entries of a folder, and removes it. A folder that does not exist at its destination is moved as a whole.
 * What is gone was moved by another process.
 */
function moveAll(from: string, to: string): void {
  // From the last name to the first: `ca.pem` comes after everything but its key. Who waits for it finds the rest.
  const entries = unlessGone(from, () => readdirSync(from, { withFileTypes: true })) ?? [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? 1 : -1))) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    try {
      renameSync(source, target);
    } catch (error) {
      if (!existsSync(source)) continue;
      if (!entry.isDirectory() || !existsSync(target)) throw unusable("write", target, error);
      moveAll(source, target);
    }
  }
  unlessGone(from, () => rmdirSync(from));
}

function unlessGone<T>(path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!existsSync(path)) return undefined;
    throw unusable("write", path, error);
  }
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    throw unusable("read", directory, error);
  }
}

function generationOf(name: string): number {
  return Number(generationName.exec(name)?.[1] ?? 0);
}
