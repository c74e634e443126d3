import { type KeyPair, keySource } from "./keys.js";

/**
 * RSA key pairs made in advance, returned in the order of the calls. The pool begins to fill with the first call: a
 * sandbox that never makes an RSA client does not spend time on it.
 */
export class KeyPool {
  readonly #size: number;
  readonly #closing = new AbortController();
  readonly #unfinished = new Set<Promise<KeyPair>>();
  readonly #make: () => Promise<KeyPair>;
  /** Made or being made, and not yet given to a caller. */
  #ahead: Promise<KeyPair>[] = [];

  /**
   * @param size pairs made in advance: four are enough for the RSA clients that a test suite makes at a time
   * @param make where keys come from; it bounds how many are made at a time
   */
  constructor(size = 4, make?: () => Promise<KeyPair>) {
    this.#size = size;
    this.#make = make ?? keySource("rsa", this.#closing.signal);
  }

  /** Rejects when the pool is closed, or a pair cannot be made. */
  async take(): Promise<KeyPair> {
    this.#closing.signal.throwIfAborted();
    while (this.#ahead.length <= this.#size) this.#makeAhead();
    return this.#ahead.shift() as Promise<KeyPair>;
  }

  /**
   * Starts no further pair, and waits for those that are being made. That takes about 0.1 s each: a thread that makes a
   * key cannot be interrupted, and keeps the process alive until it ends.
   */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The pool of keys is closed."));
    await Promise.allSettled(this.#unfinished);
  }

  #makeAhead(): void {
    const pair = this.#make();
    this.#ahead.push(pair);
    this.#unfinished.add(pair);
    pair
      .catch(() => {
        this.#ahead = this.#ahead.filter((other) => other !== pair);
      })
      .finally(() => this.#unfinished.delete(pair));
  }
}
