import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import type { DeliveryListener } from "../connection/passage.js";
import type { ProtocolAnswer } from "../connection/raw-answer.js";
import type { Outgoing } from "./outgoing.js";
import type { RequestProblem } from "./protocol-problem.js";

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Callback = (error: Error | null | undefined) => void;

/**
 * An answer that the server can replace. What the application writes after that is dropped: with Node's class it would
 * be a write after the end, which ends the process. The adapter would also send the client the message of an error
 * about a forbidden status or header.
 */
export class Http1Response extends ServerResponse<IncomingMessage> implements Outgoing {
  /** Set by the server as soon as it has read the head of the request. */
  arrivedAt = 0;
  begunAt: number | undefined = undefined;
  releasedAt = 0;
  /** Set when the request's turn has come. */
  ordinal = 0;
  /** What is known to be wrong with the request before its turn. */
  problem: RequestProblem | undefined = undefined;
  /** Notified when the answer has left, or the connection is gone. */
  deliveryListener: DeliveryListener | undefined = undefined;
  /** Answers instead of an application that gave a status or a header that HTTP forbids. */
  onUnwritable: ((outgoing: Http1Response, cause: unknown) => void) | undefined = undefined;
  partsSent: number | undefined = undefined;
  isBroken = false;
  isWithheld = false;
  isReplaced = false;
  /** Whether what the application still writes is dropped. */
  #dropsWrites = false;
  #isRaw = false;

  /**
   * Gives this answer, as the last one of the connection, instead of the application's. Only while no headers are sent.
   */
  replace(answer: ProtocolAnswer): void {
    this.isReplaced = true;
    this.#dropsWrites = true;
    this.deliveryListener?.replaced?.();
    this.deliveryListener?.closed(false);
    this.deliveryListener = answer.delivery;
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = "";
    this.shouldKeepAlive = false;
    super.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
    this.#release();
    super.end(Buffer.from(answer.body));
  }

  breakOff(): void {
    this.isBroken = true;
    this.#release();
    this.deliveryListener?.closed(false, this);
    this.deliveryListener = undefined;
  }

  /** Ends an answer that was written without this object. It is the last one of its connection. */
  settle(isDelivered: boolean): void {
    this.#isRaw = true;
    this.shouldKeepAlive = false;
    this.#release();
    this.deliveryListener?.closed(isDelivered, this);
    this.deliveryListener = undefined;
  }

  #release(): void {
    this.releasedAt = monotonicNow();
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.#dropsWrites) return this;
    if (this.writableEnded) return this.#answerAgain();
    const given = typeof reason === "object" ? reason : headers;
    if (asksForClose(given)) this.shouldKeepAlive = false;
    try {
      super.writeHead(status, reason as string, headers);
      // Node would send it in UTF-8 together with a text, and in Latin-1 together with bytes.
      if (isBeyondAscii(given)) super.write("", "latin1");
      return this;
    } catch (cause) {
      if (this.headersSent) return this.#answerAgain();
      this.onUnwritable?.(this, cause);
      return this;
    }
  }

  /** The application answered a second time. Only the end of the connection can show the client that. */
  #answerAgain(): this {
    this.#dropsWrites = true;
    afterRead(() => this.req.socket.destroy());
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, callback?: Callback): boolean {
    if (!this.#dropsWrites && this.writableEnded) this.#answerAgain();
    if (!this.#dropsWrites) return super.write(chunk, encoding as BufferEncoding, callback);
    const done = typeof encoding === "function" ? (encoding as Callback) : callback;
    done?.(new Error("The answer has ended."));
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: () => void): this {
    if (this.#dropsWrites || this.destroyed) return this;
    if (this.writableEnded) return this.#answerAgain();
    // Before it is written: the client may be faster than the callback of the write.
    this.#release();
    return super.end(chunk, encoding as BufferEncoding, callback);
  }

  get isGone(): boolean {
    return this.destroyed;
  }

  get bodySent(): number | undefined {
    // What a fault writes beside Node's answer is not counted.
    if (this.#isRaw) return undefined;
    return this.partsSent ?? (this.headersSent ? undefined : 0);
  }

  get keptOpen(): boolean {
    return this.shouldKeepAlive || asksToClose(this.req);
  }
}

/** Whether the application ends the connection with its answer. */
function asksForClose(headers: Headers | undefined): boolean {
  for (const name in headers)
    if (name.length === 10 && name.toLowerCase() === "connection")
      return /\bclose\b/i.test(String((headers as OutgoingHttpHeaders)[name]));
  return false;
}

/** Whether a value has octets beyond ASCII (RFC 9110 §5.5). */
function isBeyondAscii(headers: Headers | undefined): boolean {
  for (const name in headers) if (/[^\0-\x7f]/.test(String((headers as OutgoingHttpHeaders)[name]))) return true;
  return false;
}

/** RFC 9112 §9.3: HTTP/1.0 closes by default. */
function asksToClose({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.0" || /\bclose\b/i.test(headers.connection ?? "");
}
