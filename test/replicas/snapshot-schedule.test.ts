import { expect, it } from "vitest";
import { SnapshotSchedule } from "../../src/replicas/snapshot-schedule.js";

/**
 * After which of this many commands a snapshot is due.
 * @param clients their number after a command
 */
function due(commands: number, clients: (command: number) => number): number[] {
  const schedule = new SnapshotSchedule();
  schedule.begin(clients(0));
  return Array.from({ length: commands }, (_, before) => before + 1).filter((each) => schedule.applied(clients(each)));
}

it("a snapshot is due after a thousand commands", () => {
  expect(due(3500, () => 2)).toEqual([1000, 2000, 3000]);
});

it("a snapshot of many clients is due after the same number of commands", () => {
  expect(due(11_000, () => 5000)).toEqual([5000, 10_000]);
});

it("a snapshot is eventually due although each command makes a client", () => {
  expect(due(10_000, (command) => 2 + command)).toEqual([1000, 2002, 4006, 8014]);
});
