import type { Socket } from "node:net";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { afterRead } from "../connection/after-read.js";
import type { FaultyResponse } from "../connection/faulty-response.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import { closeWithin } from "../connection/linger.js";
import type { OpenConnection } from "./connection.js";
import type { Outgoing } from "./outgoing.js";

/**
 * Corrupts an answer, or breaks its connection, on purpose. Each method is called instead of an answer, and returns the marker by which
 * the adapter knows that. What is the same for each version of HTTP is here.
 */
export abstract class WireFaults<Answer extends Outgoing> {
  constructor(
    protected readonly outgoing: Answer,
    protected readonly connection: OpenConnection,
    /** How long a client may go on sending after the end of the connection, in milliseconds. */
    protected readonly drainTimeoutMs: number,
  ) {}

  /** A TCP RST before any byte of the answer. */
  abstract reset(): Response;

  /** A close_notify and a FIN before any byte of the answer. */
  abstract close(): Response;

  /** Bytes inside the TLS stream that are not HTTP, then a FIN. */
  abstract garbage(bytes: Uint8Array): Response;

  /** Ends the request as not processed: the client may send it again (RFC 9113 §8.7). */
  abstract refuseStream(): Response;

  /** Ends the request with an error. */
  abstract resetStream(code: Http2ErrorCode): Response;

  /** Announces that the connection accepts no further request. Open requests are answered. */
  abstract goAway(code: Http2ErrorCode): void;

  /** Announces that this request, and those after it, are not processed. */
  abstract goAwayBefore(code: Http2ErrorCode): Response;

  /** Ends the request without an answer, once the client has waited long enough. */
  protected abstract endUnanswered(): Response;

  /** Breaks off an answer that has begun. */
  protected abstract cut(): Response;

  /** No answer until the client gives up; after `duration` milliseconds the wait ends without one. */
  async hang(duration: number): Promise<Response> {
    this.outgoing.isWithheld = true;
    await this.#clientGone(duration);
    return this.endUnanswered();
  }

  /**
   * The announced length and a part of the body, then the end.
   * @param after how many bytes of the body are sent, at most all but one; half of them if it is not given
   */
  async truncate(answer: FaultyResponse, after = Math.floor(answer.body.length / 2)): Promise<Response> {
    this.#writeHead(answer);
    this.outgoing.flushHeaders();
    const part = answer.body.subarray(0, Math.min(after, Math.max(0, answer.body.length - 1)));
    if (part.length > 0) await new Promise<void>((resolve) => this.outgoing.write(part, () => resolve()));
    return this.cut();
  }

  /** The whole answer, its body spread over `duration` milliseconds. */
  async drip(answer: FaultyResponse, duration: number): Promise<Response> {
    this.#writeHead(answer);
    this.outgoing.flushHeaders();
    const { body } = answer;
    const pieces = Math.max(1, Math.min(body.length, Math.ceil(duration / shortestPauseMs)));
    const startOf = (piece: number) => Math.floor((body.length * piece) / pieces);
    const startedAt = performance.now();
    for (let piece = 0; piece < pieces; piece++) {
      // Measured from the start, so that late timers do not add up.
      await this.#clientGone(startedAt + (duration * (piece + 1)) / pieces - performance.now());
      if (this.outgoing.isGone) return RESPONSE_ALREADY_SENT;
      this.outgoing.write(body.subarray(startOf(piece), startOf(piece + 1)));
    }
    this.outgoing.end();
    return RESPONSE_ALREADY_SENT;
  }

  /** The answer as it is: the adapter would add a `Content-Type`. */
  send(answer: FaultyResponse): Response {
    this.#writeHead(answer);
    this.outgoing.end(answer.body);
    return RESPONSE_ALREADY_SENT;
  }

  /** Breaks the connection. */
  protected breakConnection(action: () => unknown): Response {
    this.outgoing.isWithheld = true;
    this.connection.lastTaken = true;
    afterRead(action);
    return RESPONSE_ALREADY_SENT;
  }

  /** RFC 9110 §8.6: an answer with 204 has no length, and that of a 304 would be the length of another answer. */
  #writeHead({ status, headers, body }: FaultyResponse): void {
    const hasLength = status !== 204 && status !== 304;
    this.outgoing.writeHead(status, hasLength ? { ...headers, "Content-Length": body.length } : { ...headers });
  }

  /** Resolves when the client is gone, or after this time in milliseconds. */
  #clientGone(longest: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.outgoing.off("close", done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, longest));
      this.outgoing.once("close", done);
      if (this.outgoing.isGone) done();
    });
  }
}

/** Calls back when a client has had time to read what was sent, and no read is under way. */
export function beforeReset(action: () => void): void {
  setTimeout(() => afterRead(action), pauseBeforeResetMs);
}

/** Sends a RST. While a FIN is on its way, the system refuses that, and Node would lose the descriptor. */
export function resetConnection(
  { tlsSocket, rawSocket }: { readonly tlsSocket: Socket; readonly rawSocket: Socket },
  timeoutMs: number,
): void {
  if (rawSocket.destroyed) return;
  const reset = () => {
    // If a client closes its side first, Node closes the other.
    if (!rawSocket.destroyed) rawSocket.resetAndDestroy();
  };
  if (tlsSocket.writableEnded && !tlsSocket.writableFinished) {
    tlsSocket.once("finish", () => afterRead(reset));
    closeWithin(rawSocket, timeoutMs);
  } else reset();
}

/**
 * How long a client has to read what was sent before a RST, in milliseconds. After a RST the kernels drop what they have not sent or
 * delivered. A client that gets data and RST at once (libuv) treats the RST as a FIN.
 */
const pauseBeforeResetMs = 50;

/** Timers are not more exact than this, in milliseconds. */
const shortestPauseMs = 10;
