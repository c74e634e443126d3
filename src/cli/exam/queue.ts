import type { Drill } from "./drills.js";

/** The drills that were not begun, in two queues: those in which the command waits run beside those in which it works. */
export class DrillQueue {
  readonly #waiting: Drill[];
  readonly #working: Drill[];

  constructor(drills: readonly Drill[]) {
    this.#waiting = drills.filter(({ waits }) => waits);
    this.#working = drills.filter(({ waits }) => !waits);
  }

  /**
   * Takes a drill.
   * @param prefersWaiting whether to take one in which the command waits, as long as there is one
   * @returns undefined when all were begun
   */
  next(prefersWaiting: boolean): Drill | undefined {
    const [first, second] = prefersWaiting ? [this.#waiting, this.#working] : [this.#working, this.#waiting];
    return first.shift() ?? second.shift();
  }
}
