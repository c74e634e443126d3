import { type StreamKey, wordAt } from "./random.js";
import { firstWhere, type Selection } from "./selection.js";
import { ListSettingsError } from "./settings.js";

/** The largest sum of weights, after they are divided by their common divisor. */
const maximumWeightSum = 10_000;

// Rows are dealt in blocks of at least this many: in smaller blocks, two values of equal weight would alternate.
const smallestBlock = 20;

/**
 * Which of several weighted values a row has.
 *
 * Rows are dealt in blocks in which every value has exactly its share, in one of a few shuffled patterns that is drawn
 * for each block. So the k-th row with a value, and the number of such rows before any row, are found by arithmetic: a
 * filtered page costs what an unfiltered page costs, however rare the value is.
 */
export class WeightedChoice {
  /** Rows in a block. */
  readonly #block: number;
  readonly #patternMask: number;
  /** Value of each row of each pattern. */
  readonly #values: Uint16Array;
  /** Rows of each pattern, those of the first value ascending, then those of the second, and so on. */
  readonly #places: Uint16Array;
  /** Rows of each value in a block, and where its rows begin in `#places`. */
  readonly #shares: readonly number[];
  readonly #starts: readonly number[];

  /** `weights`: whole numbers of 1 or more without a common divisor, whose sum is at most `maximumWeightSum`. */
  constructor(weights: readonly number[], key: StreamKey) {
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const repeats = Math.ceil(smallestBlock / sum);
    this.#shares = weights.map((weight) => weight * repeats);
    this.#starts = this.#shares.map((_, value) =>
      this.#shares.slice(0, value).reduce((total, share) => total + share, 0),
    );
    this.#block = sum * repeats;
    // 320 shuffled rows or more look random, and dealing them takes less than a millisecond of the start.
    const patterns = this.#block > 1024 ? 8 : 16;
    this.#patternMask = patterns - 1;
    this.#values = new Uint16Array(this.#block * patterns);
    this.#places = new Uint16Array(this.#block * patterns);
    for (let pattern = 0; pattern < patterns; pattern += 1) this.#deal(pattern, key);
  }

  #deal(pattern: number, key: StreamKey): void {
    const block = this.#block;
    const base = pattern * block;
    const values = this.#values.subarray(base, base + block);
    this.#starts.forEach((start, value) => {
      values.fill(value, start, start + (this.#shares[value] as number));
    });
    for (let last = block - 1; last > 0; last -= 1) {
      const other = (wordAt(base + last, key.a, key.b) >>> 0) % (last + 1);
      const value = values[last] as number;
      values[last] = values[other] as number;
      values[other] = value;
    }
    const next = [...this.#starts];
    values.forEach((value, place) => {
      const slot = next[value] as number;
      this.#places[base + slot] = place;
      next[value] = slot + 1;
    });
  }

  /** How many rows have one row with the rarest value among them, on average. */
  get rarity(): number {
    return this.#block / Math.min(...this.#shares);
  }

  /** The number of the value that a row has. */
  valueAt(index: number, key: StreamKey): number {
    const block = Math.floor(index / this.#block);
    return this.#values[this.#base(block, key) + index - block * this.#block] as number;
  }

  /** The rows, of a list of `count`, that have a value. */
  rowsWith(value: number, count: number, key: StreamKey): Selection {
    const share = this.#shares[value] as number;
    const start = this.#starts[value] as number;
    const block = this.#block;
    const place = (number: number, nth: number) => this.#places[this.#base(number, key) + start + nth] as number;
    const rank = (index: number) => {
      const number = Math.floor(index / block);
      const within = index - number * block;
      return number * share + (within === 0 ? 0 : firstWhere(share, (nth) => place(number, nth) >= within));
    };
    return {
      size: rank(count),
      rank,
      at: (nth) => {
        const number = Math.floor(nth / share);
        return number * block + place(number, nth - number * share);
      },
      has: (index) => this.valueAt(index, key) === value,
    };
  }

  /** Where the pattern of a block begins. */
  #base(block: number, { a, b }: StreamKey): number {
    return (wordAt(block, a, b) & this.#patternMask) * this.#block;
  }
}

/**
 * Weights as `WeightedChoice` needs them. Without weights, all are equal.
 * @param where the setting, for errors: `lists.payments.fields.status.weights`
 * @throws {ListSettingsError}
 */
export function reducedWeights(given: readonly number[] | undefined, values: number, where: string): readonly number[] {
  const weights = given ?? Array.from({ length: values }, () => 1);
  if (weights.length !== values)
    throw new ListSettingsError(where, `has ${weights.length} numbers for ${values} values`);
  if (!weights.every((weight) => Number.isSafeInteger(weight) && weight >= 1)) {
    throw new ListSettingsError(where, "must be whole numbers of 1 or more");
  }
  const divisor = weights.reduce(greatestCommonDivisor);
  const reduced = weights.map((weight) => weight / divisor);
  if (reduced.reduce((sum, weight) => sum + weight) > maximumWeightSum) {
    throw new ListSettingsError(where, `add up to more than ${maximumWeightSum}`);
  }
  return reduced;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
