import type { RateLimit } from "./definition.js";

/** How far a rule has come, for one client or for all of them together. */
export class RuleCounters {
  /** Requests that its `when` matched. */
  matched = 0;
  /** Faults that it made. */
  made = 0;
  /** Requests that it let through and that are not answered yet. */
  open = 0;
  /** The token bucket of its `rateLimit`: what it holds, and when that was counted. */
  #tokens = 0;
  #filledAt: number | undefined;

  /**
   * Takes one request from the bucket.
   * @param now milliseconds since the epoch
   * @returns milliseconds to wait until one fits; 0 when it did
   */
  take({ limit, per }: Pick<RateLimit, "limit" | "per">, now: number): number {
    // A clock that was turned back fills nothing, and must not hold the bucket empty until it has caught up.
    const elapsed = this.#filledAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(limit, this.#tokens + (elapsed * limit) / per);
    this.#filledAt = now;
    if (this.#tokens >= 1 - 1e-9) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return ((1 - this.#tokens) * per) / limit;
  }
}
