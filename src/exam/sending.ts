import { forgetOldest } from "../remember.js";
import type { ExchangeObservation } from "./observation.js";

/** Requests that are on their way on other connections when an answer is delivered get this much time to arrive, in milliseconds. */
export const onTheirWay = 100;

/** An answer that has left. */
export interface Answered {
  readonly id: number;
  readonly connection: number;
  /** Whether its connection carried a request before, and stayed open: a client that repeats the request alone uses that connection. */
  readonly reusable: boolean;
  readonly clock: string;
  readonly timeError: number;
  readonly releasedAt: number;
  readonly overAt: number;
}

/** What the judges remember of an answer. */
export function answeredBy(observed: ExchangeObservation): Answered {
  const { id, connection, ordinal, keptOpen, clock, timeError, releasedAt, overAt } = observed;
  return { id, connection, reusable: ordinal > 1 && keptOpen, clock, timeError, releasedAt, overAt };
}

type Timed = Pick<ExchangeObservation, "clock" | "timeError">;

/** By how much the times of two exchanges may be read apart, in milliseconds: those of one clock are exact. */
export function readApart(one: Timed, other: Timed): number {
  return one.clock === other.clock ? 0 : one.timeError + other.timeError;
}

/** When a request was sent, as far as the sandbox can know. */
export interface Sent {
  /** The earliest instant, in milliseconds on the monotonic clock. */
  readonly at: number;
  /** Whether the client was never seen to have two requests open at once. */
  readonly alone: boolean;
}

/** Whether a request was sent after an answer had left; undefined where nobody can know. The one rule of all judges. */
export function isSentAfter(request: ExchangeObservation, sent: Sent, answer: Answered): boolean | undefined {
  const { connection, stream, ordinal, arrivedAt } = request;
  if (arrivedAt < answer.releasedAt) return false;
  if (connection === answer.connection) return stream === undefined || sent.at >= answer.overAt || undefined;
  // A client that does one thing at a time, and opens a connection because the answer's one is gone, knows the answer.
  const isNext = sent.alone && ordinal === 1 && !answer.reusable;
  return sent.at >= (isNext ? answer.releasedAt : answer.overAt + onTheirWay) || undefined;
}

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
  /** Whether the client was never seen to have two requests open at once. */
  #isAlone = true;

  /** When a request was sent. To be called once for each exchange, in the order in which they are over. */
  sent({ connection, stream, ordinal, begunAt, arrivedAt, releasedAt, overAt }: ExchangeObservation): Sent {
    const isFirst = ordinal === 1;
    const before = this.#ended.get(connection);
    const isAhead = before === undefined || before > arrivedAt;
    if (stream !== undefined && before !== undefined && isAhead) this.#usesStreams = true;
    if (arrivedAt < this.#newestRelease) this.#isAlone = false;
    if ((isFirst ? begunAt : arrivedAt - onTheirWay) >= this.#newestRelease)
      this.#groupAt = isFirst ? begunAt : arrivedAt;
    this.#newestRelease = Math.max(this.#newestRelease, releasedAt);
    // A stream is over after its answer is released: what was read together with its request still finds it open.
    this.#ended.set(connection, stream === undefined ? releasedAt : overAt);
    forgetOldest(this.#ended, mostConnections);
    // On its connection, a request follows the answer to the one before, unless it was sent ahead (pipelining), or on another stream.
    const isIndependent = isAhead || (stream !== undefined && this.#usesStreams);
    const at = isIndependent ? this.#groupAt : Math.max(this.#groupAt, before);
    return { at, alone: this.#isAlone };
  }
}
