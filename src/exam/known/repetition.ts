import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import { type Answered, answeredBy, isSentAfter, onTheirWay, type Sent } from "./sending.js";

/**
 * A request that waits this long, in milliseconds, is given up if it is sent again on another connection. Two equal
 * requests within this time may be parallel ones.
 */
const patience = 1000;

/** What is remembered of an attempt at a request. */
export interface Tried extends Answered {
  readonly arrivedAt: number;
  /** Whether no answer was given. */
  readonly unanswered: boolean;
  readonly endedByClient: boolean;
}

/** What the judges remember of an attempt. */
export function triedBy(observed: ExchangeObservation, sent: Sent): Tried {
  const { arrivedAt, status, endedByClient } = observed;
  return { ...answeredBy(observed, sent), arrivedAt, unanswered: status === 0, endedByClient };
}

/**
 * Whether a client gave up an attempt when it sent the same request again. The sandbox may read the end of the attempt
 * later, or, over HTTP/2, not until the connection ends.
 */
function wasGivenUpFor(
  { arrivedAt, connection, stream }: Pick<ExchangeObservation, "arrivedAt" | "connection" | "stream">,
  attempt: Omit<Tried, keyof Answered> & Pick<Tried, "connection" | "stream" | "releasedAt">,
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

/** How many requests of a client are remembered, and how many newest exchanges of each. */
const mostRequests = 128;
const mostNewest = 4;

/** So long after two equal requests were open at once, it is not known which of them is repeated: in milliseconds. */
const contended = 1000;

type Seen = Pick<ExchangeObservation, "id" | "connection" | "stream" | "arrivedAt" | "releasedAt" | "body">;

interface Newest {
  readonly seen: readonly Seen[];
  /** Until when repetitions are not judged. */
  readonly until: number;
}

/** What is known about equal requests that were open at once. */
export interface Overlap {
  /** Whether equal requests were open at once within the last second: then it is not known which one is repeated. */
  readonly isContended: boolean;
  /** The exchange that repeats this one, which its client gave up, and which ended before it. */
  readonly repeatedBy: number | undefined;
}

/** Finds equal requests that were open at once: parallel ones, and those that were sent again while the first waits. */
export class Overlaps {
  private readonly newest = new Map<string, Newest>();

  /** @param key of the request: the same for equal ones */
  add(key: string, observed: ExchangeObservation): Overlap {
    const { id, connection, stream, arrivedAt, releasedAt, body, status, endedByClient } = observed;
    const { seen = [], until = Number.NEGATIVE_INFINITY } = this.newest.get(key) ?? {};
    const attempt = { connection, stream, arrivedAt, releasedAt, endedByClient, unanswered: status === 0 };
    let end = until;
    for (const other of seen) {
      if (other.body !== undefined && body !== undefined && other.body !== body) continue;
      if (wasGivenUpFor(other, attempt)) return { isContended: false, repeatedBy: other.id };
      const isParallel = other.releasedAt > arrivedAt && other.arrivedAt < releasedAt;
      if (isParallel) end = Math.max(end, Math.min(other.releasedAt, releasedAt) + contended);
    }
    // When a client gave up is not known.
    if (endedByClient) return { isContended: arrivedAt < until, repeatedBy: undefined };
    const newest = [...seen.slice(1 - mostNewest), { id, connection, stream, arrivedAt, releasedAt, body }];
    remember(this.newest, key, { seen: newest, until: end }, mostRequests);
    return { isContended: arrivedAt < end, repeatedBy: undefined };
  }

  clear(): void {
    this.newest.clear();
  }
}
