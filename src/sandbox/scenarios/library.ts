import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Watch } from "../../base/files/watch.js";
import { namePattern } from "../../base/text/name.js";
import { thousands } from "../../base/text/numbers.js";
import { FileError, type FileProblem, formatProblem } from "../../base/yaml/problem.js";
import { readScenarioFolder, readScenarioText, scenarioNameOf } from "./folder.js";
import { parseScenario, type ReadScenario, readScenario } from "./parse.js";
import type { Scenario } from "./scenario.js";

/**
 * The folder of the scenarios that come with the package. Source files are one folder deeper than those of the build.
 */
export const builtInScenarios = [
  new URL("../scenarios", import.meta.url),
  new URL("../../../scenarios", import.meta.url),
]
  .map((url) => fileURLToPath(url))
  .find((folder) => existsSync(join(folder, "scenario.schema.json"))) as string;

/** One scenario as the library knows it: its newest text, and the version in force. */
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

/** One whose newest text is valid. */
export interface CompiledScenario extends LibraryEntry {
  readonly scenario: Scenario;
}

export interface LibraryOptions {
  /** The folder of the scenarios that come with the sandbox. */
  readonly builtIn: string;
  /** The user's own folder, which has precedence; watched for changes. It need not exist. */
  readonly folder: string | undefined;
  /** The names of the lists that rules can name; undefined if they are not known. */
  readonly lists?: readonly string[];
  /** Called once for each broken text of a file. */
  readonly onBroken?: (problems: readonly FileProblem[]) => void;
  /** How often the folder is looked at, in milliseconds. */
  readonly pollTime?: number;
}

/** How many uploaded scenarios are kept. */
export const mostUploads = 1000;

/** How many characters their texts have together, at most. A compiled text takes about ten times as much memory. */
export const mostUploadedText = 8_000_000;

/** How many files are read and checked at the same time. */
const readTogether = 10;

/**
 * The scenarios that can be chosen: uploaded ones have precedence over those of the user's folder, and these over the
 * built-in ones.
 */
export class ScenarioLibrary {
  readonly #options: LibraryOptions;
  #checking: Promise<unknown> = Promise.resolve();
  readonly #files = new Map<string, LibraryEntry>();
  readonly #uploads = new Map<string, LibraryEntry>();
  #passedOver: ReadonlyMap<string, FileProblem> = new Map();
  #watch: Watch | undefined;
  #reading: Promise<void> = Promise.resolve();
  #firstReading: Promise<void> | undefined;
  #isRead = false;
  #closed = false;

  /** A library that has read nothing yet. */
  constructor(options: LibraryOptions) {
    this.#options = options;
  }

  /** A library that has read both folders. */
  static async open(options: LibraryOptions): Promise<ScenarioLibrary> {
    const library = new ScenarioLibrary(options);
    await library.read();
    return library;
  }

  /**
   * Reads both folders, the first time that it is called. A broken file is reported, and the others can still be used.
   * It takes as long as the rest of a start, so a start does not wait for it.
   */
  read(): Promise<void> {
    this.#firstReading ??= this.#begin();
    return this.#firstReading;
  }

  /**
   * Watches the user's folder, which may be made later. A change in it is read, also if nothing was read before.
   * @returns when later changes are noticed
   */
  async watch(): Promise<void> {
    const { folder, pollTime } = this.#options;
    if (folder === undefined || this.#closed) return;
    this.#watch ??= new Watch(folder, () => void (this.#firstReading ? this.reload() : this.read()), pollTime);
    await this.#watch.ready;
  }

  /** Whether the user has a folder, besides the built-in scenarios. */
  get hasOwnFolder(): boolean {
    const { folder } = this.#options;
    return folder !== undefined && this.#isOwn(folder) && existsSync(folder);
  }

  #isOwn(folder: string): boolean {
    return folder !== this.#options.builtIn;
  }

  /** Whether the folders have been read. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The entry of a name; undefined if there is none. */
  get(name: string): LibraryEntry | undefined {
    return this.#uploads.get(name) ?? this.#files.get(name);
  }

  /** The scenario of a name that is in force. */
  scenario(name: string): Scenario | undefined {
    return this.get(name)?.scenario;
  }

  /** Why files of the folder that look like scenarios are not used. */
  get passedOver(): readonly FileProblem[] {
    return [...this.#passedOver.values()];
  }

  /** All entries, by name. */
  all(): LibraryEntry[] {
    const names = new Set([...this.#files.keys(), ...this.#uploads.keys()]);
    return [...names].sort().map((name) => this.get(name) as LibraryEntry);
  }

  /**
   * Compiles the text of an upload, for `keep`.
   * @throws FileError when the text cannot be used
   */
  compile(name: string, text: string): Promise<CompiledScenario> {
    if (!namePattern.test(name)) throw new Error(`"${name}" is not a name of a scenario.`);
    return this.#inTurn(() => this.#compile(name, text));
  }

  /**
   * What is wrong with a text. Nothing is kept.
   * @throws FileError when it is not YAML, or too large
   */
  check(name: string, text: string): Promise<ReadScenario> {
    return this.#inTurn(() => readScenario(text, name, name, this.#options.lists));
  }

  /**
   * One after the other: a check has stages, and requests run between them. Many checks at once would leave no time for
   * requests.
   */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#checking.then(work);
    this.#checking = result.catch(() => undefined);
    return result;
  }

  async #compile(name: string, text: string): Promise<CompiledScenario> {
    const scenario = await parseScenario(text, name, name, this.#options.lists);
    return { name, text, scenario, problems: [], origin: "uploaded", file: undefined };
  }

  /**
   * Keeps a compiled upload in memory. It has precedence over a file of that name.
   * @throws FileError when there are too many
   */
  keep(entry: LibraryEntry): void {
    const { name, text } = entry;
    const others = [...this.#uploads.values()].filter((upload) => upload.name !== name);
    const characters = others.reduce((sum, upload) => sum + upload.text.length, text.length);
    if (others.length >= mostUploads || characters > mostUploadedText) {
      const message = `${others.length} scenarios with ${thousands(characters - text.length)} characters are uploaded already; delete some.`;
      throw new FileError([{ file: name, line: 1, column: 1, message }]);
    }
    this.#uploads.set(name, entry);
  }

  /**
   * Forgets an uploaded scenario.
   * @returns whether there was one
   */
  forget(name: string): boolean {
    return this.#uploads.delete(name);
  }

  /** Reads the folders again. Calls follow one another. */
  reload(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read());
    return this.#reading;
  }

  /** Stops watching. */
  close(): void {
    this.#closed = true;
    this.#watch?.close();
  }

  async #begin(): Promise<void> {
    // Watched first: a file that is saved during the reading must not be missed.
    await this.watch();
    await this.reload();
    this.#isRead = true;
  }

  async #read(): Promise<void> {
    const { builtIn, folder } = this.#options;
    const found = new Map<string, { file: string; origin: "folder" | "built-in" }>();
    for (const file of (await readScenarioFolder(builtIn)).files) {
      found.set(scenarioNameOf(file), { file, origin: "built-in" });
    }
    if (folder !== undefined && this.#isOwn(folder)) {
      const { files, passedOver } = await readScenarioFolder(folder);
      for (const file of files) found.set(scenarioNameOf(file), { file, origin: "folder" });
      this.#reportPassedOver(passedOver);
    }
    for (const name of this.#files.keys()) {
      if (!found.has(name)) this.#files.delete(name);
    }
    // A few at a time: thousands of files at once would be checked in the same turns of the event loop, and requests
    // would wait.
    const all = [...found];
    for (let at = 0; at < all.length; at += readTogether) {
      const some = all.slice(at, at + readTogether);
      await Promise.all(some.map(([name, { file, origin }]) => this.#readFile(name, file, origin)));
    }
  }

  async #readFile(name: string, file: string, origin: "folder" | "built-in"): Promise<void> {
    const before = this.#files.get(name);
    const kept = before?.file === file ? before : undefined;
    let text = "";
    try {
      const read = await readScenarioText(file);
      // Removed since the folder was read: the next reading does not find it.
      if (read === undefined) return;
      text = read;
      if (text !== "" && kept?.text === text) return;
      const scenario =
        origin === "built-in"
          ? await builtInScenario(text, name, file)
          : await parseScenario(text, name, file, this.#options.lists);
      this.#files.set(name, { name, text, scenario, problems: [], origin, file });
    } catch (error) {
      const problems = problemsOf(error, file);
      if (kept?.text === text && sameProblems(kept.problems, problems)) return;
      this.#files.set(name, { name, text, scenario: kept?.scenario, problems, origin, file });
      this.#options.onBroken?.(problems);
    }
  }

  /** Once for each file, as long as it exists. */
  #reportPassedOver(problems: readonly FileProblem[]): void {
    for (const problem of problems) {
      if (!this.#passedOver.has(formatProblem(problem))) this.#options.onBroken?.([problem]);
    }
    this.#passedOver = new Map(problems.map((problem) => [formatProblem(problem), problem]));
  }
}

/**
 * Built-in scenarios that were read, by file. A scenario is never changed, so the sandboxes of a process share them.
 */
const builtInRead = new Map<string, { readonly text: string; readonly scenario: Scenario }>();

/** @throws FileError when it cannot be used */
async function builtInScenario(text: string, name: string, file: string): Promise<Scenario> {
  const known = builtInRead.get(file);
  if (known?.text === text) return known.scenario;
  const scenario = await parseScenario(text, name, file);
  builtInRead.set(file, { text, scenario });
  return scenario;
}

/** The others must stay usable whatever is wrong with one file. */
function problemsOf(error: unknown, file: string): readonly FileProblem[] {
  if (error instanceof FileError) return error.problems;
  return [{ file, message: `The file cannot be used: ${String(error)}` }];
}

function sameProblems(before: readonly FileProblem[], after: readonly FileProblem[]): boolean {
  return before.map(formatProblem).join("\n") === after.map(formatProblem).join("\n");
}
