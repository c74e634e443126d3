import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { join } from "node:path";
import { hour } from "../../base/text/duration.js";
import { CertsError } from "./certs.js";
import { exists, type FileOperations, foldersOf, makeFolder, modes, type NewFile } from "./file-operations.js";
import { unusable, unwritable } from "./problems.js";

// How files get into the certificates folder, without a lock: docs/decisions/certificates-without-a-lock.md. All of it
// is synchronous, so that no signal handler ends the process in the middle: only a kill or a crash leaves something
// behind.

const generationName = /^\.generation-([1-9]\d{0,14})$/;
const buildingName = /^\.making-[0-9a-f]{16}$/;

/** In a published generation: the files that are not in their places yet. */
const pendingName = "files";

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

/** Files that are complete, beside their places. */
export interface StagedFiles {
  /**
   * Publishes them as the next generation: one rename decides. Then each of them is moved to its place.
   * @returns false if another process published first: the caller has to read again
   * @throws CertsError when the folder cannot be written. Nothing has changed then
   */
  publish(): boolean;
  /** After `publish`: names the files that could not be moved to their places. The next `settle` moves them. */
  readonly unsettled: CertsError | undefined;
  /** Removes what is not published. What cannot be removed stays until it is old (`removeLeftovers`). */
  discard(): void;
}

/** A file that could not be written, or moved to its place, with the system's error. */
interface Failed {
  readonly path: string;
  readonly error: unknown;
}

/** The generations of a certificates folder. */
export class Generations {
  readonly #directory: string;
  readonly #files: FileOperations;

  constructor(directory: string, files: FileOperations) {
    this.#directory = directory;
    this.#files = files;
  }

  /**
   * Makes the folder, and those above it.
   * @throws CertsError
   */
  makeFolder(): void {
    try {
      makeFolder(this.#directory, this.#files);
    } catch (error) {
      throw unwritable(this.#directory, error);
    }
  }

  /**
   * The number of the latest generation, 0 if there is none.
   * @throws CertsError when the folder cannot be read
   */
  latest(): number {
    return latestOf(this.#names());
  }

  /**
   * Moves the files of the latest generation to their places, unless they are there. Several processes may do it at the
   * same time, and any process may finish what a killed one began.
   * @param held files that stay where they are, below the certificates folder, until the next call
   * @returns the number of the generation
   * @throws CertsError when the folder cannot be read, or files cannot be moved: it names all of them
   */
  settle(held: readonly string[] = []): number {
    const generation = this.latest();
    const name = `.generation-${generation}`;
    const failed: Failed[] = [];
    try {
      const pending = join(this.#directory, name, pendingName);
      if (exists(pending, this.#files))
        failed.push(
          ...this.#moveAll(
            pending,
            this.#directory,
            held.map((path) => join(this.#directory, path)),
          ),
        );
    } catch (error) {
      failed.push({ path: this.#directory, error });
    }
    if (failed.length === 0) return generation;
    throw unusable(
      "write",
      failed.map(({ path }) => path),
      failed[0]?.error,
      `The files for it are in ${name}. The next start, or the next call that writes here, moves them.`,
    );
  }

  /**
   * Writes files beside their places, as the successor of a generation.
   * @param previous the generation from which the caller derived the files
   * @param held those that `publish` does not move to their places: the next `settle` does
   * @throws CertsError when the folder cannot be written. Nothing has changed then
   */
  stage(previous: number, files: readonly NewFile[], held: readonly string[] = []): StagedFiles {
    const building = join(this.#directory, newBuildingName());
    let isMade = false;
    try {
      this.#files.mkdirSync(building, { mode: modes.folder });
      isMade = true;
      this.#files.writeFileSync(join(building, remark.name), remark.text);
      for (const folder of foldersOf(files)) {
        this.#mustTakeFiles(join(this.#directory, folder));
        // Not with `recursive`: if another process removed the building folder, this must fail.
        this.#files.mkdirSync(join(building, pendingName, folder), { mode: modes.folder });
      }
      for (const { path, data, mode } of files)
        this.#files.writeFileSync(join(building, pendingName, path), data, { mode, flag: "wx" });
    } catch (error) {
      if (!isMade || !this.#isGone(building)) {
        this.#remove(building);
        throw error instanceof CertsError ? error : unwritable(this.#directory, error);
      }
    }
    let outcome: { readonly isPublished: boolean; readonly unsettled?: CertsError } = { isPublished: false };
    return {
      publish: () => {
        outcome = this.#publish(building, previous + 1, held);
        return outcome.isPublished;
      },
      get unsettled() {
        return outcome.unsettled;
      },
      discard: () => {
        if (!outcome.isPublished) this.#remove(building);
      },
    };
  }

  /**
   * Publishes files as the successor of a generation, all of them or none.
   * @returns as `StagedFiles.publish`
   * @throws CertsError when the folder cannot be written, or names the files that are not in their places
   */
  publish(previous: number, files: readonly NewFile[]): boolean {
    const staged = this.stage(previous, files);
    try {
      const isPublished = staged.publish();
      if (staged.unsettled) throw staged.unsettled;
      return isPublished;
    } finally {
      staged.discard();
    }
  }

  /**
   * Writes files that do not belong together, or replaces them, each in one step.
   * @returns those that could not be written
   */
  replace(files: readonly NewFile[]): Failed[] {
    const building = join(this.#directory, newBuildingName());
    try {
      this.#files.mkdirSync(building, { mode: modes.folder });
    } catch (error) {
      return files.map(({ path }) => ({ path, error }));
    }
    const failed: Failed[] = [];
    for (const { path, data, mode } of files) {
      const staged = join(building, "file");
      try {
        this.#files.writeFileSync(staged, data, { mode });
        this.#files.renameSync(staged, join(this.#directory, path));
      } catch (error) {
        failed.push({ path, error });
      }
    }
    this.#remove(building);
    return failed;
  }

  /**
   * Removes earlier generations, and folders of processes that were killed while they built. What cannot be removed
   * stays.
   * @param now milliseconds since the epoch; without it, folders of other processes stay
   */
  removeLeftovers(now = 0): void {
    let all: string[] = [];
    try {
      all = this.#names();
    } catch {
      // Whoever needs the folder reports it.
    }
    const latest = latestOf(all);
    for (const name of all) {
      const path = join(this.#directory, name);
      try {
        if (generationName.test(name) && generationOf(name) < latest) this.#remove(path);
        if (buildingName.test(name) && now - this.#files.statSync(path).mtimeMs > abandonedAfter) {
          // Away in one step: a process that still builds there must not publish a part of its files.
          const away = join(this.#directory, newBuildingName());
          this.#files.renameSync(path, away);
          this.#remove(away);
        }
      } catch {
        // The folder may be read-only, or another process removed it first.
      }
    }
  }

  #publish(
    building: string,
    generation: number,
    held: readonly string[],
  ): { isPublished: boolean; unsettled?: CertsError } {
    const target = join(this.#directory, `.generation-${generation}`);
    try {
      this.#files.renameSync(building, target);
    } catch (error) {
      // The error codes for a folder that exists differ between file systems. Another process removes the building
      // folder if it seems to be abandoned.
      if (!this.#isGone(building) && this.#isGone(target)) throw unwritable(this.#directory, error);
      return { isPublished: false };
    }
    try {
      if (this.#settleTwice(held) === generation) {
        this.removeLeftovers();
        return { isPublished: true };
      }
    } catch (error) {
      // It is decided: what is not in its place yet follows.
      return { isPublished: true, unsettled: error as CertsError };
    }
    // A process that was suspended for long can publish a number that was used and removed. Only the highest number
    // counts.
    this.#remove(target);
    return { isPublished: false };
  }

  /** What has failed once may succeed now, and then nobody sees a part of the files. */
  #settleTwice(held: readonly string[]): number {
    try {
      return this.settle(held);
    } catch {
      return this.settle(held);
    }
  }

  /**
   * Moves all entries of a folder, and removes it. A folder that does not exist at its destination is moved as a whole.
   * What is gone was moved by another process.
   * @returns the places of those that could not be moved; the others are
   */
  #moveAll(from: string, to: string, held: readonly string[]): Failed[] {
    const failed: Failed[] = [];
    // From the last name to the first: `ca.pem` comes after everything but its key. Who waits for it finds the rest.
    const entries = this.#unlessGone(from, () => this.#files.readdirSync(from, { withFileTypes: true })) ?? [];
    for (const entry of entries.sort((one, other) => (one.name < other.name ? 1 : -1))) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (held.includes(target)) continue;
      try {
        this.#files.renameSync(source, target);
      } catch (error) {
        if (this.#isGone(source)) continue;
        if (entry.isDirectory() && !this.#isGone(target)) failed.push(...this.#moveAll(source, target, held));
        else failed.push({ path: target, error });
      }
    }
    if (failed.length + held.length === 0) this.#unlessGone(from, () => this.#files.rmdirSync(from));
    return failed;
  }

  #unlessGone<T>(path: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (this.#isGone(path)) return undefined;
      throw error;
    }
  }

  /** Whether it is known that there is nothing. */
  #isGone(path: string): boolean {
    try {
      return !exists(path, this.#files);
    } catch {
      return false;
    }
  }

  /** @throws CertsError if files could not be moved to a folder, which need not exist */
  #mustTakeFiles(folder: string): void {
    try {
      if (exists(folder, this.#files)) this.#files.accessSync(folder, constants.W_OK);
    } catch (error) {
      throw unwritable(folder, error);
    }
  }

  #remove(path: string): void {
    try {
      this.#files.rmSync(path, { recursive: true, force: true });
    } catch {
      // It stays.
    }
  }

  #names(): string[] {
    try {
      return this.#files.readdirSync(this.#directory);
    } catch (error) {
      throw unusable("read", this.#directory, error);
    }
  }
}

function newBuildingName(): string {
  return `.making-${randomBytes(8).toString("hex")}`;
}

function latestOf(names: readonly string[]): number {
  return Math.max(0, ...names.map(generationOf));
}

function generationOf(name: string): number {
  return Number(generationName.exec(name)?.[1] ?? 0);
}
