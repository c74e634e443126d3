/** A token bucket: it holds `limit` requests, and fills up again within `per` milliseconds. */
interface Bucket {
  readonly limit: number;
  readonly per: number;
}

/** Where a fault is counted. Counters of this process answer at once; counters that replicas share return a promise. */
export interface FaultCounter {
  /**
   * Takes one request from the bucket of a rule.
   * @param now milliseconds since the epoch
   * @returns milliseconds to wait until one fits; 0 if it fits now
   */
  take(bucket: Bucket, now: number): number | Promise<number>;
  /**
   * Counts a request as open.
   * @returns whether it was let through: fewer than the limit are open
   */
  enter(limit: number): boolean | Promise<boolean>;
  /** The answer to a request that was let through was sent. */
  leave(): void;
  /** A fault did not act, so it does not count against a limit. */
  giveBack(): void | Promise<void>;
}

/** How often a rule matched a request, and on how many of these its fault acted. */
export interface RuleCount {
  readonly name: string;
  readonly matched: number;
  readonly acted: number;
}

/** How far a rule has come, for one client or for all clients together. */
export class RuleCounters implements FaultCounter {
  /** Whether it has begun, if it begins with a certain request. */
  begun = false;
  /** Requests that its `when` matched, since it has begun. */
  matched = 0;
  /** Faults that it made. */
  made = 0;
  /** Requests that it let through and that are not answered yet. */
  open = 0;
  /** What counts the same for all clients together, if this is for one client. */
  total: RuleCounters | undefined;
  /** Its token bucket: what it holds, and when that was computed. */
  #tokens = 0;
  #filledAt: number | undefined;

  take({ limit, per }: Bucket, now: number): number {
    // A clock that was turned back adds nothing, and must not keep the bucket empty until it has caught up.
    const elapsed = this.#filledAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, now - this.#filledAt);
    this.#tokens = Math.min(limit, this.#tokens + (elapsed * limit) / per);
    this.#filledAt = now;
    if (this.#tokens >= 1 - 1e-9) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return ((1 - this.#tokens) * per) / limit;
  }

  enter(limit: number): boolean {
    if (this.open >= limit) return false;
    this.open += 1;
    return true;
  }

  leave(): void {
    this.open -= 1;
  }

  giveBack(): void {
    this.made -= 1;
    this.total?.giveBack();
  }
}
