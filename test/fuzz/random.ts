import { type StreamKey, scale, streamKey, wordAt } from "../../src/sandbox/lists/random.js";

/** Pseudo-random choices for one input. They depend only on seed, surface and counter. */
export class Random {
  readonly #key: StreamKey;
  #drawn = 0;

  constructor(seed: string, surface: string, counter: number) {
    this.#key = streamKey("fuzz", seed, surface, String(counter));
  }

  /** A whole number from 0 to `range` - 1. */
  below(range: number): number {
    return scale(wordAt(this.#drawn++, this.#key.a, this.#key.b), range);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** True with a probability from 0 to 1. */
  chance(likelihood: number): boolean {
    return this.below(1_000_000) < likelihood * 1_000_000;
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError("There is nothing to pick from.");
    return list[this.below(list.length)] as T;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at++) bytes[at] = this.below(256);
    return bytes;
  }

  /** Text of characters of an alphabet. */
  text(length: number, alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"): string {
    let text = "";
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }
}
