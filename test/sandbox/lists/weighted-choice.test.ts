import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { streamKey } from "../../../src/sandbox/lists/random.js";
import { namedRows, reversedRows, type Selection } from "../../../src/sandbox/lists/selection.js";
import { reducedWeights, WeightedChoice } from "../../../src/sandbox/lists/weighted-choice.js";

const key = streamKey("test");

/** Compares a selection with the expected rows. */
function expectRows(selection: Selection, rows: readonly number[], count: number): void {
  expect(selection.size).toBe(rows.length);
  expect(Array.from(rows, (_, place) => selection.at(place))).toEqual(rows);
  const known = new Set(rows);
  let before = 0;
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    if (selection.rank(ordinal) !== before) expect(selection.rank(ordinal)).toBe(before);
    if (selection.has(ordinal) !== known.has(ordinal)) expect(selection.has(ordinal)).toBe(known.has(ordinal));
    if (known.has(ordinal)) before += 1;
  }
  expect(selection.rank(count)).toBe(before);
}

describe("WeightedChoice", () => {
  it("computes the rows of a value, from either end", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(weights, fc.nat(400), fc.string(), (given, count, name) => {
        const own = streamKey(name);
        const reduced = reducedWeights(given, given.length, "weights");
        const table = new WeightedChoice(reduced, own);
        const values = Array.from({ length: count }, (_, index) => table.valueAt(index, own));
        reduced.forEach((_, value) => {
          const rows = values.flatMap((found, index) => (found === value ? [index] : []));
          const selection = table.rowsWith(value, count, own);
          expectRows(selection, rows, count);
          expectRows(reversedRows(selection, count), rows.map((index) => count - 1 - index).reverse(), count);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("gives each value exactly its share in every block", () => {
    const table = new WeightedChoice([80, 8, 5, 4, 3], key);
    for (const block of [0, 1, 7, 9_999_999]) {
      const shares = [0, 0, 0, 0, 0];
      for (let index = block * 100; index < block * 100 + 100; index += 1) {
        const value = table.valueAt(index, key);
        shares[value] = (shares[value] as number) + 1;
      }
      expect(shares).toEqual([80, 8, 5, 4, 3]);
    }
  });

  it("differs from block to block", () => {
    const table = new WeightedChoice([1, 1], key);
    const blocks = Array.from({ length: 50 }, (_, block) =>
      Array.from({ length: 20 }, (_, place) => table.valueAt(block * 20 + place, key)).join(""),
    );
    expect(new Set(blocks).size).toBeGreaterThan(8);
  });
});

describe("namedRows", () => {
  it("returns the given rows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99)), (given) => {
        const rows = [...given].sort((a, b) => a - b);
        expectRows(namedRows(rows), rows, 100);
      }),
    );
  });
});
