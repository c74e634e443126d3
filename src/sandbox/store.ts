/** The state cannot be read or changed now. The message is a whole sentence. */
export class StoreError extends Error {
  override readonly name: string = "StoreError";
}

/** What a change may change. */
export interface ChangeScope {
  /** The only client; undefined for all. */
  readonly client?: string | undefined;
  /** Whether certificates of all clients may change: to look at them takes time. */
  readonly allCertificates?: boolean;
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
   *   time on the present state; what it did before is then undone
   * @returns what it returned
   * @throws what it threw, or StoreError: then nothing has changed
   */
  change(scope: ChangeScope, work: () => unknown): Promise<unknown>;
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

/** The state is in this process. */
export const memoryStore: Store = {
  unavailable: () => undefined,
  current: async () => {},
  change: async (_scope, work) => work(),
  written: async () => {},
  synchronise: async () => {},
  follow: () => () => {},
};
