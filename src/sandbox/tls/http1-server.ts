import { createServer, type IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";
import { monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import { closeWithin, discardInput, lingerAndClose } from "../connection/linger.js";
import { isOfHead } from "../connection/parse-error.js";
import { answerAndClose, type ProtocolAnswer } from "../connection/raw-answer.js";
import { type ApplicationOptions, applicationFailure, type Carrier, serveWith } from "./adapter.js";
import { connectionOf, type OpenConnection } from "./connection.js";
import { Http1Response } from "./http1-response.js";
import { Http1Wire } from "./http1-wire.js";
import type { Limits } from "./limits.js";
import {
  connectRequest,
  cutOff,
  describeParseError,
  type RequestProblem,
  unmetExpectation,
} from "./protocol-problem.js";
import { findRequestProblem } from "./request-check.js";
import type { AnswerProblem, UnprocessedRequest } from "./unanswered-request.js";

/** The same for each version of HTTP. */
export interface HttpServerOptions extends ApplicationOptions {
  /** Must not throw. */
  readonly answerProblem: AnswerProblem;
  /** Called for each request that was read, and is not processed. */
  readonly onUnprocessed: (request: UnprocessedRequest) => void;
  readonly limits: Limits;
  /** Over HTTP/2. */
  readonly unindexedHeaders: readonly string[];
}

/**
 * HTTP/1.1 on the connections of the TLS listener. Each request, malformed ones included, gets an answer: the
 * application's, or that of `answerProblem`.
 *
 * A connection has one request at a time. What comes before the head of its answer has left (pipelining, RFC 9112
 * §9.3.2) is not processed, and the answer says that the connection ends. What comes after that waits for the end of the
 * answer: the client may have all of it already.
 */
export class Http1Server {
  readonly #server: Server<typeof IncomingMessage, typeof Http1Response>;
  readonly #options: HttpServerOptions;
  readonly #serve: (incoming: IncomingMessage, outgoing: Http1Response) => void;
  /** One function for all answers. Node calls it with the answer as `this`. */
  readonly #onClose: (this: Http1Response) => void;
  /** Gives the last answer of a connection instead of the application. */
  readonly #refuse = (outgoing: Http1Response, problem: RequestProblem, cause?: unknown) => {
    const connection = connectionOf(outgoing.req.socket);
    connection.acceptNoMore();
    outgoing.replace(this.#options.answerProblem({ ...problem, connection, incoming: outgoing.req, cause }));
  };
  readonly #onUnwritable = (outgoing: Http1Response, cause: unknown) =>
    this.#refuse(outgoing, applicationFailure, cause);

  constructor(options: HttpServerOptions) {
    const { limits } = options;
    const self = this;
    this.#options = options;
    this.#onClose = function () {
      self.#answered(this);
    };
    const { drainTimeoutMs } = limits;
    const carrier: Carrier<Http1Response> = {
      connectionOf: ({ req }) => connectionOf(req.socket),
      rawHeadersOf: ({ req }) => req.rawHeaders,
      streamOf: () => undefined,
      wireFor: (outgoing) => new Http1Wire(outgoing, drainTimeoutMs),
      abandon: ({ req }) => afterRead(() => req.socket.destroy()),
      refuse: this.#refuse,
      leavesBodies: false,
    };
    this.#serve = serveWith(options, carrier);
    this.#server = createServer<typeof IncomingMessage, typeof Http1Response>({
      ServerResponse: Http1Response,
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      // Node would wait a second longer.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: limits.checkingIntervalMs,
      // Node would refuse a request without Host with an empty body, and accept two Host headers.
      requireHostHeader: false,
      insecureHTTPParser: false,
    });
    // No limit of Node's: above it, Node 20 silently drops headers, and later versions do not show the request. Its size
    // limits their number until they are counted.
    this.#server.maxHeadersCount = 0;
    this.#server.timeout = limits.inactivityTimeoutMs;
    this.#server.on("request", (incoming, outgoing) => this.#take(incoming, outgoing));
    this.#server.on("checkContinue", (incoming, outgoing) => this.#takeContinuing(incoming, outgoing));
    this.#server.on("checkExpectation", (incoming, outgoing) => this.#take(incoming, outgoing, unmetExpectation));
    this.#server.on("connect", (incoming, socket) => this.#refuseConnect(incoming, socket as Socket));
    this.#server.on("timeout", (socket) => this.#timeOut(socket));
    this.#server.on("clientError", (error, socket) => this.#answerParseError(error, socket as Socket));
    // On this event Node starts its clock for slow requests. A server that does not listen never emits it.
    this.#server.emit("listening");
  }

  /** Serves HTTP on a connection, which `attachConnection` knows already. */
  accept(connection: OpenConnection): void {
    const socket = connection.tlsSocket;
    const { drainTimeoutMs } = this.#options.limits;
    // Node treats a RST after data as an end, and may wait without limit for the end of a later write.
    socket.once("end", () => closeWithin(socket, drainTimeoutMs));
    // Node calls this after the last answer of a connection. Its own method would close while the client is still
    // sending.
    socket.destroySoon = () => {
      connection.acceptNoMore();
      lingerAndClose(socket, drainTimeoutMs);
    };
    // Node does this only for unanswered requests. The application may still be reading one that was answered.
    socket.once("close", () => {
      const incoming = connection.newest?.req;
      if (incoming?.complete === false) incoming.destroy();
    });
    this.#server.emit("connection", socket);
  }

  /** Closes a connection as soon as no answer is owed on it. */
  closeWhenIdle(connection: OpenConnection): void {
    const { newest, tlsSocket } = connection;
    connection.acceptNoMore();
    const close = () => Socket.prototype.destroySoon.call(tlsSocket);
    if (newest === undefined || newest.isGone) close();
    else {
      if (!newest.headersSent) newest.shouldKeepAlive = false;
      newest.once("close", close);
    }
  }

  /** Whether no answer is owed on a connection, or on its way. */
  isIdle({ newest }: OpenConnection): boolean {
    return newest === undefined || newest.isGone;
  }

  /** Stops the clock for slow requests. Must be called when the last connection is gone. */
  close(): void {
    this.#server.close();
  }

  /** Accepts a request: it is answered after what came in the same read is known, or after the answer before it. */
  #take(incoming: IncomingMessage, outgoing: Http1Response, problem?: RequestProblem): void {
    const connection = connectionOf(incoming.socket);
    const before = connection.newest;
    if (!this.#accepts(connection)) {
      this.#drop(connection, incoming);
      return;
    }
    outgoing.arrivedAt = monotonicNow();
    outgoing.clock = connection.clock;
    outgoing.limits = this.#options.limits;
    outgoing.problem = problem;
    connection.newest = outgoing;
    connection.tlsSocket.setTimeout(this.#options.limits.inactivityTimeoutMs);
    if (before === undefined || before.isGone) process.nextTick(this.#begin, connection, outgoing);
    else before.once("close", () => this.#begin(connection, outgoing));
  }

  /**
   * Whether what the client has sent is processed. If it came before the head of the previous answer has left, that
   * answer is the last one.
   */
  #accepts(connection: OpenConnection): boolean {
    const { newest, tlsSocket, isAccepting } = connection;
    if (isAccepting && tlsSocket.writable && (newest === undefined || newest.headersSent)) return true;
    if (isAccepting) this.#endAfterNewest(connection);
    // Otherwise Node would parse and keep each further request, although it gets no answer.
    discardInput(tlsSocket);
    return false;
  }

  /** Ends a connection, whose client may still be sending, after the answer to the newest request. */
  #endAfterNewest(connection: OpenConnection): void {
    const { newest, tlsSocket } = connection;
    connection.acceptNoMore();
    if (newest === undefined || newest.isGone) tlsSocket.destroySoon();
    else if (newest.headersSent) newest.once("close", () => tlsSocket.destroySoon());
    else newest.shouldKeepAlive = false;
  }

  /** RFC 9110 §10.1.1: the server requests the body only when the application begins to read it. */
  #takeContinuing(incoming: IncomingMessage, outgoing: Http1Response): void {
    outgoing.withholdsBody = true;
    incoming.once("resume", () => {
      if (outgoing.headersSent) return;
      outgoing.withholdsBody = false;
      outgoing.writeContinue();
    });
    this.#take(incoming, outgoing);
  }

  readonly #begin = (connection: OpenConnection, outgoing: Http1Response): void => {
    const incoming = outgoing.req;
    // The connection is gone, or its previous answer was the last one.
    if (!connection.tlsSocket.writable) {
      this.#drop(connection, incoming);
      return;
    }
    outgoing.ordinal = connection.begin();
    outgoing.onUnwritable = this.#onUnwritable;
    // Node emits it once. `once` would allocate a wrapper for each answer.
    outgoing.on("close", this.#onClose);
    const found = outgoing.problem ?? findRequestProblem(incoming, this.#options.limits);
    if (found !== undefined) {
      this.#refuse(outgoing, found);
      return;
    }
    // An upgrade is optional for the server (RFC 9110 §7.8), but the parser does not read what follows it.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    this.#serve(incoming, outgoing);
  };

  /** The answer has left, or the connection is gone. */
  #answered(outgoing: Http1Response): void {
    // Node also reports an answer as finished that was still being written when its socket was destroyed.
    const isDelivered = outgoing.writableFinished && outgoing.headersSent && !outgoing.req.socket.destroyed;
    const connection = connectionOf(outgoing.req.socket);
    if (!isDelivered) {
      outgoing.endedBy = connection.endedBy;
      outgoing.gaveUpAt = connection.endedAt;
    }
    outgoing.deliveryListener?.closed(isDelivered, outgoing);
    if (connection.newest !== outgoing) return;
    this.#nameDropped(connection);
    const { tlsSocket } = connection;
    connection.readWhenIdle = tlsSocket.bytesRead;
    if (outgoing.endsSilently) tlsSocket.destroySoon();
    else if (connection.isAccepting) tlsSocket.setTimeout(this.#options.limits.keepAliveTimeoutMs);
  }

  /** Nothing came or went for the time that the socket was given. */
  #timeOut(socket: Socket): void {
    const connection = connectionOf(socket);
    if (!this.isIdle(connection)) connection.timedOut();
    else if (connection.readWhenIdle === socket.bytesRead) socket.destroySoon();
    // The head of a request has begun. It has its own limit.
    else socket.setTimeout(this.#options.limits.inactivityTimeoutMs);
  }

  /** A request that was read is not processed. It is reported after the answer that is owed before it. */
  #drop(connection: OpenConnection, incoming: IncomingMessage): void {
    connection.dropped.push(incoming);
    if (this.isIdle(connection) || !connection.tlsSocket.writable) this.#nameDropped(connection);
  }

  #nameDropped(connection: OpenConnection): void {
    for (const incoming of connection.dropped.splice(0))
      this.#options.onUnprocessed({ connection, incoming, reason: "connection-ended" });
  }

  /**
   * Answers what is not a request, as the last thing on a connection.
   * @param drop called instead, if the connection ends before
   */
  #endWith(connection: OpenConnection, answer: () => void, drop?: () => void): void {
    const { newest, tlsSocket } = connection;
    connection.acceptNoMore();
    if (newest === undefined || newest.isGone) answer();
    else {
      newest.once("close", () => (tlsSocket.writable ? answer() : drop?.()));
      discardInput(tlsSocket);
    }
  }

  #refuseConnect(incoming: IncomingMessage, socket: Socket): void {
    const connection = connectionOf(socket);
    const drop = () => this.#drop(connection, incoming);
    // Node has removed its own timer.
    socket.setTimeout(this.#options.limits.inactivityTimeoutMs, () => socket.destroy());
    if (!this.#accepts(connection)) {
      drop();
      return;
    }
    const refuse = () => {
      connection.begin();
      this.#answerRaw(connection, this.#options.answerProblem({ ...connectRequest, connection, incoming }));
    };
    this.#endWith(connection, refuse, drop);
  }

  /**
   * Errors of the parser and of its clock. Errors of the connection itself come here, too. Node pauses its parser while
   * an answer of more than 16 KiB waits to be read. What TLS has decrypted by then is lost.
   */
  #answerParseError(error: Error, socket: Socket): void {
    // RFC 9112 §9.6: what follows a request with "Connection: close" is ignored.
    if ("code" in error && error.code === "HPE_CLOSED_CONNECTION") return;
    const connection = connectionOf(socket);
    if ("code" in error && error.code === "HPE_PAUSED") {
      if (connection.isAccepting) this.#endAfterNewest(connection);
      discardInput(socket);
      return;
    }
    const problem = describeParseError(error);
    if (problem !== undefined && connection.ignoresParseErrors) return;
    const { newest } = connection;
    if (problem === undefined) {
      this.#refuseCutOff(newest);
      socket.destroy();
    } else if (connection.isUnused && problem.code === "REQUEST_TIMEOUT") {
      // The client would take an answer for the one to its first request.
      socket.destroySoon();
    } else if (newest?.req.complete === false) {
      this.#endWithBrokenBody(connection, newest, problem);
    } else if (this.#accepts(connection)) {
      this.#endWithBrokenHead(connection, problem, error);
    }
  }

  /** Answers the request that was still arriving when its connection failed. */
  #refuseCutOff(newest: Http1Response | undefined): void {
    if (newest?.req.complete === false && newest.hasBegun && !newest.headersSent && !newest.isWithheld)
      this.#refuse(newest, cutOff);
  }

  #endWithBrokenHead(connection: OpenConnection, problem: RequestProblem, error: Error): void {
    connection.malformed();
    const line = problem.line ?? (isOfHead(error) ? { method: "HEAD" } : undefined);
    this.#endWith(connection, () => {
      this.#answerRaw(connection, this.#options.answerProblem({ ...problem, line, connection }), line?.method);
    });
  }

  #endWithBrokenBody(connection: OpenConnection, newest: Http1Response, problem: RequestProblem): void {
    connection.malformed();
    if (!newest.hasBegun) {
      newest.problem = problem;
      discardInput(connection.tlsSocket);
    } else if (newest.headersSent) {
      this.#endAfterNewest(connection);
      discardInput(connection.tlsSocket);
    } else this.#refuse(newest, problem);
  }

  #answerRaw(connection: OpenConnection, answer: ProtocolAnswer, method?: string): void {
    const { drainTimeoutMs } = this.#options.limits;
    answerAndClose(connection.tlsSocket, answer, connection.clock, drainTimeoutMs, method);
  }
}
