import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { systemClock } from "../sandbox/clock.js";
import { discardInput, lingerAndClose } from "../sandbox/connection/linger.js";
import { answerAndClose } from "../sandbox/connection/raw-answer.js";
import type { ErrorCode } from "../sandbox/errors.js";
import { errorBody, jsonType } from "./error.js";
import { ownTurn } from "./turns.js";

/** How long a client may continue to send after its last answer, in milliseconds. */
export const drainTimeoutMs = 5_000;

/** Requests that may wait (pipelining, RFC 9112 §9.3.2). With one more, the connection is closed after them. */
const mostWaiting = 100;

/**
 * The answers that one connection of the admin port owes. They are sent one at a time: each may be megabytes, and stays
 * in memory until the client takes it.
 */
export class AnswerQueue {
  readonly #owed = new Set<ServerResponse>();
  /**
   * Whether the connection ends after the pending answers: something arrived that is not HTTP, or too many requests.
   * What follows is ignored.
   */
  #isLast = false;

  /** @param listener answers a request */
  constructor(
    private readonly socket: Socket,
    private readonly listener: (outgoing: ServerResponse) => Promise<void>,
  ) {}

  /** Has a request answered when its turn comes. */
  add(outgoing: ServerResponse): void {
    if (this.#isLast) return;
    if (this.#owed.size > mostWaiting) {
      this.#isLast = true;
      discardInput(this.socket);
      return;
    }
    this.#owed.add(outgoing);
    outgoing.once("close", () => this.#goOn(outgoing));
    if (this.#owed.size === 1) void this.#serve(outgoing);
  }

  /**
   * Refuses data that is not a valid request, after the pending answers.
   * @param code the code of Node's error
   * @param isHead whether the data begins with HEAD
   */
  refuse(code: string, isHead = false): void {
    if (this.#isLast) return;
    this.#isLast = true;
    const [first] = this.#owed;
    if (first === undefined) this.#answer(code, isHead);
    // The body of the only request is broken, and nothing of its answer is sent.
    else if (this.#owed.size === 1 && !first.req.complete && !first.headersSent)
      this.#answer(code, first.req.method === "HEAD");
    // Data after the last request of a connection is not read (RFC 9112 §9.6).
    else if (code === "HPE_CLOSED_CONNECTION") return;
    // An answer that needs the rest of its request cannot be sent.
    else if ([...this.#owed].some(({ req, headersSent }) => !req.complete || headersSent)) this.socket.destroy();
  }

  /** Each request of all connections gets its own turn: hundreds may arrive at once, and some take milliseconds. */
  async #serve(outgoing: ServerResponse): Promise<void> {
    await ownTurn();
    const isBroken = !outgoing.req.complete && this.#isLast;
    if (!outgoing.destroyed && !isBroken) await this.listener(outgoing);
  }

  #goOn(answered: ServerResponse): void {
    this.#owed.delete(answered);
    const [next] = this.#owed;
    if (next !== undefined && this.socket.writable) void this.#serve(next);
    else if (this.#isLast) lingerAndClose(this.socket, drainTimeoutMs);
  }

  /** Node's own answer has no body. */
  #answer(code: string, isHead: boolean): void {
    const known = parseErrors[code] ?? (code.startsWith("HPE_") ? "BAD_REQUEST" : undefined);
    if (known === undefined) this.socket.destroy();
    else answerAndClose(this.socket, { ...errorBody(known), headers: jsonType }, systemClock, drainTimeoutMs, isHead);
  }
}

/** The error that the client gets, by the code that Node reports. */
const parseErrors: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  ERR_HTTP_REQUEST_TIMEOUT: "REQUEST_TIMEOUT",
};
