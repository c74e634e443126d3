import { closeSync, constants, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runFiles } from "./format.js";

/** In how many files the requests are. The oldest is removed when there is one more. */
const mostFiles = 9;

/** Nobody else may read them. A file that is there already, or a link in its place, is an error. */
function create(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND, 0o600);
}

/**
 * Lines in files of limited size. A line is passed to the system in one call, so what was written is there when the
 * process is killed.
 */
export class RequestFiles {
  readonly #folder: string;
  readonly #most: number;
  readonly #head: () => string;
  #number = 0;
  #file: number | undefined;
  #bytes = 0;

  /**
   * @param most bytes of each file; a single line may be longer
   * @param head makes the first line of each file
   */
  constructor(folder: string, most: number, head: () => string) {
    this.#folder = folder;
    this.#most = most;
    this.#head = head;
  }

  append(line: string): void {
    if (this.#file === undefined || this.#bytes > this.#most) this.#begin();
    writeFileSync(this.#file as number, line);
    this.#bytes += Buffer.byteLength(line);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #begin(): void {
    this.close();
    this.#number += 1;
    const head = this.#head();
    this.#file = create(join(this.#folder, runFiles.requests(this.#number)));
    writeFileSync(this.#file, head);
    this.#bytes = 0;
    if (this.#number > mostFiles)
      rmSync(join(this.#folder, runFiles.requests(this.#number - mostFiles)), { force: true });
  }
}

/** The lines of the state. When most of them are no longer true, the file is written again with those that are. */
export class StateFile {
  readonly #path: string;
  readonly #most: number;
  readonly #present: () => Iterable<string>;
  #file: number;
  #bytes = 0;
  /** After it was written again. */
  #least = 0;

  /**
   * @param most bytes
   * @param present makes the lines that are true
   */
  constructor(folder: string, most: number, present: () => Iterable<string>) {
    this.#path = join(folder, runFiles.state);
    this.#most = most;
    this.#present = present;
    this.#file = create(this.#path);
  }

  append(line: string): void {
    writeFileSync(this.#file, line);
    this.#bytes += Buffer.byteLength(line);
    if (this.#bytes > Math.max(this.#most, 2 * this.#least)) this.#writeAgain();
  }

  close(): void {
    closeSync(this.#file);
  }

  #writeAgain(): void {
    const next = `${this.#path}.new`;
    const file = create(next);
    const text = [...this.#present()].join("");
    writeFileSync(file, text);
    renameSync(next, this.#path);
    closeSync(this.#file);
    this.#file = file;
    this.#bytes = this.#least = Buffer.byteLength(text);
  }
}
