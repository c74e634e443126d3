import { describe, expect, it } from "vitest";
import { streamKey } from "../../../src/sandbox/lists/random.js";
import { WeightedChoice } from "../../../src/sandbox/lists/weighted-choice.js";

const key = streamKey("test");

describe("WeightedChoice", () => {
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
