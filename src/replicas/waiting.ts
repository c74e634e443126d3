import { monotonicNow } from "../sandbox/clock.js";
import { SharedStateError } from "./redis.js";

/** The longest wait for other replicas, in milliseconds: a lease, and a margin. */
export const longestWait = 4500;

/** How often the list of live replicas is read again, in milliseconds. */
const look = 250;

/** Waits for other replicas: until each has answered, or is not alive any more. */
export class Waiting {
  /** End the waits that are over. */
  readonly #checks = new Set<() => void>();
  readonly #live: () => Promise<readonly string[]>;

  /** @param live returns the replicas that are alive */
  constructor(live: () => Promise<readonly string[]>) {
    this.#live = live;
  }

  /** A signal was received: waits that are over end. */
  heard(): void {
    for (const check of this.#checks) check();
  }

  /**
   * @param replicas those that were alive when it began
   * @param hasAnswered whether a replica need not be waited for
   * @throws SharedStateError when one is alive and does not answer, or when this cannot be determined
   */
  async forAll(replicas: readonly string[], hasAnswered: (replica: string) => boolean): Promise<void> {
    const since = monotonicNow();
    let left = replicas;
    const isDone = () => left.every(hasAnswered);
    while (!isDone()) {
      if (monotonicNow() - since > longestWait)
        throw new SharedStateError("Another replica is alive, but did not answer in time.");
      await this.#next(isDone);
      if (isDone()) return;
      const live = new Set(await this.#live());
      left = left.filter((replica) => live.has(replica));
    }
  }

  /** Resolves when the wait is over, or when it is time to look again. */
  #next(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#checks.delete(check);
        resolve();
      };
      const check = () => {
        if (isDone()) end();
      };
      const timer = setTimeout(end, look);
      this.#checks.add(check);
    });
  }
}
