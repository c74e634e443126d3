/** The state cannot be read or changed now. The message is a whole sentence. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/**
 * It is decided, but not all files are in their places yet. The message is some whole sentences, which name these files
 * and say when they follow.
 */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
}

/** What a change may change. */
export interface ChangeScope {
  /** The only client; undefined for all. */
  readonly client?: string | undefined;
  /** Whether certificates of all clients may change: to look at them takes time. */
  readonly allCertificates?: boolean;
}

/** Files that belong to a change of the state: they are on the disk before the change is made. */
export interface StateFiles {
  /**
   * Puts them into their places, except those that are to be held back. One step decides. Repeated after that, it only
   * moves what is not in its place.
   * @returns false if another process wrote files first: look at what these depend on, and repeat it
   * @throws UnfinishedError; or another Error that says why it is not possible: then nothing has changed
   */
  write(): boolean;
  /**
   * Has them on the disk while something else decides, beside their places, where nobody reads them. What `write` has
   * not needed then is removed.
   * @throws what `decide` throws; or Error that says why they cannot be written: then nothing has changed
   */
  hold<T>(decide: () => Promise<T>): Promise<T>;
  /**
   * Puts what was held back into its place, unless other files were written since: then it is there.
   * @throws as `write`
   */
  finish(): void;
  /** Whether the present state has what the files have. It may be shared: then others may have changed it since. */
  isInForce(): boolean;
}

/** Where the state of a sandbox is: in this process, or in a Redis that several sandboxes share. */
export interface Store {
  /** Why nothing can be answered now, as a sentence; undefined if it can. Called for every request. */
  unavailable(): string | undefined;
  /** Applies what was changed elsewhere before the call. Never rejects: `unavailable` says whether it has succeeded. */
  current(): Promise<void>;
  /**
   * Changes the state. It has happened everywhere when this resolves.
   * @param work changes the state of this process, without waiting for anything. It may be called several times, each
   *   time on the present state; what it did before is then undone. With files, it calls `write` after everything that
   *   can fail, and before it changes anything
   * @param files that belong to the change
   * @returns what `work` returned
   * @throws what `work` threw, StoreError, or what `files` threw: then nothing has changed. UnfinishedError:
   *   then the change is made
   */
  change(scope: ChangeScope, work: (write: () => void) => unknown, files?: StateFiles): Promise<unknown>;
  /** Resolves once what was answered here before the call is in the journal, wherever that is, or cannot be written. */
  written(): Promise<void>;
  /**
   * Resolves once the journal has everything that was answered anywhere before the call.
   * @throws StoreError
   */
  synchronise(): Promise<void>;
  /**
   * Keeps the journal up to date, for a reader that waits for new entries.
   * @returns a function that ends this
   */
  follow(): () => void;
}

/** A part whose state can be kept outside of this process, as plain data. */
export interface Stored<Memory> {
  memory(): Memory;
  /** Becomes what the memory says. */
  restore(memory: Memory): void;
}

/**
 * Writes files, whatever other processes write meanwhile.
 * @throws as `StateFiles.write`
 */
export function writeAll(files: StateFiles | undefined): void {
  while (files && !files.write());
}

/**
 * Writes files before a change is made in memory.
 * @param make changes the memory. It calls `write` when nothing can fail any more
 * @returns what `make` returned
 * @throws as `Store.change`
 */
export function changeAfter<T>(files: StateFiles | undefined, make: (write: () => void) => T): T {
  let unfinished: UnfinishedError | undefined;
  const result = make(() => {
    try {
      writeAll(files);
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error;
      unfinished = error;
    }
  });
  if (unfinished) throw new UnfinishedError(`The change is made. ${unfinished.message}`, { cause: unfinished });
  return result;
}

/** The state is in this process. */
export const memoryStore: Store = {
  unavailable: () => undefined,
  current: async () => {},
  change: async (_scope, work, files) => changeAfter(files, work),
  written: async () => {},
  synchronise: async () => {},
  follow: () => () => {},
};
