import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import { closeWithin, lingerAndClose } from "../connection/linger.js";
import type { ApplicationResponse } from "./application-response.js";
import type { OpenConnection } from "./connection.js";

/** An answer that is to be corrupted on its way. */
export interface FaultyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Breaks a connection on purpose. Each method is called instead of an answer, and returns the marker that tells the adapter so.
 *
 * Earlier requests of the connection are answered by then; what the client sent behind this one is dropped. A connection is never
 * broken during a read: Node's parser would continue without the connection's state, and end the process (nodejs/node 62095).
 */
export class ConnectionFaults {
  readonly #outgoing: ApplicationResponse;
  readonly #connection: OpenConnection;
  readonly #drainTimeoutMs: number;

  /** @param drainTimeoutMs how long a client may go on sending after the end of the connection, in milliseconds */
  constructor(outgoing: ApplicationResponse, connection: OpenConnection, drainTimeoutMs: number) {
    this.#outgoing = outgoing;
    this.#connection = connection;
    this.#drainTimeoutMs = drainTimeoutMs;
  }

  /** A TCP RST before any byte of the answer. */
  reset(): Response {
    const reset = () => {
      this.#outgoing.breakOff();
      resetConnection(this.#connection, this.#drainTimeoutMs);
    };
    return this.#break(() => setTimeout(() => setImmediate(reset), pauseBeforeResetMs));
  }

  /** A close_notify and a FIN before any byte of the answer. */
  close(): Response {
    return this.#break(() => this.#end());
  }

  /** No answer until the client gives up; after `duration` milliseconds the connection is closed. */
  async hang(duration: number): Promise<Response> {
    await this.#clientGone(duration);
    return this.close();
  }

  /** Bytes inside the TLS stream that are not HTTP, then a FIN. */
  garbage(bytes: Uint8Array): Response {
    const { tlsSocket } = this.#connection;
    return this.#break(() => {
      if (tlsSocket.writable) tlsSocket.write(bytes);
      this.#end();
    });
  }

  /**
   * The announced length and a part of the body, then a RST.
   * @param after how many bytes of the body are sent, at most all but one; half of them where it is not given
   */
  async truncate(answer: FaultyResponse, after = Math.floor(answer.body.length / 2)): Promise<Response> {
    this.#writeHead(answer);
    this.#outgoing.flushHeaders();
    const part = answer.body.subarray(0, Math.min(after, Math.max(0, answer.body.length - 1)));
    if (part.length > 0) await new Promise((resolve) => this.#outgoing.write(part, resolve));
    return this.reset();
  }

  /** The whole answer, its body spread over `duration` milliseconds. */
  async drip(answer: FaultyResponse, duration: number): Promise<Response> {
    this.#writeHead(answer);
    this.#outgoing.flushHeaders();
    const { body } = answer;
    const pieces = Math.max(1, Math.min(body.length, Math.ceil(duration / shortestPauseMs)));
    const startOf = (piece: number) => Math.floor((body.length * piece) / pieces);
    const startedAt = performance.now();
    for (let piece = 0; piece < pieces; piece++) {
      // Measured from the start, so that late timers do not add up.
      await this.#clientGone(startedAt + (duration * (piece + 1)) / pieces - performance.now());
      if (this.#outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      this.#outgoing.write(body.subarray(startOf(piece), startOf(piece + 1)));
    }
    this.#outgoing.end();
    return RESPONSE_ALREADY_SENT;
  }

  /** The nearest that HTTP/1.1 has: a client repeats what was lost with a connection that the server closed without a byte. */
  refuseStream(): Response {
    return this.close();
  }

  resetStream(_code: Http2ErrorCode): Response {
    return this.reset();
  }

  /** RFC 9112 §9.6: the answer is the last one of its connection. */
  goAway(_code: Http2ErrorCode): void {
    this.#connection.lastTaken = true;
    this.#outgoing.shouldKeepAlive = false;
  }

  goAwayBefore(_code: Http2ErrorCode): Response {
    return this.close();
  }

  /** The answer as it is: the adapter would add a `Content-Type`. */
  send(answer: FaultyResponse): Response {
    this.#writeHead(answer);
    this.#outgoing.end(answer.body);
    return RESPONSE_ALREADY_SENT;
  }

  #break(action: () => unknown): Response {
    this.#connection.lastTaken = true;
    setImmediate(action);
    return RESPONSE_ALREADY_SENT;
  }

  #end(): void {
    this.#outgoing.breakOff();
    lingerAndClose(this.#connection.tlsSocket, this.#drainTimeoutMs);
  }

  /** RFC 9110 §8.6: an answer with 204 has no length, and that of a 304 would be the length of another answer. */
  #writeHead({ status, headers, body }: FaultyResponse): void {
    const hasLength = status !== 204 && status !== 304;
    this.#outgoing.writeHead(status, hasLength ? { ...headers, "Content-Length": body.length } : headers);
  }

  /** Resolves when the connection is gone, or after this time in milliseconds. */
  #clientGone(longest: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#outgoing.off("close", done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, longest));
      this.#outgoing.once("close", done);
      if (this.#outgoing.destroyed) done();
    });
  }
}

/** Sends a RST. While a FIN is on its way, the system refuses that, and Node would lose the descriptor. */
function resetConnection({ tlsSocket, rawSocket }: OpenConnection, timeoutMs: number): void {
  if (rawSocket.destroyed) return;
  if (!tlsSocket.writableEnded || tlsSocket.writableFinished) {
    rawSocket.resetAndDestroy();
    return;
  }
  // A client that closes its side first has Node close the other.
  tlsSocket.once("finish", () =>
    setImmediate(() => {
      if (!rawSocket.destroyed) rawSocket.resetAndDestroy();
    }),
  );
  closeWithin(rawSocket, timeoutMs);
}

/**
 * How long a client has to read what was sent before a RST, in milliseconds. After a RST the kernels drop what they have not sent or
 * handed over. A client that finds data and RST at once (libuv) takes the RST for a FIN.
 */
const pauseBeforeResetMs = 50;

/** Timers are not more exact than this, in milliseconds. */
const shortestPauseMs = 10;
