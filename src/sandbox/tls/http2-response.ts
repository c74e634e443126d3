import { type OutgoingHttpHeaders, validateHeaderName, validateHeaderValue } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  Http2ServerResponse,
  type ServerHttp2Stream,
  sensitiveHeaders,
} from "node:http2";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import type { AnswerEnder } from "../connection/connection-facts.js";
import { connectionHeaders } from "../connection/header-names.js";
import { dateOf } from "../connection/http1-headers.js";
import { type Http2ErrorCode, http2ErrorName } from "../connection/http2-error.js";
import type { DeliveryListener, Passage } from "../connection/passage.js";
import type { ProtocolAnswer } from "../connection/raw-answer.js";
import type { Http2Connection } from "./http2-connection.js";
import type { AnswerState, Outgoing } from "./outgoing.js";

/** Names and values, and under a symbol of Node the names that HPACK does not keep. */
type Head = OutgoingHttpHeaders & Record<symbol, readonly string[]>;

type Callback = (error: Error) => void;

/** The answer on a stream of HTTP/2, which the server can replace: the counterpart of `Http1Response`. */
export class Http2Response extends Http2ServerResponse<Http2ServerRequest> implements Outgoing {
  /** Set by the server as soon as it has read the head of the request. */
  arrivedAt = 0;
  begunAt: number | undefined = undefined;
  releasedAt = 0;
  /** Set when the request begins, with the four that follow. */
  ordinal = 0;
  streamId = 0;
  http2: Http2Connection | undefined = undefined;
  /** Names and values in turn, as the journal has them. */
  receivedHeaders: readonly string[] = [];
  /** Names, in lower case, of the headers that HPACK must not keep in its table (RFC 7541 §6.2.3). */
  unindexedHeaders: readonly string[] = [];
  deliveryListener: DeliveryListener | undefined = undefined;
  onUnwritable: ((outgoing: Http2Response, cause: unknown) => void) | undefined = undefined;
  partsSent: number | undefined = undefined;
  state: AnswerState = "open";
  endedBy: AnswerEnder | undefined = undefined;
  /** Whether GOAWAY declared that the stream is not processed. */
  isUnprocessed = false;
  http2Fault: Passage["http2Fault"] = undefined;
  reset: Passage["reset"] = undefined;
  /** The code of the GOAWAY that follows the answer. */
  goaway: Http2ErrorCode | undefined = undefined;
  /** Whether the whole answer was passed to the network; undefined until that is known. */
  isDelivered: boolean | undefined = undefined;
  /** Ends a stream on which nothing has been written for too long. */
  inactivity: NodeJS.Timeout | undefined = undefined;
  /** Status and headers that are not sent yet. */
  #head: Head | undefined = undefined;
  /** Whether what the application still writes is dropped. */
  #dropsWrites = false;
  /** When the stream was first found closed, although it still exists; on the monotonic clock. */
  #closedAt: number | undefined = undefined;

  /** Gives this answer instead of the application's. Only while no headers are sent. */
  replace(answer: ProtocolAnswer): void {
    this.state = "replaced";
    this.deliveryListener?.replaced?.();
    this.deliveryListener?.closed(false);
    this.deliveryListener = answer.delivery;
    this.writeHead(answer.status, { ...answer.headers, "Content-Length": Buffer.byteLength(answer.body) });
    this.end(answer.body);
    this.#dropsWrites = true;
  }

  markBroken(): void {
    this.state = "broken";
    this.#dropsWrites = true;
  }

  breakOff(): void {
    if (!this.isGone) this.endedBy ??= "scenario";
    this.markBroken();
    this.#release();
    this.settle(false);
  }

  leaveUnprocessed(isReset: boolean): void {
    this.isUnprocessed = true;
    if (isReset) this.reset ??= "REFUSED_STREAM";
    this.breakOff();
  }

  /** Notifies its listener whether the whole answer was passed to the network: the first time that this is known. */
  settle(isDelivered: boolean): void {
    if (this.isDelivered !== undefined) return;
    this.isDelivered = isDelivered;
    const { rstCode } = this.stream;
    // A session that is destroyed gives its streams a code that nobody sends.
    if (rstCode !== undefined && rstCode !== constants.NGHTTP2_NO_ERROR && this.http2?.isGone === false)
      this.reset ??= http2ErrorName(rstCode);
    if (!isDelivered) this.endedBy ??= this.#ender;
    this.deliveryListener?.closed(isDelivered, this);
    this.deliveryListener = undefined;
  }

  /** Who ended a stream that nothing here has ended. */
  get #ender(): AnswerEnder | undefined {
    const { rstCode } = this.stream;
    if (this.http2?.isGone !== false) return this.isBroken ? "scenario" : this.http2?.connection.endedBy;
    return rstCode === undefined || codesOfNghttp2.has(rstCode) ? undefined : "client";
  }

  /** Ends the stream because of a time limit. */
  timedOut(code: number): void {
    this.endedBy ??= "time-limit";
    this.#close(code);
  }

  /** Ends the stream in the middle of its answer (RFC 9113 §7). */
  resetStream(code: number = constants.NGHTTP2_INTERNAL_ERROR): void {
    this.endedBy ??= "sandbox";
    this.#dropsWrites = true;
    afterRead(() => this.#close(code));
  }

  /** The adapter calls it when a body fails. */
  override destroy(): this {
    this.resetStream();
    return this;
  }

  /**
   * The same on purpose. The stream ends when the client is notified, and after what was read together with its
   * request.
   */
  breakStream(code: number): void {
    this.#dropsWrites = true;
    afterRead(() => {
      // Another fault was faster: it has ended all streams, or has declared this one as not processed.
      if (this.isDelivered !== undefined) return;
      if (!this.isGone) this.reset ??= http2ErrorName(code);
      this.breakOff();
      this.#close(code);
    });
  }

  /** Not on a connection that has become silent: its end ends the stream. */
  #close(code: number): void {
    if (this.http2?.isSilent !== true) this.stream.close(code);
  }

  #release(): void {
    if (this.releasedAt === 0) this.releasedAt = monotonicNow();
  }

  /** As over HTTP/1.1, the headers wait for the body. */
  override writeHead(status: number, reason?: string | OutgoingHttpHeaders, headers?: OutgoingHttpHeaders): this {
    if (this.#dropsWrites || this.isGone) return this;
    if (this.headersSent) {
      // The application answered a second time. Only the end of the stream can show the client that.
      this.resetStream();
      return this;
    }
    try {
      this.#head = withoutConnectionHeaders(typeof reason === "object" ? reason : headers);
      this.#head[":status"] = status;
      this.#head[sensitiveHeaders] = this.unindexedHeaders;
    } catch (cause) {
      this.onUnwritable?.(this, cause);
    }
    return this;
  }

  /** For an answer that is sent in pieces. Without a body, its head is all of it: Node then ends the stream. */
  flushHeaders(): void {
    this.#sendHead(true);
    if (this.headersSent && this.stream.writableEnded && !this.writableEnded) this.end();
  }

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    this.inactivity?.refresh();
    if (!this.#dropsWrites && !this.isGone) {
      this.flushHeaders();
      if (!this.writableEnded) return super.write(chunk, encoding as BufferEncoding, callback);
    }
    const done = typeof encoding === "function" ? encoding : callback;
    done?.(new Error("The answer has ended."));
    return true;
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: () => void): this {
    if (this.#dropsWrites) return this;
    // Before it is written: the client may be faster than the callback of the write.
    this.#release();
    const { endAfterHeaders, readableEnded } = this.stream;
    // If the request was read to its end and no trailers are expected, Node closes a stream before its answer is
    // written.
    this.#sendHead(!endAfterHeaders || readableEnded);
    if (!endAfterHeaders) this.#discardBody();
    // Without a body, the head was all of it.
    const rest = this.stream.writableEnded ? undefined : chunk;
    super.end(rest as string, encoding as BufferEncoding, callback);
    // For a stream of HEAD, Node reports from the beginning that everything is written.
    if (this.req.method === "HEAD" && this.headersSent) this.settle(!this.isGone);
    return this;
  }

  /**
   * Ends a stream that the client gave up with NO_ERROR: Node notices that, but waits for a write that never ends. A
   * client that does not read looks the same. Must be called at intervals.
   * @param timeoutMs how long the rest may take, in milliseconds
   */
  endGivenUp(now: number, timeoutMs: number): void {
    if (!this.stream.closed || this.stream.destroyed) return;
    this.#closedAt ??= now;
    if (now - this.#closedAt > timeoutMs) this.stream.destroy();
  }

  /**
   * Discards the rest of the request's body, and what still arrives: a client may not read the answer for a long time.
   */
  #discardBody(): void {
    this.req.removeAllListeners("data");
    this.req.on("data", () => {});
    this.req.resume();
  }

  /**
   * Sends status and headers, not through Node's class, which would check each header again.
   * @param waitForTrailers costs a frame. Without it, Node ends the stream normally before it resets it, and resets a
   *   stream whose request is still on its way as soon as it has answered.
   */
  #sendHead(waitForTrailers: boolean): void {
    if (this.#head !== undefined && !this.headersSent && !this.isGone) {
      if (this.http2 !== undefined) this.#head["date"] ??= dateOf(this.http2.connection.clock.now());
      this.stream.respond(this.#head, { waitForTrailers });
      this.deliveryListener?.headed?.(sentHeaders(this.stream));
    }
    this.#head = undefined;
  }

  get isBroken(): boolean {
    return this.state === "broken";
  }

  /** Whether nothing can be sent any more. */
  get isGone(): boolean {
    const { stream } = this;
    return stream.destroyed || stream.closed;
  }

  get bodySent(): number | undefined {
    return this.partsSent ?? (this.headersSent ? undefined : 0);
  }

  get keptOpen(): boolean {
    return this.http2?.staysOpen === true;
  }
}

/** With these, nghttp2 itself resets a stream of a client that violates the protocol. */
const codesOfNghttp2: ReadonlySet<number> = new Set([
  constants.NGHTTP2_PROTOCOL_ERROR,
  constants.NGHTTP2_INTERNAL_ERROR,
  constants.NGHTTP2_FLOW_CONTROL_ERROR,
  constants.NGHTTP2_STREAM_CLOSED,
  constants.NGHTTP2_REFUSED_STREAM,
]);

/** The headers that Node has sent, names and values in turn. */
function sentHeaders({ sentHeaders = {} }: ServerHttp2Stream): string[] {
  const all: string[] = [];
  for (const name in sentHeaders)
    if (name !== ":status") for (const value of [sentHeaders[name]].flat()) all.push(name, String(value));
  return all;
}

/** How many names are remembered. The sandbox's own are fewer; scenarios can name any number. */
const mostNames = 200;

/** Names that were sent, in the form for a stream: in lower case, and empty for headers of the connection. */
const carriedNames = new Map<string, string>();

/** @throws TypeError for a name that HTTP forbids */
function carriedName(name: string): string {
  const known = carriedNames.get(name);
  if (known !== undefined) return known;
  validateHeaderName(name);
  const lower = name.toLowerCase();
  const carried = connectionHeaders.has(lower) ? "" : lower;
  if (carriedNames.size < mostNames) carriedNames.set(name, carried);
  return carried;
}

/**
 * The headers that a stream can carry: headers of the connection mean nothing here, and Node would warn on standard
 * error.
 * @throws TypeError for a name or a value that HTTP forbids, as Node does over HTTP/1.1
 */
function withoutConnectionHeaders(headers: OutgoingHttpHeaders | undefined): Head {
  const kept: Head = {};
  for (const name in headers) {
    const value = headers[name];
    const carried = carriedName(name);
    if (typeof value === "string") validateHeaderValue(name, value);
    if (Array.isArray(value)) for (const one of value) validateHeaderValue(name, one);
    if (carried !== "") kept[carried] = value;
  }
  return kept;
}
