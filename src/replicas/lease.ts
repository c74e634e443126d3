/** How long a lease is valid, in milliseconds. A writer waits this long for a replica that does not answer. */
export const leaseDuration = 2000;

/** How often a lease is renewed, in milliseconds. */
export const renewalInterval = 500;

/** Whether one position in a stream of Redis, milliseconds and a number, is before another one. */
export function isBefore(one: string, other: string): boolean {
  const [a = 0, b = 0] = one.split("-").map(Number);
  const [c = 0, d = 0] = other.split("-").map(Number);
  return a === c ? b < d : a < c;
}

/**
 * Whether a replica may answer. Its lease begins when the replica requested it, on its own monotonic clock. So it ends
 * here before it ends in Redis, where writers check it. A process that was paused finds that its lease has ended when
 * it continues.
 */
export class Lease {
  readonly #now: () => number;
  #goodUntil = Number.NEGATIVE_INFINITY;
  /**
   * A renewal that is valid only after everything up to a position is applied: others did not wait for this replica
   * meanwhile.
   */
  #pending: { readonly until: number; readonly head: string } | undefined;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get isGood(): boolean {
    return this.#now() < this.#goodUntil;
  }

  /**
   * Redis has renewed the lease.
   * @param askedAt when the renewal was requested
   * @param head the last position of the log
   */
  renewed(askedAt: number, head: string, applied: string): void {
    const until = askedAt + leaseDuration;
    if (this.isGood) this.#goodUntil = until;
    else {
      this.#pending = { until, head };
      this.applied(applied);
    }
  }

  /** Everything up to a position is applied. */
  applied(position: string): void {
    if (this.#pending === undefined || isBefore(position, this.#pending.head)) return;
    this.#goodUntil = this.#pending.until;
    this.#pending = undefined;
  }

  /** The connection or the state is lost. */
  end(): void {
    this.#goodUntil = Number.NEGATIVE_INFINITY;
    this.#pending = undefined;
  }
}
