import { type StreamKey, wordAt } from "./random.js";

/** The largest sum of weights, after they are divided by their common divisor. */
const maximumWeightSum = 10_000;

// Rows are dealt in blocks of at least this many: in smaller blocks, two values of equal weight would alternate.
const smallestBlock = 20;

/**
 * Which of several weighted values a row has.
 *
 * Rows are dealt in blocks in which every value has exactly its share, in one of a few shuffled patterns that is drawn
 * for each block.
 */
export class WeightedChoice {
  /** Rows in a block. */
  readonly #block: number;
  readonly #patternMask: number;
  /** Value of each row of each pattern. */
  readonly #values: Uint16Array;

  /** `weights`: whole numbers of 1 or more without a common divisor, whose sum is at most `maximumWeightSum`. */
  constructor(weights: readonly number[], key: StreamKey) {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const repeats = Math.ceil(smallestBlock / sum);
    const unshuffled = weights.flatMap((weight, value) => Array<number>(weight * repeats).fill(value));
    this.#block = unshuffled.length;
    // 320 shuffled rows or more look random, and dealing them takes less than a millisecond of the start.
    const patterns = this.#block > 1024 ? 8 : 16;
    this.#patternMask = patterns - 1;
    this.#values = new Uint16Array(this.#block * patterns);
    for (let base = 0; base < this.#values.length; base += this.#block) this.#deal(unshuffled, base, key);
  }

  /**
   * Fisher and Yates.
   * @param base where the pattern begins
   */
  #deal(unshuffled: readonly number[], base: number, key: StreamKey): void {
    const values = this.#values.subarray(base, base + this.#block);
    values.set(unshuffled);
    for (let last = this.#block - 1; last > 0; last -= 1) {
      const other = (wordAt(base + last, key.a, key.b) >>> 0) % (last + 1);
      const value = values[last] as number;
      values[last] = values[other] as number;
      values[other] = value;
    }
  }

  /** The number of the value that a row has. */
  valueAt(index: number, { a, b }: StreamKey): number {
    const block = Math.floor(index / this.#block);
    const pattern = wordAt(block, a, b) & this.#patternMask;
    return this.#values[pattern * this.#block + index - block * this.#block] as number;
  }
}

/** Weights as `WeightedChoice` needs them. Without weights, all are equal. */
export function reducedWeights(given: readonly number[] | undefined, values: number): readonly number[] {
  const weights = given ?? Array.from({ length: values }, () => 1);
  const divisor = weights.reduce(greatestCommonDivisor);
  return weights.map((weight) => weight / divisor);
}

/** What is wrong with the weights of so many values. Each is a whole number of 1 or more. */
export function weightsProblem(weights: readonly number[], values: number): string | undefined {
  if (weights.length !== values) return `has ${weights.length} numbers for ${values} values`;
  const sum = reducedWeights(weights, values).reduce((total, weight) => total + weight);
  return sum > maximumWeightSum ? `add up to more than ${maximumWeightSum}` : undefined;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
