import { monotonicNow } from "../clock.js";
import { SharedStateError } from "./redis.js";

/** By how much an estimate may become wrong, in milliseconds for each millisecond: clocks drift, and are corrected slowly. */
const drift = 0.0005;

/** The time of Redis, by estimate: the one clock that replicas on several machines agree about. */
export class RedisClock {
  /** Adds to a monotonic reading to make the time of Redis. */
  #offset: number | undefined;
  /** By how much it may have been wrong, in milliseconds, when it was made. */
  #error = 0;
  #madeAt = 0;

  /** Whether Redis has told its time. */
  get isSet(): boolean {
    return this.#offset !== undefined;
  }

  /** @returns the offset. @throws SharedStateError until Redis has told its time */
  mustBeSet(): number {
    if (this.#offset === undefined) throw new SharedStateError("Redis has not told its time yet.");
    return this.#offset;
  }

  /** In milliseconds since the epoch. @throws SharedStateError until Redis has told its time */
  now(): number {
    return monotonicNow() + this.mustBeSet();
  }

  /** By how much the time may be wrong, in milliseconds. */
  get error(): number {
    return this.#errorAt(monotonicNow());
  }

  #errorAt(now: number): number {
    return this.#error + (now - this.#madeAt) * drift;
  }

  /**
   * Redis has told its time. An answer that took long says little about it, and counts only where nothing better is known.
   * @param time in milliseconds since the epoch
   * @param askedAt when it was asked, and `answeredAt` when it answered, as monotonic readings
   */
  told(time: number, askedAt: number, answeredAt: number): void {
    const error = (answeredAt - askedAt) / 2;
    if (this.isSet && error > this.#errorAt(answeredAt)) return;
    this.#offset = time - askedAt - error;
    this.#error = error;
    this.#madeAt = answeredAt;
  }
}
