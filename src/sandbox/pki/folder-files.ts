import { displayPath } from "../../base/files/display-path.js";
import type { StateFiles } from "../store.js";
import { CertsError } from "./certs.js";
import type { NewFile } from "./file-operations.js";
import type { Generations, StagedFiles } from "./generations.js";

/** Each failed attempt means that another process published something. */
export const mostAttempts = 100;

/** Files of the certificates folder that belong to a change of the state. */
export class FolderFiles implements StateFiles {
  readonly #directory: string;
  readonly #generations: Generations;
  readonly #files: readonly NewFile[];
  #staged: StagedFiles | undefined;
  #attempts = 0;

  /**
   * @param isInForce as `StateFiles` says
   * @param held files that only `settle` puts into their places
   */
  constructor(
    directory: string,
    generations: Generations,
    files: readonly NewFile[],
    readonly isInForce: () => boolean,
    readonly held: readonly string[] = [],
  ) {
    this.#directory = directory;
    this.#generations = generations;
    this.#files = files;
  }

  stage(): void {
    this.discard();
    if (this.#attempts++ >= mostAttempts) throw contended(this.#directory);
    this.#staged = this.#generations.stage(this.#generations.settle(), this.#files, this.held);
  }

  publish(): boolean {
    return this.#staged?.publish() ?? false;
  }

  settle(): void {
    this.#generations.settle();
  }

  discard(): void {
    this.#staged?.discard();
  }

  get unsettled(): CertsError | undefined {
    return this.#staged?.unsettled;
  }
}

/** The error for a folder that other sandboxes change all the time. */
export function contended(directory: string): CertsError {
  return new CertsError(
    "CONTENDED",
    `Other sandboxes changed ${displayPath(directory)} ${mostAttempts} times while this one wanted to. Try again.`,
  );
}
