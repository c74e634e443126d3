import type { ExchangeObservation } from "./observation.js";
import { type Answered, isSentAfter, onTheirWay, type Sent } from "./sending.js";

/**
 * A request that waits this long, in milliseconds, is given up if it is sent again on another connection. Two equal
 * requests within this time may be parallel ones.
 */
const patience = 1000;

/** What is remembered of an attempt at a request. */
export interface Tried extends Answered {
  readonly stream: number | undefined;
  readonly arrivedAt: number;
  /** Whether no answer was given. */
  readonly unanswered: boolean;
  readonly endedByClient: boolean;
}

/**
 * Whether a client gave up an attempt when it sent the same request again. The sandbox may read the end of the attempt
 * later, or, over HTTP/2, not until the connection ends.
 */
export function wasGivenUpFor(
  { arrivedAt, connection, stream }: Pick<ExchangeObservation, "arrivedAt" | "connection" | "stream">,
  attempt: Omit<Tried, keyof Answered> & Pick<Tried, "connection" | "releasedAt">,
): boolean {
  const isElsewhere = connection !== attempt.connection || stream !== attempt.stream;
  if (!attempt.unanswered || !isElsewhere) return false;
  const waited = arrivedAt - attempt.arrivedAt;
  if (waited >= patience) return true;
  return attempt.endedByClient && waited >= onTheirWay && arrivedAt >= attempt.releasedAt - onTheirWay;
}

/**
 * Whether a request is a repetition of an attempt at the same request; undefined if the sandbox cannot know.
 *
 * The connection does not matter: a client that sends one request at a time repeats on any connection of its pool.
 */
export function isRepetition(request: ExchangeObservation, sent: Sent, attempt: Tried): boolean | undefined {
  const { arrivedAt, connection, stream, ordinal, begunAt } = request;
  if (wasGivenUpFor(request, attempt)) return true;
  if (connection === attempt.connection || stream !== undefined) return isSentAfter(request, sent, attempt);
  if (arrivedAt < attempt.releasedAt) return false;
  // A connection that is opened although that of the answer is idle may be for a request that was sent before.
  const isForOther = ordinal === 1 && (attempt.reusable || begunAt < attempt.releasedAt);
  return (sent.alone && !isForOther) || isSentAfter(request, sent, attempt);
}
