import { describe, expect, it } from "vitest";
import { chosenCells, estimate, fitting } from "../../src/explore/plan.js";

const points = ["token.first", "ping", "list.a.first", "list.a.middle", "list.a.last"];
const faults = ["reset", "close", "hang", "truncate", "slow", "error-500"];
const cells = faults.flatMap((fault) => points.map((point) => ({ point, fault })));

const drawn = (shallow: number | undefined, seed = "1", isWanted = (_name: string) => true) =>
  chosenCells(cells, { isWanted, shallow, seed });

/** How often the most and the least frequent of the values occurs. */
function extremes(values: readonly string[], all: readonly string[]): readonly [number, number] {
  const counts = all.map((one) => values.filter((value) => value === one).length);
  return [Math.max(...counts), Math.min(...counts)];
}

describe("the cells that are run", () => {
  it("are all without --shallow, in their order", () => {
    expect(drawn(undefined)).toEqual(cells);
    expect(drawn(cells.length + 1)).toEqual(cells);
  });

  it.each(Array.from(cells, (_, index) => index + 1))("are exactly %i, each once, in their order", (count) => {
    const some = drawn(count);
    expect(some).toEqual(cells.filter((cell) => some.includes(cell)));
    expect(some).toHaveLength(count);
  });

  it.each(Array.from(cells, (_, index) => index + 1))("are spread evenly: %i", (count) => {
    for (const seed of ["1", "2", "3"]) {
      const some = drawn(count, seed);
      for (const [values, all] of [
        [some.map(({ point }) => point), points],
        [some.map(({ fault }) => fault), faults],
      ] as const) {
        const [most, least] = extremes(values, all);
        expect(most - least).toBeLessThanOrEqual(1);
      }
    }
  });

  it("are the same with the same seed, and others with another", () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7, "2")).not.toEqual(drawn(7));
  });

  it("are drawn of those that are wanted", () => {
    const some = drawn(3, "1", (name) => name.startsWith("ping/"));
    expect(some.map(({ point }) => point)).toEqual(["ping", "ping", "ping"]);
  });
});

describe("the time that cells take", () => {
  it("grows with the cells, and is shared by jobs", () => {
    expect(estimate(10, { duration: 600, jobs: 1 })).toBe(10_000);
    expect(estimate(10, { duration: 600, jobs: 4 })).toBe(2500);
  });

  it("is at most ten minutes without being asked for", () => {
    const pace = { duration: 9600, jobs: 2 };
    expect(fitting(120, pace)).toBeUndefined();
    expect(fitting(121, pace)).toBe(120);
    expect(fitting(5, { duration: 3_600_000, jobs: 1 })).toBe(1);
  });
});
