import { realpath } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { $RefParser } from "@apidevtools/json-schema-ref-parser";
import { displayPath } from "../../base/files/display-path.js";
import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import { FileError } from "../../base/yaml/problem.js";
import type { Notes } from "./notes.js";
import { readSource, type Source } from "./source.js";

/** Most files that one document may consist of. */
const mostFiles = 200;

/**
 * Most references. The largest public documents of payment services have some thousands, and 10,000 take a second (Node
 * 20.20).
 */
const mostReferences = 100_000;

/** What helps against too many files and references. */
const bundled = "Bundle it to one file with the paths that you need first, for example with redocly bundle.";

/** Where a value is: in a file, or below another value. */
type Position = { readonly file: string; readonly source: Source } | { readonly parent: object; readonly key: string };

/**
 * An OpenAPI document with the files that it refers to. They must be in its folder or below; no other file is read, and
 * nothing is fetched.
 */
export class ApiDocument {
  readonly #refs = new $RefParser();
  readonly #positions = new WeakMap<object, Position>();
  /**
   * Why the reference of an object is refused. It is noted when the reference is used: it may be data of an example.
   */
  readonly #refused = new WeakMap<object, string>();
  /** The targets of references, by the text of the reference. */
  readonly #targets = new Map<string, unknown>();
  #files = 0;
  #references = 0;

  private constructor(
    private readonly folder: string,
    private readonly notes: Notes,
  ) {}

  /**
   * @param notes gets the references that are refused and needed, and the files that cannot be used
   * @throws FileError when the file cannot be used
   */
  static async open(path: string, notes: Notes): Promise<ApiDocument> {
    const file = await realpath(path).catch(() => resolve(path));
    const document = new ApiDocument(dirname(file), notes);
    const source = await readSource(file, displayPath(path));
    if (!isObject(source.value)) throw unusable(displayPath(path), "This is not an OpenAPI document.");
    await document.#load(file, displayPath(path), source);
    return document;
  }

  get root(): JsonObject {
    return this.#refs.schema as unknown as JsonObject;
  }

  async #load(file: string, name: string, source: Source): Promise<void> {
    await this.#register(source, file, name);
    const never = { json: false, yaml: false, text: false, binary: false } as const;
    // The parser replaces this error with its own.
    let failure: unknown;
    const read = async ({ url }: { url: string }) => {
      try {
        return { value: await this.#further(url, name) };
      } catch (error) {
        failure ??= error;
        throw error;
      }
    };
    const folder = { order: 1, canRead: true, read };
    const parsed = {
      order: 1,
      canParse: true,
      allowEmpty: true,
      parse: ({ data }: { data: unknown }) => (data as { value: unknown }).value,
    };
    try {
      await this.#refs.resolve(pathToFileURL(file).href, source.value as object, {
        resolve: { file: false, http: false, folder } as never,
        parse: { ...never, parsed } as never,
        mutateInputSchema: true,
      });
    } catch (error) {
      throw failure ?? error;
    }
  }

  /**
   * Reads a file that the document refers to. If it cannot be used, this is noted and it counts as empty: maybe no list
   * needs it.
   */
  async #further(url: string, name: string): Promise<unknown> {
    this.#files += 1;
    if (this.#files > mostFiles) throw unusable(name, `It refers to more than ${mostFiles} files. ${bundled}`);
    const path = fileURLToPath(url);
    try {
      const source = await readSource(path, displayPath(path));
      await this.#register(source, path, displayPath(path));
      return source.value;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      for (const { file, line, column, message } of error.problems)
        this.notes.add(`${file}:${line}:${column}`, `The file is not used: ${message}`);
      return {};
    }
  }

  /** Remembers where each value is. Makes every reference absolute, or refuses it. */
  async #register(source: Source, file: string, name: string): Promise<void> {
    const base = pathToFileURL(file);
    const left: object[] = [];
    const note = (value: unknown, position: Position) => {
      if (typeof value !== "object" || value === null || this.#positions.has(value)) return;
      this.#positions.set(value, position);
      left.push(value);
    };
    note(source.value, { file: name, source });
    for (let value = left.pop(); value !== undefined; value = left.pop()) {
      for (const [key, member] of Object.entries(value)) note(member, { parent: value, key });
      const reference: unknown = (value as JsonObject)["$ref"];
      if (typeof reference !== "string" || Array.isArray(value)) continue;
      this.#references += 1;
      if (this.#references > mostReferences)
        throw unusable(name, `It has more than ${thousands(mostReferences)} references. ${bundled}`);
      const target = await this.#target(reference, base);
      if ("url" in target) {
        (value as { $ref: string }).$ref = target.url;
        continue;
      }
      this.#refused.set(value, `The reference ${quote(reference)} is refused: ${target.reason}.`);
      delete (value as { $ref?: string }).$ref;
    }
  }

  /** The absolute form of a reference, or why it is refused. */
  async #target(reference: string, base: URL): Promise<{ readonly url: string } | { readonly reason: string }> {
    if (!URL.canParse(reference, base.href)) return { reason: "it is not a URL" };
    const url = new URL(reference, base);
    if (url.protocol !== "file:" || url.host !== "")
      return {
        reason:
          "nothing is fetched from a network; bundle the document first, or save the file in its folder and refer to that",
      };
    if (url.search !== "") return { reason: "a file has no query" };
    if (url.pathname === base.pathname) return { url: `${base.href}${url.hash}` };
    let path: string;
    try {
      path = await realpath(fileURLToPath(url));
    } catch {
      return { reason: "there is no such file" };
    }
    const inside = relative(this.folder, path);
    if (inside === ".." || inside.startsWith(`..${sep}`) || resolve(this.folder, inside) !== path)
      return { reason: "it leads out of the folder of the document; bundle it to one file first" };
    return { url: `${pathToFileURL(path).href}${url.hash}` };
  }

  /**
   * Follows the references of a value to the end.
   * @returns undefined if a reference has no target, which is noted, or was refused
   */
  resolve(value: unknown): unknown {
    if (!isObject(value)) return value;
    if (this.#isRefused(value)) return undefined;
    const reference = value["$ref"];
    if (typeof reference !== "string") return value;
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#follow(reference, value));
    return this.#targets.get(reference);
  }

  #follow(reference: string, value: JsonObject): unknown {
    try {
      const target: unknown = this.#refs.$refs.get(reference);
      if (isObject(target) && this.#isRefused(target)) return undefined;
      if (!isObject(target) || typeof target["$ref"] !== "string") return target;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
    this.notes.add(this.placeOf(value, "$ref"), `The reference ${quote(decodeHash(reference))} leads nowhere.`);
    return undefined;
  }

  #isRefused(value: object): boolean {
    const reason = this.#refused.get(value);
    if (reason !== undefined) this.notes.add(this.placeOf(value, "$ref"), reason);
    return reason !== undefined;
  }

  /** As `resolve`, if an object is needed. */
  object(value: unknown): JsonObject | undefined {
    const resolved = this.resolve(value);
    return isObject(resolved) ? resolved : undefined;
  }

  /** Whether a value is part of the document, and was not put together from its parts. */
  has(value: object): boolean {
    return this.#positions.has(value);
  }

  /** Where a member of an object is, or the object itself: `openapi.yaml:12:5 #/paths/~1transfers`. */
  placeOf(value: object, ...keys: readonly string[]): string {
    const steps = [...keys].reverse();
    let position = this.#positions.get(value);
    while (position !== undefined && "parent" in position) {
      steps.push(position.key);
      position = this.#positions.get(position.parent);
    }
    if (position === undefined) return "";
    const { file, source } = position;
    const path = steps.reverse();
    const pointer = `#${path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
    const { line, column } = source.place(stepsIn(source.value, path));
    return `${file}:${line}:${column} ${pointer}`;
  }
}

/** Steps through lists are numbers. */
function stepsIn(root: unknown, path: readonly string[]): PropertyKey[] {
  let value = root;
  return path.map((step) => {
    const key = Array.isArray(value) ? Number(step) : step;
    value = Object(value)[key];
    return key;
  });
}

function decodeHash(reference: string): string {
  const hash = reference.slice(reference.indexOf("#"));
  return reference.includes("#") ? hash : reference.slice(reference.lastIndexOf("/") + 1);
}

function unusable(file: string, message: string): FileError {
  return new FileError([{ file, line: 1, column: 1, message }]);
}
