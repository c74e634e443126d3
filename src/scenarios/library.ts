import { existsSync, type FSWatcher, watch } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { FileError, type FileProblem, largestFile } from "../yaml/document.js";
import type { Scenario } from "./definition.js";
import { parseScenario } from "./parse.js";

/** The folder of the scenarios that come with the package. Source files lie one folder deeper than the build's. */
export const builtInScenarios = [new URL("../scenarios", import.meta.url), new URL("../../scenarios", import.meta.url)]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, "scenario.schema.json"))) as string;

/** What a scenario may be called. It is the name of a file, so that nothing outside the folder can be named. */
export const scenarioNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** One scenario as the library knows it: its newest text, and what of it is in force. */
export interface LibraryEntry {
  readonly name: string;
  /** The newest text, broken or not. */
  readonly text: string;
  /** The last text that was good, compiled; undefined when none was. */
  readonly scenario: Scenario | undefined;
  /** What is wrong with the newest text. */
  readonly problems: readonly FileProblem[];
  readonly origin: "uploaded" | "folder" | "built-in";
  /** The file's path; undefined for an uploaded one. */
  readonly file: string | undefined;
}

export interface LibraryOptions {
  /** The folder of the scenarios that come with the sandbox. */
  readonly builtIn: string;
  /** The user's own folder, which stands before it; watched for changes. */
  readonly folder: string | undefined;
  /** Told once for each broken text of a file. */
  readonly onBroken?: (problems: readonly FileProblem[]) => void;
  /** Told when a scenario has another content than before, or is gone. */
  readonly onChange?: (name: string) => void;
}

/** How many uploaded scenarios are kept. */
const mostUploads = 1000;

/** How long a folder must be quiet before it is read: editors write in several steps. Milliseconds. */
const quietTime = 30;

/** The scenarios that can be chosen: uploaded ones stand before those of the user's folder, these before the built-in ones. */
export class ScenarioLibrary {
  readonly #options: LibraryOptions;
  readonly #files = new Map<string, LibraryEntry>();
  readonly #uploads = new Map<string, LibraryEntry>();
  #watcher: FSWatcher | undefined;
  #reading: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** Reads both folders and begins to watch the user's. A broken file is reported, and does not keep the others from being used. */
  static async open(options: LibraryOptions): Promise<ScenarioLibrary> {
    const library = new ScenarioLibrary(options);
    await library.reload();
    if (options.folder !== undefined) library.#watch(options.folder);
    return library;
  }

  /** The entry of a name; undefined where there is none. */
  get(name: string): LibraryEntry | undefined {
    return this.#uploads.get(name) ?? this.#files.get(name);
  }

  /** The scenario of a name, as far as it is in force. */
  scenario(name: string): Scenario | undefined {
    return this.get(name)?.scenario;
  }

  /** All entries, by name. */
  all(): LibraryEntry[] {
    const names = new Set([...this.#files.keys(), ...this.#uploads.keys()]);
    return [...names].sort().map((name) => this.get(name) as LibraryEntry);
  }

  /**
   * Keeps a scenario in memory, before any file of that name.
   * @throws FileError when it cannot be used; what was there before stays in force
   */
  async upload(name: string, text: string): Promise<Scenario> {
    if (!scenarioNamePattern.test(name)) throw new Error(`"${name}" is no name of a scenario.`);
    const scenario = await parseScenario(text, name, name);
    if (!this.#uploads.has(name) && this.#uploads.size >= mostUploads) {
      throw new FileError([
        { file: name, line: 1, column: 1, message: `More than ${mostUploads} scenarios are uploaded already.` },
      ]);
    }
    this.#uploads.set(name, { name, text, scenario, problems: [], origin: "uploaded", file: undefined });
    this.#options.onChange?.(name);
    return scenario;
  }

  /** Reads the folders again. Calls follow one another. */
  reload(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  /** Stops watching. */
  close(): void {
    clearTimeout(this.#timer);
    this.#watcher?.close();
  }

  async #read(): Promise<void> {
    const { builtIn, folder } = this.#options;
    const found = new Map<string, { file: string; origin: "folder" | "built-in" }>();
    for (const file of await scenarioFiles(builtIn)) found.set(nameOf(file), { file, origin: "built-in" });
    if (folder !== undefined && folder !== builtIn) {
      for (const file of await scenarioFiles(folder)) found.set(nameOf(file), { file, origin: "folder" });
    }
    for (const name of this.#files.keys()) {
      if (found.has(name)) continue;
      this.#files.delete(name);
      this.#options.onChange?.(name);
    }
    for (const [name, { file, origin }] of found) await this.#readFile(name, file, origin);
  }

  async #readFile(name: string, file: string, origin: "folder" | "built-in"): Promise<void> {
    const before = this.#files.get(name);
    const text = await readBounded(file);
    if (before && before.file === file && before.text === text) return;
    try {
      if (text === undefined) throw tooLarge(file);
      const scenario = await parseScenario(text, name, file);
      this.#files.set(name, { name, text, scenario, problems: [], origin, file });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const kept = before?.file === file ? before.scenario : undefined;
      this.#files.set(name, { name, text: text ?? "", scenario: kept, problems: error.problems, origin, file });
      this.#options.onBroken?.(error.problems);
    }
    this.#options.onChange?.(name);
  }

  #watch(folder: string): void {
    try {
      this.#watcher = watch(folder, () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.reload(), quietTime);
      });
      this.#watcher.unref();
      // A folder that goes away is no reason to stop: what was read stays in force.
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      // Where the system cannot watch, a restart reads the folder again.
    }
  }
}

/** The scenario files of a folder, sorted. Links that lead out of the folder are passed over. */
async function scenarioFiles(folder: string): Promise<string[]> {
  let entries: string[];
  let root: string;
  try {
    entries = await readdir(folder);
    root = await realpath(folder);
  } catch {
    return [];
  }
  const files: string[] = [];
  for (const entry of entries.sort()) {
    if (!/\.ya?ml$/.test(entry) || !scenarioNamePattern.test(nameOf(entry))) continue;
    const path = join(folder, entry);
    const target = await realpath(path).catch(() => undefined);
    if (target?.startsWith(root + sep) && (await stat(target)).isFile()) files.push(path);
  }
  return files;
}

function nameOf(file: string): string {
  return basename(file).replace(/\.ya?ml$/, "");
}

/** @returns undefined for a file that is too large to be a scenario; nothing of it is read */
async function readBounded(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > largestFile ? undefined : await readFile(file, "utf8");
  } catch {
    return "";
  }
}

function tooLarge(file: string): FileError {
  return new FileError([{ file, line: 1, column: 1, message: `The file is larger than ${largestFile} bytes.` }]);
}
