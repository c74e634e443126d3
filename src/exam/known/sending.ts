import { forgetOldest } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";

/**
 * Requests that are in flight on other connections when an answer is delivered get this much time to arrive, in
 * milliseconds.
 */
export const onTheirWay = 100;

/** An answer that was sent. */
export interface Answered {
  readonly id: number;
  readonly connection: number;
  /**
   * Whether its connection carried a request before, and stayed open: a client that repeats only this request uses that
   * connection.
   */
  readonly reusable: boolean;
  readonly stream: number | undefined;
  /** As in `Sent`. */
  readonly notBefore: number;
  readonly releasedAt: number;
  readonly overAt: number;
}

/** What the judges remember of an answer. */
export function answeredBy(observed: ExchangeObservation, sent: Sent): Answered {
  const { id, connection, stream, ordinal, keptOpen, releasedAt, overAt } = observed;
  const reusable = ordinal > 1 && keptOpen;
  return { id, connection, stream, reusable, notBefore: sent.notBefore, releasedAt, overAt };
}

/** When a request was sent, as far as the sandbox can know. */
export interface Sent {
  /** The likely instant, or an earlier one, in milliseconds on the monotonic clock. */
  readonly at: number;
  /**
   * It was surely not sent before: the previous answer of its connection, or the beginning of the connection. On a busy
   * machine it may have been read much later than it was sent.
   */
  readonly notBefore: number;
  /** Whether the client was never seen to have two requests open at once, or to open a connection for a second one. */
  readonly alone: boolean;
}

/** Whether a request was sent after an answer; undefined if the sandbox cannot know. All judges use this rule. */
export function isSentAfter(request: ExchangeObservation, sent: Sent, answer: Answered): boolean | undefined {
  const { connection, stream, ordinal, arrivedAt } = request;
  if (arrivedAt < answer.releasedAt) return false;
  if (connection === answer.connection) return stream === undefined || sent.at >= answer.overAt || undefined;
  // A client that sends one request at a time, and opens a connection because that of the answer is closed, knows the
  // answer.
  const isNext = sent.alone && ordinal === 1 && !answer.reusable;
  return sent.at >= (isNext ? answer.releasedAt : answer.overAt + onTheirWay) || undefined;
}

/**
 * For how many connections of a client the time of the newest answer is remembered. Forgetting one favours the client,
 * because less is known.
 */
const mostConnections = 64;

/**
 * Estimates when the requests of a client were sent.
 *
 * Parallel requests of a client are read one after another, and a busy sandbox accepts connections late: the last of
 * several requests may arrive long after the first one was answered, although the client did not know that answer.
 */
export class Sending {
  private readonly ended = new Map<number, number>();
  private newestRelease = 0;
  /** When the present group of parallel requests began. */
  private groupAt = 0;
  /** Whether the client was seen to have several streams of HTTP/2 open at once. */
  private usesStreams = false;
  /** Whether the client was never seen to have two requests open at once. */
  alone = true;

  /** When a request was sent. Must be called once for each exchange, in the order in which they end. */
  sent(observed: ExchangeObservation): Sent {
    const { connection, stream, ordinal, begunAt, arrivedAt, releasedAt, overAt, endedByClient } = observed;
    const isFirst = ordinal === 1;
    const before = this.ended.get(connection);
    const isAhead = before === undefined || before > arrivedAt;
    if (stream !== undefined && before !== undefined && isAhead) this.usesStreams = true;
    // A pool opens another connection while a request is open.
    if (!endedByClient && (isFirst ? begunAt : arrivedAt) < this.newestRelease) this.alone = false;
    if ((isFirst ? begunAt : arrivedAt - onTheirWay) >= this.newestRelease)
      this.groupAt = isFirst ? begunAt : arrivedAt;
    // When a client gave up is not known: the close of its connection may be read after the next request.
    if (!endedByClient) this.newestRelease = Math.max(this.newestRelease, releasedAt);
    // A stream ends after its answer is released: for a request that was read together with its request, it was still
    // open.
    this.ended.set(connection, stream === undefined ? releasedAt : overAt);
    forgetOldest(this.ended, mostConnections);
    // On its connection, a request follows the answer to the previous one, unless it was sent before that answer
    // (pipelining) or on another stream.
    const isIndependent = isAhead || (stream !== undefined && this.usesStreams);
    const at = isIndependent ? this.groupAt : Math.max(this.groupAt, before);
    // Of a connection whose beginning was not seen, it is not known whether it was opened for a parallel request.
    return { at, notBefore: isAhead ? begunAt : before, alone: this.alone && (isFirst || before !== undefined) };
  }
}
