import { type ExchangeObservation, onTheirWay } from "./observation.js";

/**
 * For how many connections of a client it is remembered when the newest answer had left. About those that are forgotten, less is
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
  readonly #ended = new Map<number, number>();
  #newestRelease = 0;
  /** When the present group of requests side by side began. */
  #groupAt = 0;
  /** Whether the client was seen to have several streams of HTTP/2 open at once. */
  #usesStreams = false;

  /**
   * The earliest instant at which a request can have been sent, in milliseconds on the monotonic clock. To be called once for each
   * exchange, in the order in which they are over.
   */
  sentAt({ connection, stream, ordinal, begunAt, arrivedAt, releasedAt, overAt }: ExchangeObservation): number {
    const isFirst = ordinal === 1;
    const before = this.#ended.get(connection);
    const isAhead = before === undefined || before > arrivedAt;
    if (stream !== undefined && before !== undefined && isAhead) this.#usesStreams = true;
    if ((isFirst ? begunAt : arrivedAt - onTheirWay) >= this.#newestRelease)
      this.#groupAt = isFirst ? begunAt : arrivedAt;
    this.#newestRelease = Math.max(this.#newestRelease, releasedAt);
    // A stream is over after its answer is released: what was read together with its request still finds it open.
    this.#ended.set(connection, stream === undefined ? releasedAt : overAt);
    if (this.#ended.size > mostConnections) this.#forgetOldest();
    // On its connection, a request follows the answer to the one before, unless it was sent ahead (pipelining), or on another stream.
    const isIndependent = isAhead || (stream !== undefined && this.#usesStreams);
    return isIndependent ? this.#groupAt : Math.max(this.#groupAt, before);
  }

  #forgetOldest(): void {
    const oldest = this.#ended.keys().next();
    if (!oldest.done) this.#ended.delete(oldest.value);
  }
}
