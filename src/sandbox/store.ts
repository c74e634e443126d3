/** The state cannot be read or changed now. The message is a whole sentence. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** The state is changed, but its files are not written yet. The message is some whole sentences. */
export class UnwrittenError extends StoreError {
  override readonly name = "UnwrittenError";
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
   * Writes them beside their places, where nobody reads them.
   * @throws Error that says why it is not possible
   */
  stage(): void;
  /**
   * Puts staged files into their places. One step decides.
   * @returns false if another process wrote files first: stage them again
   * @throws as `stage`. They are not in their places then
   */
  publish(): boolean;
  /**
   * Puts what was published, and held back, into its place.
   * @throws Error that says why it is not possible
   */
  settle(): void;
  /** Removes what is staged, unless it is published. */
  discard(): void;
  /** Whether the present state has what the files have. It may be shared: then others may have changed it since. */
  isInForce(): boolean;
  /** After `publish`: names the files that are not in their places yet. */
  readonly unsettled: Error | undefined;
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
   * @throws what `work` threw, StoreError, or what `files` threw: then nothing has changed. UnwrittenError
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
 * @throws as `StateFiles.stage`. Nothing has changed then
 */
export function writeNow(files: StateFiles): void {
  do files.stage();
  while (!files.publish());
}

/**
 * Writes files that belong to no change of the state.
 * @throws as `StateFiles.stage`, with nothing changed; or what kept a written file from its place
 */
export function writeAlone(files: StateFiles | undefined): void {
  if (files === undefined) return;
  try {
    writeNow(files);
  } finally {
    files.discard();
  }
  if (files.unsettled) throw files.unsettled;
}

/** The state is in this process. */
export const memoryStore: Store = {
  unavailable: () => undefined,
  current: async () => {},
  change: async (_scope, work, files) => {
    try {
      return work(() => files && writeNow(files));
    } finally {
      files?.discard();
    }
  },
  written: async () => {},
  synchronise: async () => {},
  follow: () => () => {},
};
