import { minute, second } from "../text/duration.js";

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
  /** How long nothing may move on a connection while an answer is owed or on its way; then it is closed. */
  readonly inactivityTimeoutMs: number;
  /** How often the two request time-outs are looked at. */
  readonly checkingIntervalMs: number;
  /** Names and values of one request's headers and its target together (431 beyond). */
  readonly maxHeaderBytes: number;
  /** Requests that a client may send behind one that is not answered yet; those beyond are dropped, and the connection is closed. */
  readonly maxWaitingRequests: number;
  /** Open TCP connections for each address; one more is closed without an answer. */
  readonly maxConnections: number;
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
  // Longer than any delay of a scenario, which is two minutes at most: what is left is a client that does not read its answer.
  inactivityTimeoutMs: 3 * minute,
  // Node's default of 30 s would make a time-out of 10 s last up to 40.
  checkingIntervalMs: second,
  // Node's own default. A bearer token and a cursor take about 2 KiB.
  maxHeaderBytes: 16 * 1024,
  // A load tool may send hundreds at once. Each holds a few KiB, and 16 KiB of headers at most.
  maxWaitingRequests: 1_000,
  // About 50 KiB each, so 200 MiB at the worst.
  maxConnections: 4_096,
  // On loopback that is about a gigabyte. Nothing of it is kept.
  drainTimeoutMs: 2 * second,
};
