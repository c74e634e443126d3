import { randomBytes } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { join } from "node:path";
import { largestPem } from "../../base/files/regular-file.js";
import { hour } from "../../base/text/duration.js";
import { UnfinishedError } from "../store.js";
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

  /** Where a file of the latest generation is until it is moved to its place. There may be none. */
  pendingPath(path: string): string {
    return join(this.#pendingFolder(this.latest()), path);
  }

  /**
   * Moves the files of the latest generation to their places, unless they are there. Several processes may do it at the
   * same time, and any process may finish what a killed one began.
   * @param held files that stay where they are, below the certificates folder, until the next call
   * @returns the number of the generation
   * @throws CertsError when the folder cannot be read: nothing has changed. UnfinishedError when files cannot be moved:
   *   it names all of them
   */
  settle(held: readonly string[] = []): number {
    const generation = this.latest();
    const pending = this.#pendingFolder(generation);
    if (!this.#readable(pending, () => exists(pending, this.#files))) return generation;
    // This one has what they had not moved: nobody may move it later, over these files.
    this.removeLeftovers();
    const places = held.map((path) => join(this.#directory, path));
    const failed = this.#moveAll(pending, this.#directory, places);
    if (failed.length === 0) return generation;
    const paths = failed.map(({ path }) => path);
    throw unfinished(unusable("write", paths, failed[0]?.error), generation);
  }

  /**
   * Writes files beside their places, as the successor of a generation, with those of that generation that are not in
   * their places yet.
   * @param previous the generation from which the caller derived the files
   * @returns the folder that has them. It has to be removed unless it is published (`remove`)
   * @throws CertsError when the folder cannot be written. Nothing has changed then
   */
  build(previous: number, files: readonly NewFile[]): string {
    const building = join(this.#directory, newBuildingName());
    let isMade = false;
    try {
      const kept = this.#pendingFiles(previous).filter(({ path }) => !files.some((file) => file.path === path));
      const all = [...kept, ...files];
      this.#files.mkdirSync(building, { mode: modes.folder });
      isMade = true;
      this.#files.writeFileSync(join(building, remark.name), remark.text);
      for (const folder of foldersOf(all)) {
        this.#mustTakeFiles(join(this.#directory, folder));
        // Not with `recursive`: if another process removed the building folder, this must fail.
        this.#files.mkdirSync(join(building, pendingName, folder), { mode: modes.folder });
      }
      for (const { path, data, mode } of all)
        this.#files.writeFileSync(join(building, pendingName, path), data, { mode, flag: "wx" });
    } catch (error) {
      if (!isMade || !this.#isGone(building)) {
        this.remove(building);
        throw error instanceof CertsError ? error : unwritable(this.#directory, error);
      }
    }
    return building;
  }

  /**
   * Publishes what was built as a generation: one rename decides. Then each file is moved to its place.
   * @param held those that are not moved: the next `settle` does
   * @returns false if another process published first: the caller has to read again
   * @throws CertsError when the folder cannot be written: nothing has changed. UnfinishedError once it is decided, when
   *   files cannot be moved
   */
  publishBuilt(building: string, generation: number, held: readonly string[] = []): boolean {
    const target = this.#folder(generation);
    try {
      this.#files.renameSync(building, target);
    } catch (error) {
      // The error codes for a folder that exists differ between file systems. Another process removes the building
      // folder if it seems to be abandoned.
      if (!this.#isGone(building) && this.#isGone(target)) throw unwritable(this.#directory, error);
      return false;
    }
    try {
      if (this.#settleTwice(held) === generation) return true;
    } catch (error) {
      throw error instanceof CertsError ? unfinished(error, generation) : error;
    }
    // A process that was suspended for long can publish a number that was used and removed. Only the highest number
    // counts.
    this.remove(target);
    return false;
  }

  /**
   * Publishes files as the successor of a generation, all of them or none.
   * @returns and throws as `publishBuilt`
   */
  publish(previous: number, files: readonly NewFile[]): boolean {
    const building = this.build(previous, files);
    try {
      return this.publishBuilt(building, previous + 1);
    } finally {
      this.remove(building);
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
    this.remove(building);
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
        if (generationName.test(name) && generationOf(name) < latest) this.remove(path);
        if (buildingName.test(name) && now - this.#files.statSync(path).mtimeMs > abandonedAfter) {
          // Away in one step: a process that still builds there must not publish a part of its files.
          const away = join(this.#directory, newBuildingName());
          this.#files.renameSync(path, away);
          this.remove(away);
        }
      } catch {
        // The folder may be read-only, or another process removed it first.
      }
    }
  }

  /** Removes a folder. What cannot be removed stays until it is old (`removeLeftovers`). */
  remove(path: string): void {
    try {
      this.#files.rmSync(path, { recursive: true, force: true });
    } catch {
      // It stays.
    }
  }

  /** The files of a generation that are not in their places. Other processes may be moving them. */
  #pendingFiles(generation: number, folder = ""): NewFile[] {
    const at = (path: string) => join(this.#pendingFolder(generation), path);
    const entries = this.#unlessGone(at(folder), () => this.#files.readdirSync(at(folder), { withFileTypes: true }));
    return (entries ?? []).flatMap((entry) => {
      const path = folder + entry.name;
      if (entry.isDirectory()) return this.#pendingFiles(generation, `${path}/`);
      const read = () => ({
        data: this.#files.readFile(at(path), largestPem),
        mode: this.#files.statSync(at(path)).mode,
      });
      const file = this.#unlessGone(at(path), read);
      return file ? [{ path, data: file.data, mode: file.mode & 0o777 }] : [];
    });
  }

  /** What has failed once may succeed now, and then nobody sees a part of the files. */
  #settleTwice(held: readonly string[]): number {
    try {
      return this.settle(held);
    } catch (first) {
      try {
        return this.settle(held);
      } catch (error) {
        // One that has moved nothing does not know what is not in its place.
        throw error instanceof UnfinishedError ? error : first;
      }
    }
  }

  /**
   * Moves all entries of a folder, and removes it. A folder that does not exist at its destination is moved as a whole.
   * What is gone was moved by another process.
   * @returns the places of those that could not be moved; the others are
   */
  #moveAll(from: string, to: string, held: readonly string[]): Failed[] {
    const failed: Failed[] = [];
    let entries: Dirent[] = [];
    try {
      entries = this.#unlessGone(from, () => this.#files.readdirSync(from, { withFileTypes: true })) ?? [];
    } catch (error) {
      failed.push({ path: to, error });
    }
    // From the last name to the first: `ca.pem` comes after everything but its key. Who waits for it finds the rest.
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
    try {
      this.#files.rmdirSync(from);
    } catch {
      // Some files stay, or another process removed it.
    }
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

  #names(): string[] {
    return this.#readable(this.#directory, () => this.#files.readdirSync(this.#directory));
  }

  #readable<T>(path: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw unusable("read", path, error);
    }
  }

  #folder(generation: number): string {
    return join(this.#directory, `.generation-${generation}`);
  }

  #pendingFolder(generation: number): string {
    return join(this.#folder(generation), pendingName);
  }
}

/** The error for a generation whose files are not all in their places. */
function unfinished({ message, cause }: CertsError, generation: number): UnfinishedError {
  const advice = `The files for it are in .generation-${generation}. The next start, or the next call that writes here, moves them.`;
  return new UnfinishedError(`${message} ${advice}`, { cause });
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
