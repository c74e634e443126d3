import { expect, it } from "vitest";
import { chooseDrills } from "../../src/cli/exam/drills.js";
import { DrillQueue } from "../../src/cli/exam/queue.js";
import { readScenarios } from "../../src/library/read-scenarios.js";

const drills = chooseDrills(await readScenarios(undefined), []);
const waiting = [
  "announced-lifetime-differs",
  "dead-connection",
  "flaky",
  "handshake-hangs",
  "hang",
  "maintenance",
  "outage",
  "rate-limited",
  "rate-limited-with-date",
  "slow",
  "slow-body",
  "slow-headers",
  "stalled-body",
  "too-many-at-once",
  "unavailable-for-five-seconds",
];

/** The names in the order in which they are begun. */
function orderOf(prefersWaiting: (turn: number) => boolean): readonly string[] {
  const queue = new DrillQueue(drills);
  return drills.map((_, turn) => queue.next(prefersWaiting(turn))?.name ?? "");
}

it("the drills in which the command waits are known by their faults", () => {
  expect(drills.filter(({ waits }) => waits).map(({ name }) => name)).toEqual(waiting);
});

it("one job takes plain first, and the drills that wait last", () => {
  const order = orderOf(() => false);
  expect(order[0]).toBe("plain");
  expect(order.slice(-waiting.length)).toEqual(waiting);
});

it("a job of two begins with those that wait; each drill is taken once", () => {
  const order = orderOf((turn) => turn % 2 === 1);
  expect(order.slice(0, 4)).toEqual(["plain", waiting[0], "certificate-expires", waiting[1]]);
  expect(order.toSorted()).toEqual(drills.map(({ name }) => name).toSorted());
});

it("says when there are no more", () => {
  const queue = new DrillQueue(drills.slice(0, 1));
  expect(queue.next(true)).toMatchObject({ name: "plain" });
  expect(queue.next(true)).toBeUndefined();
});
