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
  readonly #make: () => Promise<KeyPair>;
  /** Made or being made, and promised to nobody. */
  readonly #ahead: Promise<KeyPair>[] = [];

  /** @param make where keys come from; it bounds how many are made at a time */
  constructor(keyType: KeyType, size: number = usualSize, make: () => Promise<KeyPair> = keySource(keyType)) {
    this.#size = size;
    this.#make = make;
  }

  take(): Promise<KeyPair> {
    const pair = this.#ahead.shift() ?? this.#make();
    while (this.#ahead.length < this.#size) this.#makeAhead();
    return pair;
  }

  #makeAhead(): void {
    const pair = this.#make();
    this.#ahead.push(pair);
    // One that could not be made is handed to nobody, unless somebody has been promised it already.
    pair.catch(() => {
      const index = this.#ahead.indexOf(pair);
      if (index >= 0) this.#ahead.splice(index, 1);
    });
  }
}
