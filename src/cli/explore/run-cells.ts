import { nameOf, type PlannedRun } from "../../explore/plan.js";
import { type Cell, weightOf } from "../../explore/report.js";
import { monotonicNow } from "../../sandbox/clock.js";
import type { SignalRelay } from "../run/signals.js";
import { type CellRun, type ExploreSetting, runCell } from "./cell.js";

/** What is told while cells run. */
interface Watcher {
  begun(name: string): void;
  over(cell: Cell): void;
  /** A cell is a finding, and is run once more. */
  again(name: string): void;
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
 * more before it is told: two different results are `unstable`, and without a second run it is not judged.
 * @returns those that ended, in the order of the plan
 */
export async function runCells(planned: readonly PlannedRun[], runs: Runs): Promise<readonly Cell[]> {
  const { setting, jobs, deadline, relay, watcher } = runs;
  setting.commands.follow(relay);
  const cells = new Map<PlannedRun, Cell>();
  const findings = new Map<PlannedRun, CellRun>();
  /** Second runs need time, too: about as much as the first ones. */
  const reserved = () => [...findings.values()].reduce((sum, { cell }) => sum + cell.duration, 0);
  const isOver = (reserve = 0) => relay.received !== undefined || monotonicNow() + reserve >= deadline;
  try {
    await eachOf(planned, jobs, async (run) => {
      if (isOver(reserved())) return;
      watcher.begun(nameOf(run));
      const first = await runCell(run, setting);
      const { cell } = first;
      // A command that was ended by the user says nothing.
      if (relay.received !== undefined) return;
      if (weightOf(cell, "should") === undefined) {
        cells.set(run, cell);
        watcher.over(cell);
      } else {
        findings.set(run, first);
        watcher.again(nameOf(run));
      }
    });
    const again = async ([run, before]: readonly [PlannedRun, CellRun]) => {
      const { cell: first } = before;
      cells.set(run, unconfirmed(first));
      if (isOver()) return;
      watcher.begun(nameOf(run));
      const { cell: second } = await runCell(run, setting, before, runs.keep);
      if (relay.received !== undefined) return;
      // What weighs more in one of the runs happened once.
      const same = first.counts === "should" && second.counts === "must" ? first : second;
      const cell = second.verdict === first.verdict ? same : unstable(first, second);
      cells.set(run, cell);
      watcher.over(cell);
    };
    const isWaiting = ([, { cell }]: readonly [PlannedRun, CellRun]) => cell.verdict === "hung";
    // Alone, so that the load of others explains nothing. A command that hangs is no load, and takes the longest.
    await eachOf(
      [...findings].filter((finding) => !isWaiting(finding)),
      1,
      again,
    );
    await eachOf([...findings].filter(isWaiting), jobs, again);
  } finally {
    watcher.clear();
  }
  return planned.map((run) => cells.get(run)).filter((cell) => cell !== undefined);

  /** Some at a time. When one fails, the others are ended. */
  async function eachOf<T>(all: readonly T[], atOnce: number, task: (one: T) => Promise<void>): Promise<void> {
    const waiting = all.values();
    const work = async () => {
      for (const one of waiting) await task(one);
    };
    const workers = Array.from({ length: Math.min(atOnce, all.length) }, () =>
      work().catch((error) => {
        setting.commands.endAll("SIGTERM");
        throw error;
      }),
    );
    const ends = await Promise.allSettled(workers);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }
}

function unstable(first: Cell, second: Cell): Cell {
  const message = `Two runs had two results: ${first.verdict} (${first.message}) and ${second.verdict} (${second.message})`;
  return { ...second, verdict: "unstable", counts: "said", message, fix: "", checks: [] };
}

function unconfirmed(cell: Cell): Cell {
  const message = `There was no time to run it once more, so it is no finding yet: ${cell.verdict}. ${cell.message}`;
  return { ...cell, verdict: "not-judged", counts: "said", message };
}
