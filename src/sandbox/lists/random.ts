import { createHash } from "node:crypto";

/**
 * Two words that select one stream of pseudo-random numbers. They are not secret: a row must be the same on every
 * machine and cheap to make. It need not be hard to guess.
 */
export interface StreamKey {
  readonly a: number;
  readonly b: number;
}

export const noKey: StreamKey = { a: 0, b: 0 };

/**
 * A stream's key from names and values. Different lists of texts have different keys, even if the joined texts are
 * equal.
 */
export function streamKey(...parts: readonly string[]): StreamKey {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  return { a: digest.readInt32LE(0), b: digest.readInt32LE(4) };
}

/** The stream of a field in one walk: the field's own key joined with that of the path's parameters. */
export function joinKeys(a: StreamKey, b: StreamKey): StreamKey {
  return { a: a.a ^ b.a, b: (a.b + b.b) | 0 };
}

/** A bijection of 32-bit integers in which every bit of the result depends on every bit of the input. */
export function mix(word: number): number {
  let x = word ^ (word >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return x ^ (x >>> 16);
}

/**
 * The word of a stream at a number (any safe integer). For numbers that agree in all but their low 32 bits it is a
 * bijection, so identifiers that begin with it cannot collide within 2^32 rows.
 */
export function wordAt(number: number, a: number, b: number): number {
  const low = number | 0;
  // Most numbers fit 31 bits, for which a shift is enough instead of a division.
  const high = low === number ? low >> 31 : Math.floor(number / 4_294_967_296);
  return mix((mix(low ^ a) + mix(high ^ b)) | 0);
}

/** A pseudo-random integer from 0 to `range` - 1 (`range` at most 2^53), made from a word and the next one. */
export function scale(word: number, range: number): number {
  const fraction = ((word >>> 0) * 0x200000 + (mix(word + 0x9e3779b9) >>> 11)) / 9_007_199_254_740_992;
  return Math.floor(fraction * range);
}
