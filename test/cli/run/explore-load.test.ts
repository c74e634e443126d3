import { describe, expect, it } from "vitest";
import type { CellRun } from "../../../src/cli/explore/cell.js";
import { CellQueue, type QueuedRun } from "../../../src/cli/explore/cell-queue.js";
import { Load } from "../../../src/cli/explore/load.js";
import { faultsAt } from "../../../src/explore/faults.js";
import { nameOf, type PlannedRun } from "../../../src/explore/plan.js";
import { reachedPoints } from "../../explore/points.js";

const at = (point: string, fault: string): PlannedRun => {
  const found = reachedPoints.find(({ id }) => id === point);
  const one = found && faultsAt(found.role, false).find(({ name }) => name === fault);
  if (found === undefined || one === undefined) throw new Error(`There is no ${point}/${fault}.`);
  return { point: found, fault: one };
};
const planned = ["reset", "close", "hang", "truncate", "hang-always"].map((fault) => at("ping", fault));
const first = {} as CellRun;

/** Takes as many as may begin now. */
function taken(queue: CellQueue, room = 0): QueuedRun[] {
  const all: QueuedRun[] = [];
  for (let left = room; ; left -= 1) {
    const next = queue.next(left > 0);
    if (next === undefined) return all;
    all.push(next);
  }
}
const names = (all: readonly QueuedRun[]) =>
  all.map(({ run, before }) => `${nameOf(run)}${before === undefined ? "" : " again"}`);

describe("which cells run at the same time", () => {
  it("as many as there were runs without a fault, in their order", () => {
    const queue = new CellQueue(planned, 2, 16, false);
    const [one, ...others] = taken(queue);
    expect(names([one as QueuedRun, ...others])).toEqual(["ping/reset", "ping/close"]);
    queue.over(one as QueuedRun);
    expect(names(taken(queue))).toEqual(["ping/hang"]);
  });

  it("more where the machine has room, the longest first; or in order", () => {
    expect(names(taken(new CellQueue(planned, 2, 16, false), 8)).slice(2)).toEqual([
      "ping/hang-always",
      "ping/hang",
      "ping/truncate",
    ]);
    expect(names(taken(new CellQueue(planned, 2, 16, true), 8))).toEqual(planned.map(nameOf));
  });

  it("never more than --jobs", () => {
    expect(taken(new CellQueue(planned, 2, 3, false), 8)).toHaveLength(3);
    expect(taken(new CellQueue(planned, 1, 1, false), 8)).toHaveLength(1);
  });

  it("a finding before all others, with no more beside it that work than usual", () => {
    const queue = new CellQueue(planned, 2, 16, false);
    const [reset, close] = taken(queue) as [QueuedRun, QueuedRun];
    const [hang] = taken(queue, 1).slice(-1) as [QueuedRun];
    expect(names([hang])).toEqual(["ping/hang-always"]);
    queue.over(reset);
    queue.again(reset.run, first);
    // One that a fault holds is no load.
    const [again, ...none] = taken(queue, 8);
    expect(names([again as QueuedRun, ...none])).toEqual(["ping/reset again"]);
    queue.over(close);
    expect(taken(queue, 8)).toEqual([]);
    queue.over(again as QueuedRun);
    expect(names(taken(queue, 8))).toEqual(["ping/hang", "ping/truncate"]);
  });
});

describe("the load of the machine", () => {
  const quiet = { at: 0, busy: 0, idle: 0, serving: 0, memory: 1 };
  /** What there is room for on four cores, after a quarter of a second with these numbers. */
  const room = (given: Partial<typeof quiet>) => {
    const samples = [quiet, { ...quiet, at: 250, ...given }];
    return new Load(() => samples.shift() ?? quiet, 4).room();
  };

  it.each<[string, Partial<typeof quiet>, number]>([
    ["an idle machine", { idle: 1000 }, 4],
    ["half of it idle", { busy: 500, idle: 500 }, 2],
    ["half a core idle", { busy: 875, idle: 125 }, 1],
    ["less idle", { busy: 900, idle: 100 }, 0],
    ["this process busy", { idle: 1000, serving: 201 }, 0],
    ["little memory free", { idle: 1000, memory: 0.1 }, 0],
    ["an answer that came late", { idle: 4000, at: 1000 }, 0],
    ["no time passed", {}, 0],
  ])("%s", (_, given, expected) => {
    expect(room(given)).toBe(expected);
  });

  it("is measured on this machine", () => {
    expect(new Load().room()).toBeGreaterThanOrEqual(0);
  });
});
