import type { StateFiles } from "../sandbox/store.js";

/** What is known about files that are owed. */
interface Owed {
  /** On the clock of Redis: from then on it does not accept the change any more. */
  readonly acceptedUntil: number;
  /** Why they could not be written. */
  problem?: Error;
}

/** Files of changes that Redis has, or may have. They follow the state: once it is known, they are written, or not. */
export class OwedFiles {
  readonly #owed = new Map<StateFiles, Owed>();

  add(files: StateFiles, acceptedUntil: number): void {
    this.#owed.set(files, { acceptedUntil });
  }

  /** Why files could not be written, if their change is in force. */
  problemOf(files: StateFiles): Error | undefined {
    return this.#owed.get(files)?.problem;
  }

  /** Redis does not have the change. It may be made again. */
  forget(files: StateFiles): void {
    this.#owed.delete(files);
  }

  /**
   * Writes the files whose change is in force. What cannot be written now stays owed.
   * @param now on the clock of Redis
   * @param read reads the present state
   * @throws what `read` throws
   */
  async settle(now: number, read: () => Promise<void>): Promise<void> {
    for (const [files, owed] of this.#owed) {
      let isDone = false;
      while (files.isInForce() && !isDone) {
        try {
          isDone = files.write();
        } catch (error) {
          owed.problem = error as Error;
          break;
        }
        // Another replica may have replaced the same files: those of the newest state come last.
        if (!isDone) await read();
      }
      if (isDone || (!files.isInForce() && now > owed.acceptedUntil)) this.#owed.delete(files);
    }
  }
}
