import { type ExchangeObservation, onTheirWay } from "./observation.js";

/**
 * Of so many connections of a client it is remembered when the newest answer was handed over. About those that are forgotten, less is
 * known, which favours the client.
 */
const mostConnections = 64;

/**
 * Estimates when the requests of a client were sent.
 *
 * What a client sends side by side is read one after another, and a sandbox that is busy accepts connections late: the last of several
 * requests may arrive long after the first one was answered, although the client did not know that answer.
 */
export class Sending {
  readonly #released = new Map<number, number>();
  #newestRelease = 0;
  /** When the present group of requests side by side began. */
  #groupAt = 0;

  /**
   * The earliest instant at which a request can have been sent, in milliseconds on the monotonic clock. To be called once for each
   * exchange, in the order in which they are over.
   */
  sentAt({ connection, ordinal, begunAt, arrivedAt, releasedAt }: ExchangeObservation): number {
    const isFirst = ordinal === 1;
    const before = this.#released.get(connection);
    if ((isFirst ? begunAt : arrivedAt - onTheirWay) >= this.#newestRelease)
      this.#groupAt = isFirst ? begunAt : arrivedAt;
    this.#newestRelease = Math.max(this.#newestRelease, releasedAt);
    this.#released.set(connection, releasedAt);
    if (this.#released.size > mostConnections) this.#forgetOldest();
    // On its connection, a request follows the answer to the one before, unless it was sent ahead (pipelining).
    return before === undefined || before > arrivedAt ? this.#groupAt : Math.max(this.#groupAt, before);
  }

  #forgetOldest(): void {
    const oldest = this.#released.keys().next();
    if (!oldest.done) this.#released.delete(oldest.value);
  }
}
