import type { ExchangeObservation } from "../observation.js";
import { type Answered, isSentAfter, type Sent } from "./sending.js";

/** What a client sent after a refusal that it should have known. */
export interface Sequel {
  readonly answer: Answered;
  /** Requests afterwards that were refused as well. */
  readonly later: number;
  /** The last request afterwards, as long as nothing proves that the client knew. */
  readonly doubtful: number | undefined;
  /** Whether one came afterwards on the same connection of HTTP/2: it may have crossed the answer. */
  readonly hasCrossed: boolean;
}

export function sequelOf(answer: Answered): Sequel {
  return { answer, later: 0, doubtful: undefined, hasCrossed: false };
}

/**
 * Adds a request that a client should not have sent after a refusal. Over HTTP/2, the first one on the connection says
 * nothing, whenever it comes.
 */
export function sequelWith(before: Sequel, observed: ExchangeObservation, sent: Sent): Sequel {
  const { id, connection, stream, arrivedAt, status } = observed;
  const { answer } = before;
  const isSameStream = stream !== undefined && connection === answer.connection;
  const comesAfter = arrivedAt >= answer.releasedAt;
  const isAfter = isSameStream ? comesAfter && before.hasCrossed : isSentAfter(observed, sent, answer) === true;
  return {
    answer,
    // The client may have given up the first refusal. It has not given up one after the other.
    later: before.later + (isAfter && status === 401 ? 1 : 0),
    doubtful: isAfter ? id : before.doubtful,
    hasCrossed: before.hasCrossed || (isSameStream && comesAfter),
  };
}
