import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { CertsError } from "./certs.js";

/** Only the owner enters a folder, reads a key, and may write the one key that is never written twice. */
export const modes = { folder: 0o700, key: 0o600, authorityKey: 0o400, open: 0o644 } as const;

const temporaryName = /^\.(?:making|lock-probe|lock-stale)-[0-9a-f.-]+$/;

/** What another process put there temporarily may be in use until it is this old, in milliseconds. */
const leftoverAfter = 60_000;

/**
 * A temporary folder beside the files that it is for, so that everything appears whole, by rename. It is made when it is
 * first needed, and goes with the process.
 */
export class Staging {
  readonly #directory: string;
  readonly #path: string;
  readonly #guard: () => Promise<void>;
  // Threads may still write there: a folder that they fill again is emptied again.
  readonly #removeAtExit = (): void =>
    rmSync(this.#path, { recursive: true, force: true, maxRetries: 20, retryDelay: 5 });
  #made: Promise<void> | undefined;
  #count = 0;

  /** @param guard called before anything becomes visible; throws when that is no longer allowed */
  constructor(directory: string, guard: () => Promise<void> = async () => {}) {
    this.#directory = directory;
    this.#path = join(directory, `.making-${randomBytes(8).toString("hex")}`);
    this.#guard = guard;
  }

  /** Writes a file, or replaces one, in one step. @throws CertsError */
  async publishFile(file: string, data: string | Buffer, mode: number): Promise<void> {
    const target = join(this.#directory, file);
    await this.#io(target, async () => {
      const staged = await this.#next();
      await writeFile(staged, data, { mode, flag: "wx" });
      await this.#guard();
      await rename(staged, target);
    });
  }

  /** Writes a folder with all of its files in one step; one that is there already is moved out of the way. @throws CertsError */
  async publishFolder(
    folder: string,
    files: readonly { name: string; data: string | Buffer; mode: number }[],
  ): Promise<void> {
    const target = join(this.#directory, folder);
    await this.#io(target, async () => {
      const staged = await this.#next();
      await mkdir(staged, { mode: modes.folder });
      for (const { name, data, mode } of files) await writeFile(join(staged, name), data, { mode, flag: "wx" });
      await makeFolder(dirname(target));
      await this.#guard();
      await this.#moveAside(target);
      await rename(staged, target);
    });
  }

  /** Takes a file or folder away, in one step; it is deleted when the staging folder closes. @throws CertsError */
  async discard(name: string): Promise<void> {
    const target = join(this.#directory, name);
    await this.#io(target, async () => {
      await this.#guard();
      await this.#moveAside(target);
    });
  }

  /** Deletes temporary files and folders that other processes left behind when they were killed. */
  async removeLeftovers(): Promise<void> {
    await this.#io(this.#directory, async () => {
      const own = await this.#next();
      await mkdir(own);
      // The file system's own clock: a network drive's may differ from this machine's.
      const now = (await stat(own)).mtimeMs;
      for (const name of await readdir(this.#directory)) {
        const path = join(this.#directory, name);
        if (!temporaryName.test(name) || path === this.#path) continue;
        const age = await stat(path).then(
          ({ mtimeMs }) => now - mtimeMs,
          () => 0,
        );
        if (age > leftoverAfter) await rm(path, { recursive: true, force: true });
      }
    });
  }

  /** Removes the temporary folder. */
  async close(): Promise<void> {
    if (!this.#made) return;
    await rm(this.#path, { recursive: true, force: true });
    process.off("exit", this.#removeAtExit);
  }

  /** A name in the temporary folder that is not taken. */
  async #next(): Promise<string> {
    this.#made ??= this.#make();
    await this.#made;
    this.#count += 1;
    return join(this.#path, String(this.#count));
  }

  async #make(): Promise<void> {
    process.once("exit", this.#removeAtExit);
    // At once: a folder that is being made at the exit would come after its removal.
    mkdirSync(this.#path, { mode: modes.folder });
  }

  async #moveAside(target: string): Promise<void> {
    const aside = await this.#next();
    await rename(target, aside).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }

  async #io(target: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw error instanceof CertsError ? error : unusable("write", target, error);
    }
  }
}

/**
 * Makes a folder and those above it, as far as they are missing. Not by `recursive`: where a system answers that the
 * folder which is to be made is not there, as in /proc, Node's own way goes round for ever.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: modes.folder });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(path);
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || existsSync(above)) throw error;
    await makeFolder(above);
    await makeFolder(path);
  }
}

/** Whether another process is at work in a folder, or was killed at it. */
export function hasLeftovers(directory: string): boolean {
  return readdirSync(directory).some((name) => name === ".lock" || temporaryName.test(name));
}

/**
 * The error for a file or folder that cannot be read or written, with what the system says about it.
 * @param paths one or several, for which the system says the same
 */
export function unusable(verb: "read" | "write", paths: string | readonly string[], error: unknown): CertsError {
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "not permitted",
    EEXIST: "there is a file of that name",
    EROFS: "the file system is read-only",
    ENOTDIR: "a part of the path is not a folder",
    ENOSPC: "no space is left",
    ENOENT: "there is no such place",
  };
  const reason = (code && reasons[code]) ?? (error instanceof Error ? error.message : String(error));
  return new CertsError(
    "FOLDER_UNUSABLE",
    `Cannot ${verb} ${[paths].flat().map(shown).join(", ")}: ${reason}${code ? ` (${code})` : ""}.`,
    {
      cause: error,
    },
  );
}

/** A path as messages show it: short where it is below the working directory. */
export function shown(path: string): string {
  const short = relative("", path);
  return short === "" || short.startsWith("..") || isAbsolute(short) ? path : short;
}
