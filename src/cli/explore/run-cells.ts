import type { Cell } from "../../explore/report.js";
import { cellName, weightOf } from "../../explore/report.js";
import { monotonicNow } from "../../sandbox/clock.js";
import type { SignalRelay } from "../run/signals.js";
import { type ExploreSetting, type PlannedRun, runCell } from "./cell.js";

/** What is told while cells run. */
interface Watcher {
  begun(name: string): void;
  over(cell: Cell): void;
  /** Nothing runs any more. */
  clear(): void;
}

/** How cells are run. */
export interface Runs {
  readonly setting: ExploreSetting;
  readonly jobs: number;
  /** When no further cell is begun, on the monotonic clock, in milliseconds. */
  readonly deadline: number;
  readonly relay: SignalRelay;
  readonly watcher: Watcher;
  /** The folder of `--keep`. */
  readonly keep: string | undefined;
}

/**
 * Runs cells, several at a time, until all have ended, the time is over, or a signal arrived. Every finding is run once
 * more, alone: two different results are `unstable`.
 * @returns those that ended, in the order of the plan
 */
export async function runCells(planned: readonly PlannedRun[], runs: Runs): Promise<readonly Cell[]> {
  const { setting, jobs, deadline, relay, watcher } = runs;
  const isOver = () => relay.received !== undefined || monotonicNow() >= deadline;
  setting.commands.follow(relay);
  const cells: (Cell | undefined)[] = [];
  const waiting = planned.entries();
  const work = async () => {
    for (const [index, each] of waiting) {
      if (isOver()) return;
      watcher.begun(nameOf(each));
      const cell = await runCell(each, setting, "1", undefined);
      // A command that was ended by the user says nothing.
      if (relay.received !== undefined) return;
      cells[index] = cell;
      watcher.over(cell);
    }
  };
  const workers = Array.from({ length: Math.min(jobs, planned.length) }, () =>
    work().catch((error) => {
      setting.commands.endAll("SIGTERM");
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  watcher.clear();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  for (const [index, each] of planned.entries()) {
    const cell = cells[index];
    if (cell === undefined || weightOf(cell, "should") === undefined || relay.received !== undefined) continue;
    const again = await runCell(each, setting, "2", runs.keep);
    if (relay.received !== undefined) break;
    cells[index] = again.verdict === cell.verdict ? again : unstable(cell, again);
  }
  return cells.filter((cell) => cell !== undefined);
}

function nameOf({ point, fault }: PlannedRun): string {
  return cellName({ point: point.id, fault: fault.name });
}

function unstable(first: Cell, second: Cell): Cell {
  const message = `Two runs had two results: ${first.verdict} (${first.message}) and ${second.verdict} (${second.message})`;
  return { ...second, verdict: "unstable", counts: "said", message, fix: "", checks: [] };
}
