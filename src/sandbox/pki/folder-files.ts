import { displayPath } from "../../base/files/display-path.js";
import { type StateFiles, UnfinishedError } from "../store.js";
import { CertsError } from "./certs.js";
import type { NewFile } from "./file-operations.js";
import type { Generations } from "./generations.js";

/** Each failed attempt means that another process published something. */
export const mostAttempts = 100;

/** How the files of a change are written. */
export interface Writing {
  /** As `StateFiles` says. */
  readonly isInForce: () => boolean;
  /** Files that only `finish` puts into their places. */
  readonly held?: readonly string[];
  /** Called once it is decided. */
  readonly onWritten?: (() => void) | undefined;
}

/** Where files are beside their places, and the number with which they can be published. */
interface Built {
  readonly folder: string;
  readonly generation: number;
}

/** Files of the certificates folder that belong to a change of the state. */
export class FolderFiles implements StateFiles {
  readonly isInForce: () => boolean;
  readonly #directory: string;
  readonly #generations: Generations;
  readonly #files: () => readonly NewFile[];
  readonly #writing: Writing;
  #built: Built | undefined;
  /** That which has them; 0 if the folder has had them already. Undefined until it is decided. */
  #generation: number | undefined;
  #attempts = 0;

  /**
   * @param files called for each attempt, after the number of the generation was read. None: there is nothing to do
   */
  constructor(directory: string, generations: Generations, files: () => readonly NewFile[], writing: Writing) {
    this.#directory = directory;
    this.#generations = generations;
    this.#files = files;
    this.#writing = writing;
    this.isInForce = writing.isInForce;
  }

  write(): boolean {
    const { held } = this.#writing;
    if (this.#generation !== undefined) this.#settle(held);
    else {
      const built = this.#built ?? this.#build();
      try {
        if (built && !this.#generations.publishBuilt(built.folder, built.generation, held)) return false;
        this.#decided(built?.generation);
      } catch (error) {
        if (error instanceof UnfinishedError) this.#decided(built?.generation);
        throw error;
      } finally {
        this.#discard();
      }
    }
    return true;
  }

  async hold<T>(decide: () => Promise<T>): Promise<T> {
    this.#build();
    try {
      return await decide();
    } finally {
      this.#discard();
    }
  }

  finish(): void {
    this.#settle();
  }

  #build(): Built | undefined {
    if (this.#attempts++ >= mostAttempts) throw contended(this.#directory);
    const previous = this.#generations.latest();
    const files = this.#files();
    if (files.length === 0) return undefined;
    this.#built = { folder: this.#generations.build(previous, files), generation: previous + 1 };
    return this.#built;
  }

  #decided(generation = 0): void {
    this.#generation = generation;
    this.#writing.onWritten?.();
  }

  /** A later generation has taken over what this one had not moved. */
  #settle(held?: readonly string[]): void {
    if (this.#generation === this.#generations.latest()) this.#generations.settle(held);
  }

  #discard(): void {
    if (this.#built) this.#generations.remove(this.#built.folder);
    this.#built = undefined;
  }
}

/** The error for a folder that other sandboxes change all the time. */
export function contended(directory: string): CertsError {
  return new CertsError(
    "CONTENDED",
    `Other sandboxes changed ${displayPath(directory)} ${mostAttempts} times while this one wanted to. Try again.`,
  );
}
