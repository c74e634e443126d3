import { setTimeout as sleep } from "node:timers/promises";
import type { Level } from "../../exam/finding.js";
import { nameOf, type Plan, type PlannedRun } from "../../explore/plan.js";
import { type Cell, cellName, weightOf } from "../../explore/report.js";
import { monotonicNow } from "../../sandbox/clock.js";
import type { Progress } from "../report/progress.js";
import type { SignalRelay } from "../run/signals.js";
import { type CellRun, type ExploreSetting, runCell } from "./cell.js";
import { CellQueue, type QueuedRun } from "./cell-queue.js";
import { Load, period } from "./load.js";

/** How cells are run. */
export interface Runs {
  readonly setting: ExploreSetting;
  /** How many runs without a fault there were at once. */
  readonly usual: number;
  /** How many runs there are at once at most. */
  readonly jobs: number;
  /** When no further cell is begun, on the monotonic clock, in milliseconds; undefined for never. */
  readonly deadline: number | undefined;
  readonly relay: SignalRelay;
  readonly progress: Progress;
  /** From which on a cell counts as a failure. */
  readonly level: Level;
  /** The folder of `--keep`. */
  readonly keep: string | undefined;
}

/**
 * Runs cells, as many at a time as the machine has room for, until all have ended, the time is over, or a signal arrived.
 * Every finding is run once more, at once, before it is told: two different results are `unstable`, and without a second
 * run it is not judged.
 * @returns those that ended, in the order of the plan
 */
export async function runCells(
  { planned, order }: Pick<Plan, "planned" | "order">,
  { setting, usual, jobs, deadline, relay, progress, level, keep }: Runs,
): Promise<readonly Cell[]> {
  setting.commands.follow(relay);
  const cells = new Map<PlannedRun, Cell>();
  const queue = new CellQueue(order, usual, jobs, deadline !== undefined);
  const isOver = () => relay.received !== undefined || (deadline !== undefined && monotonicNow() >= deadline);
  const task = async ({ run, before }: QueuedRun) => {
    progress.begun(nameOf(run));
    const result = await runCell(run, setting, before, before && keep);
    // A command that was ended by the user says nothing.
    if (relay.received !== undefined) return;
    const { cell } = result;
    if (before === undefined && weightOf(cell, "should") !== undefined) {
      cells.set(run, unconfirmed(cell));
      queue.again(run, result);
      progress.again(nameOf(run));
      return;
    }
    const judged = before === undefined ? cell : confirmed(before, result);
    cells.set(run, judged);
    progress.over(endOf(judged, level));
  };
  const running = new Set<Promise<void>>();
  const begin = (queued: QueuedRun) => {
    const ended = task(queued).finally(() => {
      queue.over(queued);
      running.delete(ended);
    });
    running.add(ended);
  };
  const load = new Load();
  const wait = () => sleep(period, undefined, { ref: false });
  let tick = wait();
  let room = 0;
  let hadRoom = false;
  try {
    for (;;) {
      while (!isOver()) {
        const queued = queue.next(room > 0);
        if (queued === undefined) break;
        begin(queued);
        room -= 1;
      }
      if (running.size === 0) break;
      const isTick = await Promise.race([
        ...[...running].map((ended) => ended.then(() => false)),
        tick.then(() => true),
      ]);
      if (isTick) {
        room = load.room();
        hadRoom = room > 0;
        tick = wait();
        // One takes the place of one that has ended.
      } else if (hadRoom) room = Math.max(room, 1);
    }
  } catch (error) {
    // When one fails, the others are ended.
    setting.commands.endAll("SIGTERM");
    await Promise.allSettled(running);
    throw error;
  } finally {
    progress.clear();
  }
  return planned.map((run) => cells.get(run)).filter((cell) => cell !== undefined);
}

/** How a cell ended, for the line of progress. */
function endOf(cell: Cell, level: Level) {
  const weight = weightOf(cell, level);
  const isFailed = weight === "failure";
  const mark = isFailed ? "✗" : weight === undefined ? "✓" : "!";
  const isTold = weight !== undefined;
  return { name: cellName(cell), mark, isFailed, isTold, duration: cell.duration, note: cell.verdict };
}

/** A finding that was run twice. */
function confirmed({ cell: first }: CellRun, { cell: second }: CellRun): Cell {
  if (second.verdict !== first.verdict) return unstable(first, second);
  // What weighs more in one of the runs happened once.
  return first.counts === "should" && second.counts === "must" ? first : second;
}

function unstable(first: Cell, second: Cell): Cell {
  const message = `Two runs had two results: ${first.verdict} (${first.message}) and ${second.verdict} (${second.message})`;
  return { ...second, verdict: "unstable", counts: "said", message, fix: "", checks: [] };
}

/** Until the second run has ended, which the user or the time may prevent. */
function unconfirmed(cell: Cell): Cell {
  const message = `It was not run once more, so it is no finding yet: ${cell.verdict}. ${cell.message}`;
  return { ...cell, verdict: "not-judged", counts: "said", message };
}
