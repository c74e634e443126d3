import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createServer,
  type Http2ServerRequest,
  type Http2Server as NodeServer,
  type ServerHttp2Session,
} from "node:http2";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import { type Http2ErrorCode, http2ErrorName } from "../connection/http2-error.js";
import type { UnprocessedReason } from "../connection/passage.js";
import { applicationFailure, type Carrier, serveWith } from "./adapter.js";
import { connectionOf, type OpenConnection } from "./connection.js";
import type { HttpServerOptions } from "./http1-server.js";
import { Http2Connection } from "./http2-connection.js";
import { Http2Response } from "./http2-response.js";
import { Http2Wire } from "./http2-wire.js";
import { badRequest, cutOff, type RequestProblem, tooSlow, unmetExpectation } from "./protocol-problem.js";
import { findStreamProblem, receivedHeaders } from "./stream-check.js";

const sessionKey = Symbol("connection");

interface KnownSession extends ServerHttp2Session {
  [sessionKey]?: Http2Connection;
}

/**
 * HTTP/2 on the connections of the TLS listener: the counterpart of `Http1Server`. The requests of a connection are
 * answered in parallel, each on its stream. nghttp2 resets the stream of a malformed request (RFC 9113 §8.1.1). A
 * request that is refused here gets an answer as over HTTP/1.1, and the connection stays open.
 */
export class Http2Server {
  readonly #server: NodeServer<
    typeof IncomingMessage,
    typeof ServerResponse,
    typeof Http2ServerRequest,
    typeof Http2Response
  >;
  readonly #options: HttpServerOptions;
  readonly #serve: (incoming: Http2ServerRequest, outgoing: Http2Response) => void;
  readonly #refuse = (outgoing: Http2Response, problem: RequestProblem, cause?: unknown) => {
    const { connection } = http2Of(outgoing);
    const { req, receivedHeaders, streamId: stream } = outgoing;
    const incoming = { method: req.method, url: req.url, rawHeaders: receivedHeaders };
    outgoing.replace(this.#options.answerProblem({ ...problem, connection, incoming, stream, cause }));
  };
  readonly #connections = new WeakMap<OpenConnection, Http2Connection>();
  readonly #onUnwritable = (outgoing: Http2Response, cause: unknown) =>
    this.#refuse(outgoing, applicationFailure, cause);

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    const carrier: Carrier<Http2Response> = {
      connectionOf: (outgoing) => http2Of(outgoing).connection,
      rawHeadersOf: ({ receivedHeaders }) => receivedHeaders,
      streamOf: ({ streamId }) => streamId,
      wireFor: (outgoing) => new Http2Wire(outgoing, http2Of(outgoing), limits.drainTimeoutMs),
      abandon: (outgoing) => outgoing.resetStream(),
      refuse: this.#refuse,
      leavesBodies: true,
    };
    this.#serve = serveWith(options, carrier);
    this.#server = createServer({
      Http2ServerResponse: Http2Response,
      maxSessionMemory: limits.maxSessionMegabytes,
      maxSettings: limits.maxSettings,
      // Above it, nghttp2 resets the stream. Up to it, a client with too many headers gets an answer.
      maxHeaderListPairs: 2 * limits.maxHeaders,
      settings: {
        enablePush: false,
        maxConcurrentStreams: limits.maxConcurrentStreams,
        maxHeaderListSize: limits.maxHeaderListBytes,
      },
    });
    this.#server.on("session", (session: KnownSession) => this.#opened(session));
    // The listener of each session reports it.
    this.#server.on("sessionError", () => {});
    this.#server.on("request", (incoming, outgoing) => this.#take(incoming, outgoing));
    this.#server.on("checkContinue", (incoming, outgoing) => this.#takeContinuing(incoming, outgoing));
    this.#server.on("checkExpectation", (incoming, outgoing) => {
      if (continueExpected.test(incoming.headers.expect ?? "")) this.#takeContinuing(incoming, outgoing);
      else this.#take(incoming, outgoing, unmetExpectation);
    });
    this.#server.on("connect", (incoming, outgoing) => this.#take(incoming, outgoing));
  }

  /** Serves HTTP/2 on a connection, which `attachConnection` knows already. */
  accept({ tlsSocket }: OpenConnection): void {
    this.#server.emit("connection", tlsSocket);
  }

  /** Closes a connection as soon as no answer is owed on it. */
  closeWhenIdle(connection: OpenConnection): void {
    this.#connections.get(connection)?.closeWhenIdle();
  }

  /** Whether no answer is owed on a connection, or on its way. */
  isIdle(connection: OpenConnection): boolean {
    return this.#connections.get(connection)?.isIdle !== false;
  }

  /** Must be called when the last connection is gone. */
  close(): void {
    this.#server.close();
  }

  #opened(session: KnownSession): void {
    const connection = connectionOf(session.socket);
    const http2 = new Http2Connection(connection, session, this.#options.limits);
    session[sessionKey] = http2;
    this.#connections.set(connection, http2);
    session.on("error", (error: Error) => this.#report(connection, error));
  }

  /** Accepts a request, and answers it. */
  #take(incoming: Http2ServerRequest, outgoing: Http2Response, problem?: RequestProblem): void {
    const { limits, unindexedHeaders } = this.#options;
    const http2 = (outgoing.stream.session as KnownSession | undefined)?.[sessionKey];
    // Node emits it in the tick after its head was read, and nothing destroys a session during a read.
    if (http2 === undefined) return;
    if (http2.isDraining) {
      this.#leaveUnprocessed(http2, outgoing, "connection-ended", "REFUSED_STREAM");
      // RFC 9113 §8.7: it can be sent again.
      outgoing.resetStream(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    // Further requests are ignored on a connection that is being broken.
    if (!http2.connection.isAccepting) {
      this.#leaveUnprocessed(http2, outgoing, "connection-ended");
      return;
    }
    outgoing.arrivedAt = monotonicNow();
    const { connection } = http2;
    outgoing.http2 = http2;
    outgoing.streamId = outgoing.stream.id ?? 0;
    outgoing.ordinal = connection.begin();
    outgoing.onUnwritable = this.#onUnwritable;
    outgoing.receivedHeaders = receivedHeaders(incoming.rawHeaders);
    outgoing.unindexedHeaders = unindexedHeaders;
    http2.begin(outgoing);
    const { stream } = outgoing;
    // Not the timer of the stream: if the connection breaks, Node keeps that running, and keeps the stream.
    const inactivity = setTimeout(() => outgoing.timedOut(constants.NGHTTP2_CANCEL), limits.inactivityTimeoutMs);
    outgoing.inactivity = inactivity;
    // Node reports the end of an answer to HEAD only if it was ended, so this is an event of the stream.
    stream.once("close", () => {
      clearTimeout(inactivity);
      this.#over(outgoing);
    });
    if (!stream.endAfterHeaders) this.#watchBody(outgoing);
    // Nothing that the application does happens during a read, and nothing is done for a request that is given up in
    // the same read.
    afterRead(() => {
      if (outgoing.state === "replaced") return;
      if (outgoing.state === "broken" || http2.isGone) {
        this.#leaveUnprocessed(http2, outgoing, "connection-ended", outgoing.reset);
        return;
      }
      if (outgoing.isGone) {
        this.#leaveUnprocessed(http2, outgoing, "stream-reset", http2ErrorName(stream.rstCode ?? 0));
        return;
      }
      const found = problem ?? findStreamProblem(incoming, outgoing.receivedHeaders, limits);
      if (found === undefined) this.#serve(incoming, outgoing);
      else this.#refuse(outgoing, found);
    });
  }

  /** Reports a request that was read, and is not processed. */
  #leaveUnprocessed(
    { connection }: Http2Connection,
    { req: { method, url, rawHeaders }, stream }: Http2Response,
    reason: UnprocessedReason,
    reset?: Http2ErrorCode,
  ): void {
    const incoming = { method, url, rawHeaders: receivedHeaders(rawHeaders) };
    this.#options.onUnprocessed({ connection, incoming, stream: stream.id, reason, reset });
  }

  /** RFC 9110 §10.1.1: the server requests the body only when the application begins to read it. */
  #takeContinuing(incoming: Http2ServerRequest, outgoing: Http2Response): void {
    incoming.once("resume", () => {
      // Node's own check misses a stream that is being closed, and throws.
      if (!outgoing.headersSent && !outgoing.isGone) outgoing.writeContinue();
    });
    this.#take(incoming, outgoing);
  }

  /** Watches over a request whose body is still on its way. */
  #watchBody(outgoing: Http2Response): void {
    const { stream } = outgoing;
    const { requestTimeoutMs, drainTimeoutMs } = this.#options.limits;
    let timer = setTimeout(() => {
      if (isReceived(outgoing)) return;
      if (outgoing.headersSent) outgoing.timedOut(constants.NGHTTP2_NO_ERROR);
      else if (outgoing.state === "open") this.#refuse(outgoing, tooSlow);
    }, requestTimeoutMs);
    stream.once("aborted", () => {
      const isAwaited = !outgoing.headersSent && outgoing.state === "open";
      if (isAwaited && isCutOff(outgoing)) this.#refuse(outgoing, cutOff);
    });
    stream.once("finish", () => {
      // Node also finishes a stream that is given up before its answer exists.
      if (hasLeft(outgoing)) outgoing.settle(true);
      if (isReceived(outgoing)) return;
      clearTimeout(timer);
      // RFC 9113 §8.1: the client has its answer, and need not send the rest. Node's own client does not see this as an
      // end, so it comes last.
      timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), drainTimeoutMs);
    });
    stream.once("close", () => clearTimeout(timer));
  }

  #over(outgoing: Http2Response): void {
    outgoing.settle(hasLeft(outgoing));
    // Node does not report the end of an answer to HEAD that was not ended: it says from the beginning that all of it is
    // written. Faults and the application wait for the end.
    if (outgoing.req.method === "HEAD" && !outgoing.writableEnded) {
      Object.defineProperty(outgoing, "writableFinished", { value: false });
      outgoing.emit("close");
    }
    http2Of(outgoing).over(outgoing);
  }

  /** The client violated the rules of HTTP/2 in a way that ends the whole connection. */
  #report(connection: OpenConnection, error: Error): void {
    if (!("code" in error) || error.code !== "ERR_HTTP2_ERROR" || connection.isMalformed) return;
    connection.malformed();
    const problem = badRequest(`The connection is not valid HTTP/2: ${error.message}.`);
    this.#options.answerProblem({ ...problem, connection }).delivery?.closed(false);
  }
}

function http2Of({ http2 }: Http2Response): Http2Connection {
  if (http2 === undefined) throw new Error("The stream has not begun.");
  return http2;
}

/**
 * Whether the whole answer was passed to the network. What Node is writing when the connection is lost counts as
 * passed: Node reports its streams as finished.
 */
function hasLeft({ headersSent, writableEnded, isBroken, stream }: Http2Response): boolean {
  const isWritten = stream.writableFinished && !stream.aborted && completeCodes.has(stream.rstCode);
  return headersSent && writableEnded && !isBroken && isWritten;
}

/**
 * How a stream ends whose answer is complete. curl (7.88) resets some with STREAM_CLOSED, after it has read the end of
 * the answer.
 */
const completeCodes: ReadonlySet<number | undefined> = new Set([
  constants.NGHTTP2_NO_ERROR,
  constants.NGHTTP2_STREAM_CLOSED,
]);

/** Whether the whole request has arrived, read or not. */
function isReceived({ stream }: Http2Response): boolean {
  return stream.readableEnded || stream.state?.remoteClose === 1;
}

/**
 * Whether a request was given up before it was complete. nghttp2 reports it as complete, so the bytes are counted if
 * possible.
 */
function isCutOff({ stream, req }: Http2Response): boolean {
  return !stream.readableEnded && Number(req.headers["content-length"]) !== stream.readableLength + req.readableLength;
}

/** As Node reads it over HTTP/1.1. */
const continueExpected = /(?:^|\W)100-continue(?:$|\W)/i;
