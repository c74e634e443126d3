import { type KeyPair, type KeyType, keySource } from "./keys.js";

/** Enough for the few RSA clients that a suite asks for at a time; more would keep the cores busy for nobody. */
const usualSize = 4;

/**
 * Key pairs made ahead: whoever asks is given one that is ready, or waits for the next one. However many ask at once, no more
 * are made at a time than there are cores to make them, and they are handed out in the order in which they were asked for.
 *
 * The pool begins to fill with the first request: a sandbox that is never asked for an RSA client spends nothing on it.
 */
export class KeyPool {
  readonly #size: number;
  readonly #closing = new AbortController();
  readonly #unfinished = new Set<Promise<KeyPair>>();
  readonly #make: () => Promise<KeyPair>;
  /** Made or being made, and promised to nobody. */
  readonly #ahead: Promise<KeyPair>[] = [];

  /** @param make where keys come from; it bounds how many are made at a time */
  constructor(keyType: KeyType, size: number = usualSize, make?: () => Promise<KeyPair>) {
    this.#size = size;
    this.#make = make ?? keySource(keyType, this.#closing.signal);
  }

  /** Rejects when the pool is closed, or a pair cannot be made. */
  async take(): Promise<KeyPair> {
    this.#closing.signal.throwIfAborted();
    const pair = this.#ahead.shift() ?? this.#begin();
    while (this.#ahead.length < this.#size) this.#makeAhead();
    return pair;
  }

  /**
   * Begins no further pair, and waits for those that are being made: about 0.1 s each, because a thread that makes a key cannot be
   * interrupted, and keeps the process alive until it has finished.
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
    // One that could not be made is handed to nobody, unless somebody has been promised it already.
    pair.catch(() => {
      const index = this.#ahead.indexOf(pair);
      if (index >= 0) this.#ahead.splice(index, 1);
    });
  }
}
