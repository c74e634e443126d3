import { durationOf, type PlannedRun } from "../../explore/plan.js";
import type { CellRun } from "./cell.js";

/** A run that begins, or runs. */
export interface QueuedRun {
  readonly run: PlannedRun;
  /** The first run of a finding, which this one repeats. */
  readonly before: CellRun | undefined;
}

/**
 * Which cell is run next. As many run at once as there were runs without a fault, in their order; more if the machine has
 * room, those first that take the longest. A finding is run again before anything else, with no more beside it than the
 * runs without a fault had.
 */
export class CellQueue {
  readonly #waiting: PlannedRun[];
  readonly #findings: QueuedRun[] = [];
  readonly #running = new Set<QueuedRun>();

  /**
   * @param planned in the order in which they begin
   * @param usual how many runs without a fault there were at once
   * @param jobs how many runs there are at once at most
   * @param keepsOrder whether the order is kept even if the machine has room
   */
  constructor(
    planned: readonly PlannedRun[],
    private readonly usual: number,
    private readonly jobs: number,
    private readonly keepsOrder: boolean,
  ) {
    this.#waiting = [...planned];
  }

  /**
   * Takes the next run.
   * @param hasRoom whether the machine has room for one more than usual
   */
  next(hasRoom: boolean): QueuedRun | undefined {
    const queued = this.#choose(hasRoom);
    if (queued !== undefined) this.#running.add(queued);
    return queued;
  }

  /** A run has ended. */
  over(queued: QueuedRun): void {
    this.#running.delete(queued);
  }

  /** It is a finding, and is run again. */
  again(run: PlannedRun, before: CellRun): void {
    this.#findings.push({ run, before });
  }

  #choose(hasRoom: boolean): QueuedRun | undefined {
    const running = [...this.#running];
    if (running.length >= this.jobs) return undefined;
    if (this.#findings.length > 0) {
      // A command that a fault holds waits, and is no load for the others.
      const working = running.filter(({ run, before }) => before !== undefined || !run.fault.holds);
      return working.length < this.usual ? this.#findings.shift() : undefined;
    }
    if (running.length < this.usual) return this.#take(0);
    const isRepeating = running.some(({ before }) => before !== undefined);
    return hasRoom && !isRepeating ? this.#take(this.keepsOrder ? 0 : this.#longest()) : undefined;
  }

  #take(place: number): QueuedRun | undefined {
    const [run] = this.#waiting.splice(place, 1);
    return run && { run, before: undefined };
  }

  #longest(): number {
    const durations = this.#waiting.map(durationOf);
    return durations.indexOf(Math.max(...durations));
  }
}
