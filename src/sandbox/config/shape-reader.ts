import { X509Certificate } from "node:crypto";
import { resolve } from "node:path";
import { largestPem, pemText, readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import { parseYaml } from "../../base/yaml/document.js";
import { nameOf } from "../../base/yaml/issues.js";
import { FileError, type FileProblem } from "../../base/yaml/problem.js";

/** A problem of a configuration, and the path of the key that it is about. */
export interface KeyProblem {
  readonly place: readonly PropertyKey[];
  readonly message: string;
}

/** Most bytes of a file with the items of a list. */
const largestItems = 64 * 1024 * 1024;

/** Reads the files that a configuration names, and collects what is wrong with them. */
export class ShapeReader {
  /** With the place that names the file. */
  readonly keyProblems: KeyProblem[] = [];
  /** Inside such a file. */
  readonly fileProblems: FileProblem[] = [];

  /**
   * @param folder relative paths start here
   * @param unread places of values that did not fit the schema: they are left out
   */
  constructor(
    readonly folder: string,
    private readonly unread: readonly (readonly PropertyKey[])[] = [],
  ) {}

  /** The keys below a place that were left out. */
  unreadKeys(...place: readonly PropertyKey[]): ReadonlySet<PropertyKey | undefined> {
    return new Set(
      this.unread.filter((path) => place.every((step, at) => path[at] === step)).map((path) => path[place.length]),
    );
  }

  note(place: readonly PropertyKey[], message: string): undefined {
    this.keyProblems.push({ place, message });
  }

  /** The same for a problem that the message does not name. */
  wrong(place: readonly PropertyKey[], reason: string): void {
    this.keyProblems.push({ place, message: `${nameOf(place, "")}: ${reason}` });
  }

  resolve(path: string): string {
    return resolve(this.folder, path);
  }

  /** The items of a list, from JSON or YAML. */
  async items(path: string, place: readonly PropertyKey[]): Promise<readonly unknown[] | undefined> {
    const text = await this.#read(path, place, largestItems, utf8Text);
    if (text === undefined) return undefined;
    let value: unknown;
    try {
      value = path.endsWith(".json") ? JSON.parse(text) : (await parseYaml(text, this.resolve(path))).value;
    } catch (error) {
      if (error instanceof SyntaxError) return this.note(place, `${path} is not JSON: ${error.message}.`);
      if (!(error instanceof FileError)) throw error;
      this.fileProblems.push(...error.problems);
      return undefined;
    }
    return Array.isArray(value) ? value : this.note(place, `${path} does not hold a list of items.`);
  }

  /** The certificates in a file. The first one can be registered; all of them can be trusted. */
  async certificate(path: string, place: readonly PropertyKey[]): Promise<string | undefined> {
    const text = await this.#read(path, place, largestPem, pemText);
    return text === undefined ? undefined : this.readPem(text, path, place);
  }

  /** @param limit most bytes that are read */
  async #read(
    path: string,
    place: readonly PropertyKey[],
    limit: number,
    textOf: (bytes: Buffer) => string,
  ): Promise<string | undefined> {
    try {
      return textOf(await readRegularFile(this.resolve(path), limit));
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      return this.note(
        place,
        missing
          ? `There is no file ${this.resolve(path)}.`
          : `The file ${path} cannot be read: ${unreadableBecause(error)}.`,
      );
    }
  }

  /** @param name the name of the text in messages; the text itself may be a private key */
  protected readPem(text: string, name: string, place: readonly PropertyKey[]): string | undefined {
    if (/-----BEGIN ENCRYPTED/.test(text))
      return this.note(place, `${name} is encrypted; give the certificate itself, as PEM (no private key is needed).`);
    if (!text.includes("-----BEGIN CERTIFICATE-----"))
      return this.note(place, `${name} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).`);
    try {
      const begun = text.split("-----BEGIN CERTIFICATE-----").slice(1);
      return begun.map((rest) => new X509Certificate(`-----BEGIN CERTIFICATE-----${rest}`).toString()).join("");
    } catch {
      return this.note(place, `The certificate in ${name} is broken or cut short.`);
    }
  }
}
