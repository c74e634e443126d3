import { monotonicNow } from "../sandbox/clock.js";
import { SharedStateError } from "./redis.js";

/**
 * How fast the error of an estimate grows, in milliseconds for each millisecond: clocks drift, and are corrected
 * slowly.
 */
const drift = 0.0005;

/** An estimate of the time of Redis: the one clock that replicas on several machines share. */
export class RedisClock {
  /** The time of Redis minus a monotonic reading. */
  #offset: number | undefined;
  /** The largest error of the estimate, in milliseconds, when it was made. */
  #error = 0;
  #madeAt = 0;

  /** Whether Redis has sent its time. */
  get isSet(): boolean {
    return this.#offset !== undefined;
  }

  /**
   * The estimate, in milliseconds since the epoch.
   * @throws SharedStateError until Redis has sent its time
   */
  now(): number {
    if (this.#offset === undefined) throw new SharedStateError("Redis has not sent its time yet.");
    return monotonicNow() + this.#offset;
  }

  /**
   * The largest error of the time, in milliseconds.
   * @param instant a monotonic reading
   */
  error(instant = monotonicNow()): number {
    return this.#error + (instant - this.#madeAt) * drift;
  }

  /**
   * Redis has sent its time. A slow answer is inexact, and is used only if there is no better estimate.
   * @param time in milliseconds since the epoch
   * @param askedAt when the request was sent, and `answeredAt` when Redis answered, as monotonic readings
   */
  told(time: number, askedAt: number, answeredAt: number): void {
    const error = (answeredAt - askedAt) / 2;
    if (this.isSet && error > this.error(answeredAt)) return;
    this.#offset = time - askedAt - error;
    this.#error = error;
    this.#madeAt = answeredAt;
  }
}
