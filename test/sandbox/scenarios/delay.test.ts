import { describe, expect, it } from "vitest";
import type { DrawKey } from "../../../src/sandbox/scenarios/draw.js";
import { delay } from "../../../src/sandbox/scenarios/faults/delay.js";

/** The length of a delay, in milliseconds. */
const lengthOf = (settings: object, of: DrawKey) => delay.delay?.(settings, of) ?? Number.NaN;

const key = (count: number, seed = "seed") => ({ seed, scenario: "it", rule: "late", count });

/** The delays of this many requests, one after the other. */
const delays = (settings: object, requests = 1000) =>
  Array.from({ length: requests }, (_, at) => lengthOf(settings, key(at + 1)));

describe("the length of a delay", () => {
  it("fixed: the given value", () => {
    expect(new Set(delays({ kind: "fixed", duration: 150 }))).toEqual(new Set([150]));
  });

  it("uniform: stays within its limits, and reaches all values between them", () => {
    const drawn = delays({ kind: "uniform", min: 40, max: 120 });
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(40);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(120);
    expect(new Set(drawn.map((each) => Math.floor(each / 10)))).toEqual(new Set([4, 5, 6, 7, 8, 9, 10, 11]));
  });

  it("lognormal: half are shorter than the median, and none is longer than its max", () => {
    const drawn = delays({ kind: "lognormal", median: 20, sigma: 3, max: 30 });
    const shorter = drawn.filter((each) => each < 20).length;
    expect([shorter > 450, shorter < 550]).toEqual([true, true]);
    expect(Math.min(...drawn)).toBeGreaterThan(0);
    expect(Math.max(...drawn)).toBe(30);
  });

  it("is the same for the same draw, and another for another request or seed", () => {
    const settings = { kind: "uniform", min: 0, max: 300 };
    expect(lengthOf(settings, key(7))).toBe(lengthOf(settings, key(7)));
    expect(new Set([key(7), key(8), key(7, "other")].map((each) => lengthOf(settings, each))).size).toBe(3);
  });
});
