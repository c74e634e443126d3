import { monotonicNow } from "../clock.js";
import { SharedStateError } from "./redis.js";

/** The longest wait for other replicas, in milliseconds: a lease, and a margin. */
export const longestWait = 4500;

/** How often the list of live replicas is read again, in milliseconds. */
const look = 250;

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
}

/** Waits for other replicas: until each has answered, or is not alive any more. */
export class Waiting {
  readonly #waiters = new Set<Waiter>();
  readonly #live: () => Promise<readonly string[]>;

  /** @param live returns the replicas that are alive */
  constructor(live: () => Promise<readonly string[]>) {
    this.#live = live;
  }

  /** A signal was received: waits that are over end. */
  heard(): void {
    for (const waiter of this.#waiters) {
      if (!waiter.isDone()) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
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

  #next(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const waiter = {
        isDone,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        resolve();
      }, look);
      this.#waiters.add(waiter);
    });
  }
}
