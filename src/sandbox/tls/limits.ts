import { minute, second } from "../../base/text/duration.js";

/** How much of the server one client may use. Every waiting state is ended by one of these; times in milliseconds. */
export type Limits = Readonly<typeof defaultLimits>;

/**
 * A connection that ends sooner after its last answer counts as closed: a client can hardly use it again, and
 * `Keep-Alive` says 0 seconds.
 */
export const shortestIdleMs = second;

export const defaultLimits = {
  /** From the TCP connection to the end of the TLS handshake. */
  // A handshake on a slow machine under load takes a second; after ten, the client is stuck and not only slow.
  handshakeTimeoutMs: 10 * second,

  /** From the first byte of a request to the end of its headers (408 after that). */
  headersTimeoutMs: 10 * second,

  /** From the first byte of a request to the end of its body (408 after that). */
  // Forms are a few hundred bytes: only a deliberately slow sender needs half a minute.
  requestTimeoutMs: 30 * second,

  /** How long a connection may stay open without a request, once it has carried one, or the settings of HTTP/2. */
  // Common connection pools drop an idle connection after a minute. A server that closes first races with the client's
  // next request.
  keepAliveTimeoutMs: 65 * second,

  /** Whether clients are told: by `Keep-Alive` over HTTP/1.1, by GOAWAY over HTTP/2. */
  announcesIdleEnd: true,

  /**
   * How long a connection may be inactive while an answer is owed or on its way; then it is closed. Over HTTP/2, how
   * long a stream may take for an answer that is given as a whole.
   */
  // Longer than a delay and a hang of a scenario, of two minutes each: only a client that does not read its answer
  // takes longer.
  inactivityTimeoutMs: 5 * minute,

  /** How often the server checks the two request timeouts, and whether a session of HTTP/2 has ended. */
  // Node's default of 30 s would make a timeout of 10 s last up to 40.
  checkingIntervalMs: second,

  /** Names and values of one request's headers and its target together (431 above that). */
  // Node's own default. A bearer token and a cursor take about 2 KiB.
  maxHeaderBytes: 16 * 1024,

  /** Headers of one request (431 above that). Over HTTP/2, a stream with twice as many is reset without an answer. */
  // As in Apache's HTTP server. Over HTTP/2, each takes about 350 bytes of memory, whatever its size on the wire.
  // Clients send about 20.
  maxHeaders: 100,

  /** Streams of HTTP/2 that a client may have open on a connection. With one more, nghttp2 ends the connection. */
  // The minimum that RFC 9113 §6.5.2 recommends. nginx and Go offer about as many.
  maxConcurrentStreams: 100,

  /**
   * The same as `maxHeaderBytes`, with 32 bytes for each header of HTTP/2 (RFC 9113 §10.5.1): above it, the stream is
   * reset without an answer.
   */
  // Four times as much, so that a request that is slightly too large gets its 431.
  maxHeaderListBytes: 64 * 1024,

  /** What nghttp2 may keep of a connection, in megabytes; a stream that would need more is refused. */
  // Node's default. It has room for a hundred streams with headers of 16 KiB.
  maxSessionMegabytes: 10,

  /** Settings in one frame; a connection with more is closed. */
  // RFC 9113 defines six.
  maxSettings: 32,

  /** Open TCP connections of all ports together; one more is closed without an answer. */
  // About 50 KiB each, so at most 200 MiB.
  maxConnections: 4_096,

  /** How long the server reads and discards what a client still sends, so that the client can read the answer. */
  // Longer than a busy machine delays a client that is still sending. The data is not kept.
  drainTimeoutMs: 5 * second,
};
