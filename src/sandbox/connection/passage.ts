import type { AnswerEnder } from "./connection-facts.js";
import type { Http2ErrorCode } from "./http2-error.js";

/**
 * How a request and its answer went over a connection. Times are milliseconds on the monotonic clock of this process.
 */
export interface Passage {
  /** When the head of the request was read. */
  readonly arrivedAt: number;
  /**
   * When the whole answer was written to the socket, or the connection was broken on purpose; 0 if the client closed it
   * before.
   */
  readonly releasedAt: number;
  /** How many requests the connection has carried, this one included. */
  readonly ordinal: number;
  /**
   * Whether the connection stays open after the answer, or would have if the client had not requested to close it (RFC
   * 9112 §9.6).
   */
  readonly keptOpen: boolean;
  /**
   * Whether the connection was broken on purpose, by a fault of this answer or of another one on the same connection.
   */
  readonly isBroken: boolean;
  /** Whether GOAWAY excluded the stream of HTTP/2: it is not processed. */
  readonly isUnprocessed?: boolean | undefined;
  /**
   * How many bytes of the body were passed to the network, if it was not the whole answer; undefined if that is not
   * known.
   */
  readonly bodySent?: number | undefined;
  /** The code of the RST_STREAM that ended the stream of HTTP/2, whoever sent it. */
  readonly reset?: Http2ErrorCode | undefined;
  /** Who ended the answer, if it was not passed to the network as a whole; undefined if that is not known. */
  readonly endedBy?: AnswerEnder | undefined;
  /** When the client ended the answer, if it did. */
  readonly gaveUpAt?: number | undefined;
  /** When the answer began, if a fault sends it in parts. */
  readonly begunAt?: number | undefined;
  /** What a fault of this answer sent over HTTP/2: REFUSED_STREAM, or a GOAWAY after the answer. */
  readonly http2Fault?: "refused" | "goaway" | undefined;
}

/** The facts of a passage that is over. The journal keeps them, and nothing of the connection. */
export interface EndedPassage extends Omit<Passage, "bodySent" | "reset" | "begunAt" | "endedBy" | "gaveUpAt"> {
  /** When the exchange was over: not before `releasedAt`. */
  readonly overAt: number;
}

/**
 * Why a request that was read is not processed: its connection takes no further request, or, over HTTP/2, its stream was
 * reset first.
 */
export type UnprocessedReason = "connection-ended" | "stream-reset";

/** Notified once whether the whole answer was passed to the network. */
export interface DeliveryListener {
  closed(delivered: boolean, passage?: Passage): void;
  /**
   * The head of this answer is written. Called before `closed`.
   * @param headers as they are sent, names and values in turn
   */
  headed?(headers: readonly string[]): void;
  /** Another answer is given instead. Called before `closed`. */
  replaced?(): void;
}
