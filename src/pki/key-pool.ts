import { type KeyPair, keySource } from "./keys.js";

/**
 * RSA key pairs made ahead: `take` gives one that is ready, or waits for the next one. For any number of callers, no more are made at a
 * time than there are cores to make them, and they are handed out in the order of the calls.
 *
 * The pool begins to fill with the first call: a sandbox that never makes an RSA client spends nothing on it.
 */
export class KeyPool {
  readonly #size: number;
  readonly #closing = new AbortController();
  readonly #unfinished = new Set<Promise<KeyPair>>();
  readonly #make: () => Promise<KeyPair>;
  /** Made or being made, and not yet given to a caller. */
  readonly #ahead: Promise<KeyPair>[] = [];

  /**
   * @param size pairs made ahead: four are enough for the RSA clients that a test suite makes at a time
   * @param make where keys come from; it bounds how many are made at a time
   */
  constructor(size = 4, make?: () => Promise<KeyPair>) {
    this.#size = size;
    this.#make = make ?? keySource("rsa", this.#closing.signal);
  }

  /** Rejects when the pool is closed, or a pair cannot be made. */
  async take(): Promise<KeyPair> {
    this.#closing.signal.throwIfAborted();
    const pair = this.#ahead.shift() ?? this.#begin();
    while (this.#ahead.length < this.#size) this.#makeAhead();
    return pair;
  }

  /**
   * Begins no further pair, and waits for those that are being made. That takes about 0.1 s each: a thread that makes a key cannot
   * be interrupted, and keeps the process alive until it ends.
   */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The pool of keys is closed."));
    await Promise.allSettled(this.#unfinished);
  }

  #begin(): Promise<KeyPair> {
    const pair = this.#make();
    this.#unfinished.add(pair);
    const finished = () => this.#unfinished.delete(pair);
    pair.then(finished, finished);
    return pair;
  }

  #makeAhead(): void {
    const pair = this.#begin();
    this.#ahead.push(pair);
    // A pair that could not be made is removed, unless a caller is waiting for it already.
    pair.catch(() => {
      const index = this.#ahead.indexOf(pair);
      if (index >= 0) this.#ahead.splice(index, 1);
    });
  }
}
