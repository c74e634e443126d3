import { describe, expect, it } from "vitest";
import { faultsAt } from "../../src/explore/faults.js";
import { nameOf, planOf } from "../../src/explore/plan.js";
import { reachedPoints } from "./points.js";

const tried = ["reset", "close", "hang", "truncate", "slow", "error-500"];
const points = reachedPoints.map(({ id }) => id);
const cells = reachedPoints.flatMap((point) =>
  faultsAt(point.role, false)
    .filter(({ name }) => tried.includes(name))
    .map((fault) => ({ point, fault })),
);
const inOrder = tried.flatMap((fault) => points.map((point) => `${point}/${fault}`));

const choice = { isWanted: (_name: string) => true, shallow: undefined, maxTime: undefined, seed: "1" };
const pace = { duration: 100, work: 0, cores: 2, jobs: 2 };

/** The names of the cells that are run. */
const drawn = (given: Partial<Parameters<typeof planOf>[1]> = {}) =>
  planOf(cells, { ...choice, ...given }, pace).planned.map(nameOf);

/** How often the most and the least frequent of the values occurs. */
function extremes(values: readonly (string | undefined)[], all: readonly string[]): readonly [number, number] {
  const counts = all.map((one) => values.filter((value) => value === one).length);
  return [Math.max(...counts), Math.min(...counts)];
}

describe("the cells that are run", () => {
  it("are all without --shallow, in the order of what finds most", () => {
    expect(drawn()).toEqual(inOrder);
    expect(drawn({ shallow: cells.length + 1 })).toEqual(inOrder);
  });

  it.each(Array.from(cells, (_, index) => index + 1))("are exactly %i, each once, in their order", (shallow) => {
    const { planned, left } = planOf(cells, { ...choice, shallow }, pace);
    const names = planned.map(nameOf);
    expect(names).toEqual(inOrder.filter((name) => names.includes(name)));
    expect(names).toHaveLength(shallow);
    expect([...names, ...left.map(nameOf)].sort()).toEqual([...inOrder].sort());
  });

  it.each(Array.from(cells, (_, index) => index + 1))("are spread evenly: %i", (shallow) => {
    for (const seed of ["1", "2", "3"]) {
      const some = drawn({ shallow, seed }).map((name) => name.split("/"));
      for (const [values, all] of [
        [some.map(([point]) => point), points],
        [some.map(([, fault]) => fault), tried],
      ] as const) {
        const [most, least] = extremes(values, all);
        expect(most - least).toBeLessThanOrEqual(1);
      }
    }
  });

  it("come in the order of the table of faults, also those that the first point does not have", () => {
    const all = reachedPoints.flatMap((point) => faultsAt(point.role, false).map((fault) => ({ point, fault })));
    const { planned } = planOf(all, { ...choice, shallow: all.length }, pace);
    const always = planned.map(({ fault }) => fault.always);
    expect(always.lastIndexOf(false)).toBeLessThan(always.indexOf(true));
  });

  it.each([1, 4, 9])("have each fault and each point where the number allows it, with seed %i", (seed) => {
    const all = reachedPoints.flatMap((point) => faultsAt(point.role, false).map((fault) => ({ point, fault })));
    const names = [...new Set(all.map(({ fault }) => fault.name))];
    const { planned } = planOf(all, { ...choice, shallow: names.length, seed: String(seed) }, pace);
    expect(planned.map(({ fault }) => fault.name).sort()).toEqual([...names].sort());
    expect(new Set(planned.map(({ point }) => point.id)).size).toBe(points.length);
    const few = planOf(all, { ...choice, shallow: points.length, seed: String(seed) }, pace).planned;
    expect(new Set(few.map(({ point }) => point.id)).size).toBe(points.length);
  });

  it("begin in an order in which no kind of fault starves, if the time may end before", () => {
    const all = reachedPoints.flatMap((point) => faultsAt(point.role, false).map((fault) => ({ point, fault })));
    const { order, planned } = planOf(all, { ...choice, maxTime: 60_000 }, pace);
    expect(order.map(nameOf).sort()).toEqual(planned.map(nameOf).sort());
    const kinds = new Set(all.map(({ fault }) => fault.name)).size;
    expect(new Set(order.slice(0, kinds).map(({ fault }) => fault.name)).size).toBe(kinds);
    expect(planOf(all, choice, pace).order).toEqual(planned);
  });

  it("are the same with the same seed, and others with another", () => {
    expect(drawn({ shallow: 7 })).toEqual(drawn({ shallow: 7 }));
    expect(drawn({ shallow: 7, seed: "2" })).not.toEqual(drawn({ shallow: 7 }));
  });

  it("are drawn of those that are wanted", () => {
    const some = drawn({ shallow: 3, isWanted: (name) => name.startsWith("ping/") });
    expect(some.map((name) => name.split("/")[0])).toEqual(["ping", "ping", "ping"]);
  });
});

describe("the time that cells take", () => {
  const time = (only: string, given: Partial<typeof pace> = {}) =>
    planOf(cells, { ...choice, isWanted: (name) => name.startsWith(only) }, { ...pace, ...given }).time;

  it("grows with the cells and with the command, and is shared by jobs", () => {
    expect(time("ping/")).toBeGreaterThan(time("ping/reset"));
    expect(time("ping/reset", { duration: 600 })).toBe(time("ping/reset") + 500);
    expect(time("ping/", { jobs: 1 })).toBe(2 * time("ping/"));
  });

  it("is at least that of the longest one, and that of the work on all cores", () => {
    const longest = time("ping/hang", { jobs: 1 });
    expect(time("ping/", { jobs: 100 })).toBe(longest);
    expect(time("ping/", { jobs: 100, work: 40_000 })).toBe((6 * 40_000) / (2 * 0.8));
  });

  it("is longer for what keeps a client waiting", () => {
    expect(time("ping/slow")).toBeGreaterThan(time("ping/reset"));
    expect(time("ping/hang")).toBeGreaterThan(time("ping/slow"));
  });

  it("is at most ten minutes without being asked for", () => {
    const slow = { ...pace, duration: 60_000 };
    const { planned, time: all } = planOf(cells, choice, slow);
    expect(planned.length).toBeLessThan(cells.length);
    expect(all).toBeGreaterThan(400_000);
    expect(all).toBeLessThanOrEqual(700_000);
    expect(planOf(cells, { ...choice, shallow: cells.length }, slow).planned).toHaveLength(cells.length);
    expect(planOf(cells, { ...choice, maxTime: 60_000 }, slow).planned).toHaveLength(cells.length);
    expect(planOf(cells, choice, { ...pace, duration: 3_600_000, jobs: 1 }).planned).toHaveLength(1);
  });
});
