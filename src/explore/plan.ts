import { hash } from "node:crypto";
import { type ExploreFault, exploreFaults } from "./faults.js";
import type { ReachedPoint } from "./points.js";
import { cellName } from "./report.js";

/** A planned cell: a point, and a fault that can happen there. */
export interface PlannedRun {
  readonly point: ReachedPoint;
  readonly fault: ExploreFault;
}

/** Which of the cells are run. */
interface Choice {
  /** Whether a name is wanted, by `--only` and `--skip`. */
  readonly isWanted: (name: string) => boolean;
  /** How many cells are drawn; undefined for all. */
  readonly shallow: number | undefined;
  /**
   * Ends the whole, whatever was planned, in milliseconds: the cells are then run in the order of a draw, so that those
   * that were run are spread as well. Without it and `shallow`, as many as fit into ten minutes are drawn.
   */
  readonly maxTime: number | undefined;
  readonly seed: string;
}

/** How fast cells are run. */
interface Pace {
  /** Of the command without a fault, in milliseconds. */
  readonly duration: number;
  /** How much of a core the command and its sandbox take, in milliseconds. */
  readonly work: number;
  readonly cores: number;
  /** How many runs there are at the same time, if the machine has room for them. */
  readonly jobs: number;
}

/** The cells that are run. */
export interface Plan {
  /** In the order of what finds most. */
  readonly planned: readonly PlannedRun[];
  /** The same in the order in which they begin. */
  readonly order: readonly PlannedRun[];
  /** Those that were wanted as well, and not drawn. */
  readonly left: readonly PlannedRun[];
  /** Whether they were left out without being asked: they would take too long. */
  readonly isShortened: boolean;
  /** About how long these take, in milliseconds. */
  readonly time: number;
}

/** More time than this is not taken without being asked for, in milliseconds. */
const longestUnasked = 600_000;

/** Chooses the cells of a command. */
export function planOf(runs: readonly PlannedRun[], { isWanted, shallow, maxTime, seed }: Choice, pace: Pace): Plan {
  const wanted = runs.filter((run) => isWanted(nameOf(run))).sort((one, other) => place(one) - place(other));
  const isBounded = shallow !== undefined || maxTime !== undefined;
  const most = isBounded ? (shallow ?? wanted.length) : fitting(wanted, pace);
  const drawn = most < wanted.length || maxTime !== undefined ? spread(wanted, most, seed) : wanted;
  const chosen = new Set(drawn);
  const planned = wanted.filter((run) => chosen.has(run));
  const left = wanted.filter((run) => !chosen.has(run));
  return {
    planned,
    order: maxTime === undefined ? planned : drawn,
    left,
    isShortened: left.length > 0 && !isBounded,
    time: timeOf(planned, pace),
  };
}

const places = new Map(exploreFaults.map((fault, index) => [fault, index]));

/** In the order of the table of faults, whatever the point is; then those of the user. */
function place({ fault }: PlannedRun): number {
  return places.get(fault) ?? places.size;
}

/** `POINT/FAULT`. */
export function nameOf({ point, fault }: PlannedRun): string {
  return cellName({ point: point.id, fault: fault.name });
}

/**
 * Draws cells, by a seed where they are equal: always one of a fault that was drawn least, and of these one at a point
 * that was drawn least. So each fault and each point has a cell where the count allows it, and the first cells of a draw
 * are spread, too. Then cells are moved along their fault or their point, until no move makes the numbers more equal.
 */
function spread(cells: readonly PlannedRun[], count: number, seed: string): readonly PlannedRun[] {
  const order = new Map(cells.map((cell) => [cell, hash("sha256", `${seed} ${nameOf(cell)}`)]));
  const left = [...cells].sort((one, other) => ((order.get(one) ?? "") < (order.get(other) ?? "") ? -1 : 1));
  const drawn: PlannedRun[] = [];
  while (drawn.length < Math.min(count, cells.length)) {
    const ofFault = counts(drawn, ({ fault }) => fault.name);
    const ofPoint = counts(drawn, ({ point }) => point.id);
    const uses = left.map(({ point, fault }) => [ofFault(fault.name), ofPoint(point.id)] as const);
    const isLess = (one: number, other: number) => {
      const [[fault = 0, point = 0] = [], [otherFault = 0, otherPoint = 0] = []] = [uses[one], uses[other]];
      return fault < otherFault || (fault === otherFault && point < otherPoint);
    };
    const least = uses.reduce((best, _, index) => (isLess(index, best) ? index : best), 0);
    drawn.push(...left.splice(least, 1));
  }
  while (moves(drawn, left)) {}
  return drawn;
}

/** Makes one move that makes the draw more equal. @returns whether there was one */
function moves(drawn: PlannedRun[], left: PlannedRun[]): boolean {
  const used = { point: counts(drawn, ({ point }) => point.id), fault: counts(drawn, ({ fault }) => fault.name) };
  for (const [place, from] of drawn.entries())
    for (const [other, to] of left.entries()) {
      const surplus =
        from.fault.name === to.fault.name
          ? used.point(from.point.id) - used.point(to.point.id)
          : from.point.id === to.point.id
            ? used.fault(from.fault.name) - used.fault(to.fault.name)
            : 0;
      if (surplus < 2) continue;
      drawn[place] = to;
      left[other] = from;
      return true;
    }
  return false;
}

function counts(cells: readonly PlannedRun[], name: (cell: PlannedRun) => string): (wanted: string) => number {
  const found = new Map<string, number>();
  for (const cell of cells) found.set(name(cell), (found.get(name(cell)) ?? 0) + 1);
  return (wanted) => found.get(wanted) ?? 0;
}

/** What a run costs besides the command: a sandbox is started and stopped, in milliseconds. */
const overhead = 400;

/** How long clients usually wait before they try again, or until they give up a request, in milliseconds. */
const usualPause = 1000;
const usualTimeout = 5000;

/** A request that stays broken is sent so often. */
const usualAttempts = 3;

/** So much of the cores is used: no run begins on a machine that is full. */
const used = 0.8;

/** How long the fault of a run keeps the command waiting, about, in milliseconds. */
export function durationOf({ fault: { holds, waits, always } }: PlannedRun): number {
  return (always ? usualAttempts : 1) * (usualPause + waits + (holds ? usualTimeout : 0));
}

/** The longest run, the work of all on all cores, or all in turn: what takes the most. */
function timeOf(runs: readonly PlannedRun[], { duration, work, cores, jobs }: Pace): number {
  const each = runs.map((run) => duration + overhead + durationOf(run));
  const inTurn = each.reduce((sum, time) => sum + time, 0) / jobs;
  return Math.ceil(Math.max(0, ...each, inTurn, (runs.length * work) / (cores * used)));
}

/** How many cells fit into the time that is taken without being asked for. At least one does. */
function fitting(runs: readonly PlannedRun[], pace: Pace): number {
  const time = timeOf(runs, pace);
  return time <= longestUnasked ? runs.length : Math.max(1, Math.floor((longestUnasked / time) * runs.length));
}
