import type { Drill } from "./drills.js";

/** A drill, and its place among all of them. */
interface Queued {
  readonly drill: Drill;
  readonly index: number;
}

/** The drills that were not begun, in two queues: those in which the command waits run beside those in which it works. */
export class DrillQueue {
  readonly #waiting: Queued[];
  readonly #working: Queued[];

  constructor(drills: readonly Drill[]) {
    const all = drills.map((drill, index) => ({ drill, index }));
    this.#waiting = all.filter(({ drill }) => drill.waits);
    this.#working = all.filter(({ drill }) => !drill.waits);
  }

  /**
   * Takes a drill.
   * @param prefersWaiting whether to take one in which the command waits, as long as there is one
   * @returns undefined when all were begun
   */
  next(prefersWaiting: boolean): Queued | undefined {
    const [first, second] = prefersWaiting ? [this.#waiting, this.#working] : [this.#working, this.#waiting];
    return first.shift() ?? second.shift();
  }
}
