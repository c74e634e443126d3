import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { minute } from "../../base/text/duration.js";
import { CertsError } from "./certs.js";
import { unusable } from "./problems.js";

/** Only the owner can enter a folder and read a key. The CA's key is written once, so it is read-only. */
export const modes = { folder: 0o700, key: 0o600, authorityKey: 0o400, open: 0o644 } as const;

/** The right to write in a folder, held by one process at a time. */
export interface Lock {
  /** @throws CertsError when another process took the lock, because this process did nothing for seconds */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
}

const temporaryName = /^\.(?:making|lock-probe|lock-stale)-[0-9a-f.-]+$/;

/** Temporary files of another process may be in use until they are this old, in milliseconds. */
const leftoverAfter = minute;

/**
 * A temporary folder next to the files that it is for, so that every file appears complete, by rename. Created when
 * first needed.
 */
export class Staging {
  readonly #directory: string;
  readonly #path: string;
  readonly #lock: Lock | undefined;
  readonly #removeAtExit = (): void => removeAtOnce(this.#path);
  #made = false;
  #count = 0;

  /** @param lock must be held when anything becomes visible; released by `close` */
  constructor(directory: string, lock?: Lock) {
    this.#directory = directory;
    this.#path = join(directory, `.making-${randomBytes(8).toString("hex")}`);
    this.#lock = lock;
  }

  /** Writes a file, or replaces one, in one step. @throws CertsError */
  async publishFile(file: string, data: string | Buffer, mode: number): Promise<void> {
    await this.#io(file, async (target) => {
      const staged = this.#next();
      await writeFile(staged, data, { mode, flag: "wx" });
      await this.#lock?.assertHeld();
      await rename(staged, target);
    });
  }

  /** Writes a folder with all of its files in one step; an existing folder is removed. @throws CertsError */
  async publishFolder(
    folder: string,
    files: readonly { name: string; data: string | Buffer; mode: number }[],
  ): Promise<void> {
    await this.#io(folder, async (target) => {
      const staged = this.#next();
      await mkdir(staged, { mode: modes.folder });
      for (const { name, data, mode } of files) await writeFile(join(staged, name), data, { mode, flag: "wx" });
      await makeFolder(dirname(target));
      await this.#moveAside(target);
      await rename(staged, target);
    });
  }

  /** Removes a file or folder in one step; it is deleted when the staging folder closes. @throws CertsError */
  async discard(name: string): Promise<void> {
    await this.#io(name, (target) => this.#moveAside(target));
  }

  /** Deletes temporary files and folders of other processes that were killed. @throws CertsError */
  async removeLeftovers(): Promise<void> {
    await this.#io("", async () => {
      const own = this.#next();
      await mkdir(own);
      // The file system's own clock: the clock of a network drive may differ from that of this machine.
      const now = (await stat(own)).mtimeMs;
      for (const name of await readdir(this.#directory)) {
        const path = join(this.#directory, name);
        if (!temporaryName.test(name) || path === this.#path) continue;
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
        if (now - mtimeMs > leftoverAfter) await rm(path, { recursive: true, force: true });
      }
    });
  }

  /**
   * Removes the temporary folder and releases the lock. Files that cannot be removed stay; the next start removes them.
   */
  async close(): Promise<void> {
    if (this.#made) {
      await rm(this.#path, { recursive: true, force: true }).then(
        () => process.off("exit", this.#removeAtExit),
        () => {},
      );
    }
    await this.#lock?.release().catch(() => {});
  }

  /** A name in the temporary folder that is not taken. */
  #next(): string {
    if (!this.#made) {
      // Synchronously: otherwise a folder could appear after its removal at the exit.
      mkdirSync(this.#path, { mode: modes.folder });
      process.once("exit", this.#removeAtExit);
      this.#made = true;
    }
    this.#count += 1;
    return join(this.#path, String(this.#count));
  }

  async #moveAside(target: string): Promise<void> {
    await this.#lock?.assertHeld();
    await rename(target, this.#next()).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }

  async #io(name: string, work: (target: string) => Promise<void>): Promise<void> {
    const target = join(this.#directory, name);
    try {
      await work(target);
    } catch (error) {
      throw error instanceof CertsError ? error : unusable("write", target, error);
    }
  }
}

/**
 * Makes a folder and those above it. Node's `recursive` does not end if the system gives ENOENT for the new folder, as
 * in /proc.
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

/** Whether another process writes in a folder, or was killed while it did. */
export function hasLeftovers(directory: string): boolean {
  return readdirSync(directory).some((name) => name === ".lock" || temporaryName.test(name));
}

const attempts = 40;
const pauseMs = 5;

/**
 * Removes a folder at the exit. Threads of Node may still write there, so it retries. The next start removes the rest.
 */
function removeAtOnce(folder: string): void {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch {
      // The only way to wait without an event loop.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
