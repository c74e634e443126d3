import { minute, second } from "../text/duration.js";
import type { RateLimit } from "./rate-guard.js";

/** What one client may take of the server. Every waiting state ends by one of these; times in milliseconds. */
export interface Limits {
  /** From the TCP connection to the end of the TLS handshake. */
  readonly handshakeTimeoutMs: number;
  /** From the first byte of a request to the end of its headers (408 after that). */
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the end of its body (408 after that). */
  readonly requestTimeoutMs: number;
  /** How long a connection may stay open without a request. */
  readonly keepAliveTimeoutMs: number;
  /**
   * How long nothing may move on a connection while an answer is owed or on its way; then it is closed. Over HTTP/2, how long a stream may
   * take for an answer that is given as a whole.
   */
  readonly inactivityTimeoutMs: number;
  /** How often the two request time-outs are looked at, and whether a session of HTTP/2 has ended. */
  readonly checkingIntervalMs: number;
  /** Names and values of one request's headers and its target together (431 beyond). */
  readonly maxHeaderBytes: number;
  /** Headers of one request (431 beyond). Over HTTP/2, a stream with twice as many is reset without an answer. */
  readonly maxHeaders: number;
  /** Requests that a client may send behind one that is not answered yet; those beyond are dropped, and the connection is closed. */
  readonly maxWaitingRequests: number;
  /**
   * Requests that are being answered or wait, of all connections together; those beyond are dropped as well, but for the first of a
   * connection. Over HTTP/2, the streams beyond are refused.
   */
  readonly maxOpenRequests: number;
  /** Open TCP connections for each address; one more is closed without an answer. */
  readonly maxConnections: number;
  /** Streams of HTTP/2 that a client may have open on a connection. With one more, nghttp2 ends the connection. */
  readonly maxConcurrentStreams: number;
  /** The same as `maxHeaderBytes`, with 32 bytes for each header of HTTP/2 (RFC 9113 §10.5.1): beyond it, the stream is reset without an answer. */
  readonly maxHeaderListBytes: number;
  /** What nghttp2 may keep of a connection, in megabytes; a stream that would need more is refused. */
  readonly maxSessionMegabytes: number;
  /** Settings in one frame; a connection with more is closed. */
  readonly maxSettings: number;
  /** Streams that a client resets before they are answered; beyond it, the connection is closed. */
  readonly streamResets: RateLimit;
  /** Frames with settings or a ping; beyond it, the connection is closed. */
  readonly controlFrames: RateLimit;
  /** How long what a client still sends is read and thrown away, so that it gets to see the answer. */
  readonly drainTimeoutMs: number;
}

export const defaultLimits: Limits = {
  // A handshake on a slow machine under load takes a second; ten tell a stuck client from a slow one.
  handshakeTimeoutMs: 10 * second,
  headersTimeoutMs: 10 * second,
  // Forms are a few hundred bytes: only a deliberately slow sender needs half a minute.
  requestTimeoutMs: 30 * second,
  // Common connection pools drop an idle connection after a minute. A server that closes first races with the client's next request.
  keepAliveTimeoutMs: 65 * second,
  // Longer than a delay and a hang of a scenario, of two minutes each: what is left is a client that does not read its answer.
  inactivityTimeoutMs: 5 * minute,
  // Node's default of 30 s would make a time-out of 10 s last up to 40.
  checkingIntervalMs: second,
  // Node's own default. A bearer token and a cursor take about 2 KiB.
  maxHeaderBytes: 16 * 1024,
  // As Apache's HTTP server. Over HTTP/2, each takes about 350 bytes of memory, whatever it takes on the wire. Clients send about 20.
  maxHeaders: 100,
  // A load tool may send a hundred at once. Those of a few connections must not be all that are open.
  maxWaitingRequests: 250,
  // Each takes 70 KiB of headers at the worst, so all of them under 300 MiB.
  maxOpenRequests: 4_096,
  // The least that RFC 9113 §6.5.2 recommends, and what nginx and Go offer or nearly so.
  maxConcurrentStreams: 100,
  // Four times as much, so that a request that is somewhat too large gets its 431.
  maxHeaderListBytes: 64 * 1024,
  // Node's default. A hundred streams with headers of 16 KiB fit in.
  maxSessionMegabytes: 10,
  // RFC 9113 defines six.
  maxSettings: 32,
  // A client that gives up a hundred requests each second on one connection lasts for some seconds. nghttp2 itself ends at 1000 and 33.
  streamResets: { burst: 500, perSecond: 25 },
  // Clients ping every few seconds at most, or once for each answer to measure the way.
  controlFrames: { burst: 1_000, perSecond: 100 },
  // About 50 KiB each, so 200 MiB at the worst.
  maxConnections: 4_096,
  // Longer than a busy machine stops a client that is still sending. Nothing of it is kept.
  drainTimeoutMs: 5 * second,
};
