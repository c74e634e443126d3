import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Connection } from "./connection.js";

/** An answer that is to be spoilt on its way. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * Breaks a connection on purpose. Each method takes the place of the answer, and returns the marker that tells the adapter so.
 * Whatever the connection carried before has been answered: HTTP/1.1 answers leave in order.
 */
export class Wire {
  readonly #outgoing: ServerResponse;
  readonly #connection: Connection;

  constructor(outgoing: ServerResponse, connection: Connection) {
    this.#outgoing = outgoing;
    this.#connection = connection;
  }

  /** A TCP RST before any byte of the answer. */
  reset(): Response {
    this.#connection.rawSocket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }

  /** A close_notify and a FIN before any byte of the answer. */
  close(): Response {
    this.#connection.tlsSocket.end();
    return RESPONSE_ALREADY_SENT;
  }

  /** No answer until the client gives up; after `duration` milliseconds the connection is closed. */
  async hang(duration: number): Promise<Response> {
    await this.#clientGone(duration);
    return this.close();
  }

  /** Bytes inside the TLS stream that are not HTTP, then a FIN. */
  garbage(bytes: Uint8Array): Response {
    this.#connection.tlsSocket.end(bytes);
    return RESPONSE_ALREADY_SENT;
  }

  /** The announced length and half the body, then a RST. */
  async truncate(answer: WireAnswer): Promise<Response> {
    this.#writeHead(answer);
    this.#outgoing.flushHeaders();
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
    if (half.length > 0) await new Promise((resolve) => this.#outgoing.write(half, resolve));
    await this.#clientGone(pauseBeforeReset);
    return this.reset();
  }

  /** The whole answer, its body spread over `duration` milliseconds. */
  async drip(answer: WireAnswer, duration: number): Promise<Response> {
    this.#writeHead(answer);
    this.#outgoing.flushHeaders();
    const { body } = answer;
    const pieces = Math.max(1, Math.min(body.length, Math.ceil(duration / shortestPause)));
    const startedAt = performance.now();
    for (let piece = 0; piece < pieces; piece++) {
      // Measured from the start, so that late timers do not add up.
      await this.#clientGone(startedAt + (duration * (piece + 1)) / pieces - performance.now());
      if (this.#outgoing.destroyed) return RESPONSE_ALREADY_SENT;
      this.#outgoing.write(body.subarray(at(piece, pieces, body), at(piece + 1, pieces, body)));
    }
    this.#outgoing.end();
    return RESPONSE_ALREADY_SENT;
  }

  #writeHead({ status, headers, body }: WireAnswer): void {
    this.#outgoing.writeHead(status, { ...headers, "Content-Length": body.length });
  }

  /** Resolves when the connection is gone, or after so many milliseconds. */
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

/**
 * How long a client has to read what was sent before a RST, in milliseconds. A RST straight after a write would overtake it: the
 * kernels throw away what they have not sent, or not handed over. And who finds both at once (libuv) takes the RST for a FIN.
 */
const pauseBeforeReset = 50;

/** Timers are not more exact than this, in milliseconds. */
const shortestPause = 10;

function at(piece: number, pieces: number, body: Buffer): number {
  return Math.floor((body.length * piece) / pieces);
}
