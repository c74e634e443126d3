/** How often something may happen on a connection. */
interface RateLimit {
  /** How often at once. */
  readonly burst: number;
  /** How often each second after that. */
  readonly perSecond: number;
}

/** Counts what happens on a connection against a limit. */
export class RateGuard {
  readonly #limit: RateLimit;
  #left: number;
  #at: number;

  /** @param now in milliseconds on the monotonic clock */
  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#left = limit.burst;
    this.#at = now;
  }

  /** Counts one more. @returns whether it is within the limit */
  allows(now: number): boolean {
    const { burst, perSecond } = this.#limit;
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
