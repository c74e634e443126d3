import { monotonicNow } from "../clock.js";
import { SharedStateError } from "./redis.js";

/** An answer that took longer says little about the time, in milliseconds. */
const slow = 100;

/** The time of Redis, by estimate: the one clock that replicas on several machines agree about. */
export class RedisClock {
  /** Adds to a monotonic reading to make the time of Redis. */
  #offset: number | undefined;

  /** Whether Redis has told its time. */
  get isSet(): boolean {
    return this.#offset !== undefined;
  }

  /** In milliseconds since the epoch. @throws SharedStateError until Redis has told its time */
  now(): number {
    if (this.#offset === undefined) throw new SharedStateError("Redis has not told its time yet.");
    return monotonicNow() + this.#offset;
  }

  /**
   * Redis has told its time.
   * @param time in milliseconds since the epoch
   * @param askedAt when it was asked, and `answeredAt` when it answered, as monotonic readings
   */
  told(time: number, askedAt: number, answeredAt: number): void {
    if (this.isSet && answeredAt - askedAt >= slow) return;
    this.#offset = time - (askedAt + answeredAt) / 2;
  }
}
