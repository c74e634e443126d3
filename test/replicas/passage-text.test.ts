import { expect, it } from "vitest";
import { type Passages, passagesIn, passagesText, type SharedPassage } from "../../src/replicas/passage-text.js";

const passage: SharedPassage = {
  clock: "2 1",
  timeError: 20.5,
  connection: 2_000_000_007,
  begunAt: 1_763_812_345_678.123,
  ordinal: 1,
  keptOpen: true,
  isBroken: false,
  isUnprocessed: undefined,
  told: undefined,
  arrivedAt: 1_763_812_345_679.001,
  releasedAt: 1_763_812_345_679.999,
  overAt: 1_763_812_345_680,
};

function elsewhere(passages: Passages): Passages {
  return passagesIn(JSON.parse(JSON.stringify(passagesText(passages))));
}

it("passages are the same after conversion, to the microsecond", () => {
  const passages: Passages = [
    [812, passage],
    [0, { ...passage, ordinal: 2, arrivedAt: 1_763_812_345_000.017, keptOpen: false, told: "goaway" }],
    [-1, { ...passage, releasedAt: 0, isBroken: true }],
    [-2, { ...passage, begunAt: 1_763_812_999_999.999, overAt: 1_763_813_000_000.001, isUnprocessed: true }],
  ];
  expect(elsewhere(passages)).toEqual(passages);
  expect(elsewhere([])).toEqual([]);
});

it("common values are written once, and instants as differences", () => {
  const passages = Array.from({ length: 1001 }, (_, place) => {
    const later = (instant: number) => Math.round((instant + place) * 1000) / 1000;
    return [-place, { ...passage, arrivedAt: later(passage.arrivedAt), overAt: later(passage.overAt) }] as const;
  });
  const size = (count: number) => JSON.stringify(passagesText(passages.slice(0, count))).length;
  expect((size(1001) - size(1)) / 1000).toBeLessThan(30);
});
