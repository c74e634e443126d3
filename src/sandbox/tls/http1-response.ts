import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Clock, monotonicNow, systemClock } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import type { AnswerEnder } from "../connection/connection-facts.js";
import { wholeHeaders } from "../connection/http1-headers.js";
import type { DeliveryListener } from "../connection/passage.js";
import type { ProtocolAnswer } from "../connection/raw-answer.js";
import { defaultLimits, type Limits, shortestIdleMs } from "./limits.js";
import type { AnswerState, Outgoing } from "./outgoing.js";
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
  /** Set when the request is handled. */
  ordinal = 0;
  /** For `Date`. Set by the server, with the next one, as soon as it has read the head of the request. */
  clock: Clock = systemClock;
  limits: Limits = defaultLimits;
  /** Whether the connection ends after it, which no header says. */
  endsSilently = false;
  /** Whether the client sends the body of its request only after a 100 (RFC 9110 §10.1.1), which has not been sent. */
  withholdsBody = false;
  /** What is known to be wrong with the request before it is handled. */
  problem: RequestProblem | undefined = undefined;
  /** Notified when the answer has left, or the connection is gone. */
  deliveryListener: DeliveryListener | undefined = undefined;
  /** Answers instead of an application that gave a status or a header that HTTP forbids. */
  onUnwritable: ((outgoing: Http1Response, cause: unknown) => void) | undefined = undefined;
  partsSent: number | undefined = undefined;
  state: AnswerState = "open";
  endedBy: AnswerEnder | undefined = undefined;
  gaveUpAt: number | undefined = undefined;
  /** Status and headers that are not sent yet. */
  #head: { readonly status: number; readonly given: OutgoingHttpHeaders } | undefined = undefined;
  /** Whether what the application still writes is dropped. */
  #dropsWrites = false;
  #isRaw = false;

  /**
   * Gives this answer, as the last one of the connection, instead of the application's. Only while no headers are sent.
   */
  replace(answer: ProtocolAnswer): void {
    this.state = "replaced";
    this.#dropsWrites = true;
    this.deliveryListener?.replaced?.();
    this.deliveryListener?.closed(false);
    this.deliveryListener = answer.delivery;
    for (const name of this.getHeaderNames()) this.removeHeader(name);
    this.statusMessage = "";
    this.shouldKeepAlive = false;
    const body = Buffer.from(answer.body);
    this.#head = { status: answer.status, given: answer.headers };
    this.#sendHead(body.length);
    this.#release();
    super.end(body);
  }

  /**
   * Marks it as broken on purpose. Its listener is notified at once: a client that keeps its side open may delay the
   * end.
   */
  breakOff(): void {
    this.state = "broken";
    if (!this.isGone) this.endedBy = "scenario";
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

  /** As over HTTP/2, the headers wait for the body: it may be the whole one, and have a length. */
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (this.#dropsWrites) return this;
    if (this.#head !== undefined || this.headersSent) return this.#answerAgain();
    // A list of names and values is not given.
    const given = (typeof reason === "object" ? reason : headers) as OutgoingHttpHeaders | undefined;
    if (asksForClose(given)) this.shouldKeepAlive = false;
    this.#head = { status, given: given ?? {} };
    return this;
  }

  /**
   * Sends status and headers: all that are sent, because Node does not say which ones it adds.
   * @param length of the whole body, in bytes, if it is known
   */
  #sendHead(length?: number): void {
    if (this.#head === undefined) return;
    const { status, given } = this.#head;
    this.#head = undefined;
    // It may send the body all the same, or not: where the next request begins is not known.
    if (this.withholdsBody) this.shouldKeepAlive = false;
    const hasBody = this.req.method !== "HEAD" && status !== 204 && status !== 304;
    const whole = wholeHeaders(given, {
      length: hasBody ? length : undefined,
      hasBody,
      knowsChunks: this.useChunkedEncodingByDefault,
      isKept: this.shouldKeepAlive,
      keepAliveMs: this.limits.announcesIdleEnd ? this.limits.keepAliveTimeoutMs : undefined,
      now: this.clock.now(),
    });
    try {
      super.writeHead(status, whole);
    } catch (cause) {
      this.onUnwritable?.(this, cause);
      return;
    }
    this.deliveryListener?.headed?.(whole);
    // Node would send it in UTF-8 together with a text, and in Latin-1 together with bytes.
    if (isBeyondAscii(given)) super.write("", "latin1");
  }

  override flushHeaders(): void {
    this.#sendHead();
    super.flushHeaders();
  }

  /** The application answered a second time. Only the end of the connection can show the client that. */
  #answerAgain(): this {
    this.#dropsWrites = true;
    afterRead(() => this.req.socket.destroy());
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, callback?: Callback): boolean {
    if (!this.#dropsWrites && this.writableEnded) this.#answerAgain();
    if (!this.#dropsWrites) this.#sendHead();
    if (!this.#dropsWrites) return super.write(chunk, encoding as BufferEncoding, callback);
    const done = typeof encoding === "function" ? (encoding as Callback) : callback;
    done?.(new Error("The answer has ended."));
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: () => void): this {
    if (this.#dropsWrites || this.destroyed) return this;
    if (this.writableEnded) return this.#answerAgain();
    this.#sendHead(lengthOf(chunk));
    if (this.#dropsWrites) return this;
    // Before it is written: the client may be faster than the callback of the write.
    this.#release();
    return super.end(chunk, encoding as BufferEncoding, callback);
  }

  /** Whether the request is handled, or was. */
  get hasBegun(): boolean {
    return this.ordinal > 0;
  }

  get isBroken(): boolean {
    return this.state === "broken";
  }

  /** Whether a fault replaces it. */
  get isWithheld(): boolean {
    return this.state === "withheld" || this.state === "broken";
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
    if (this.endsSilently || this.limits.keepAliveTimeoutMs < shortestIdleMs) return false;
    return this.shouldKeepAlive || asksToClose(this.req);
  }
}

/** The length of the body of an answer that ends with it, in bytes. */
function lengthOf(chunk: unknown): number {
  return typeof chunk === "string" || chunk instanceof Uint8Array ? Buffer.byteLength(chunk) : 0;
}

/** Whether the application ends the connection with its answer. */
function asksForClose(headers: OutgoingHttpHeaders | undefined): boolean {
  for (const name in headers)
    if (name.length === 10 && name.toLowerCase() === "connection") return /\bclose\b/i.test(String(headers[name]));
  return false;
}

/** Whether a value has octets beyond ASCII (RFC 9110 §5.5). */
function isBeyondAscii(headers: OutgoingHttpHeaders): boolean {
  for (const name in headers) if (/[^\0-\x7f]/.test(String(headers[name]))) return true;
  return false;
}

/** RFC 9112 §9.3: HTTP/1.0 closes by default. */
function asksToClose({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === "1.0" || /\bclose\b/i.test(headers.connection ?? "");
}
