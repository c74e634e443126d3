import { createServer, type IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";
import { type Clock, monotonicNow } from "../clock.js";
import { afterRead } from "../connection/after-read.js";
import { closeWithin, discardInput, lingerAndClose } from "../connection/linger.js";
import { isOfHead } from "../connection/parse-error.js";
import { answerAndClose, type ProtocolAnswer } from "../connection/raw-answer.js";
import { type ApplicationOptions, applicationFailure, type Carrier, serveWith } from "./adapter.js";
import { connectionOf, type OpenConnection } from "./connection.js";
import { Http1Response } from "./http1-response.js";
import { Http1Wire } from "./http1-wire.js";
import type { Limits } from "./limits.js";
import type { OpenRequests } from "./open-requests.js";
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
  readonly openRequests: OpenRequests;
  readonly clock: Clock;
  /** Over HTTP/2. */
  readonly unindexedHeaders: readonly string[];
}

/**
 * HTTP/1.1 on the connections of the TLS listener. Each request, malformed ones included, gets an answer: the
 * application's, or that of `answerProblem`.
 *
 * The requests of a connection are answered one at a time: what a client sends after a request (pipelining, RFC 9112
 * §9.3.2) waits. So no request is handled after an answer that closes the connection, and a connection that is broken
 * on purpose owes one answer.
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
      wireFor: (outgoing) => new Http1Wire(outgoing, drainTimeoutMs, options.clock),
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
      keepAliveTimeout: limits.keepAliveTimeoutMs,
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
      const incoming = connection.turns.newest?.req;
      if (incoming?.complete === false) incoming.destroy();
    });
    this.#server.emit("connection", socket);
  }

  /** Closes a connection as soon as no answer is owed on it. */
  closeWhenIdle(connection: OpenConnection): void {
    const { turns, tlsSocket } = connection;
    const { current } = turns;
    connection.acceptNoMore();
    this.#dropWaiting(connection);
    const close = () => Socket.prototype.destroySoon.call(tlsSocket);
    if (current === undefined) close();
    else {
      if (!current.headersSent) current.shouldKeepAlive = false;
      current.once("close", close);
    }
  }

  /** Stops the clock for slow requests. Must be called when the last connection is gone. */
  close(): void {
    this.#server.close();
  }

  /** Accepts a request: it is answered at once, or when its turn comes. */
  #take(incoming: IncomingMessage, outgoing: Http1Response, problem?: RequestProblem): void {
    const { limits, openRequests } = this.#options;
    outgoing.arrivedAt = monotonicNow();
    outgoing.clock = this.#options.clock;
    outgoing.keepAliveMs = limits.keepAliveTimeoutMs;
    const connection = connectionOf(incoming.socket);
    const { turns } = connection;
    // Node still parses what it has read when the connection is gone.
    if (!connection.isAccepting || !incoming.socket.writable) {
      this.#leaveUnprocessed(connection, incoming);
      // Otherwise Node would keep each further request, although it gets no answer.
      discardInput(incoming.socket);
      return;
    }
    if (turns.waitingCount >= limits.maxWaitingRequests || !openRequests.enter(turns.current === undefined)) {
      this.#leaveUnprocessed(connection, incoming);
      this.#takeNoMore(connection);
      return;
    }
    outgoing.problem = problem;
    if (turns.accept(outgoing)) this.#begin(connection, outgoing);
  }

  /**
   * Ends a connection whose client has sent more than is kept. The client must repeat what was not answered (RFC 9112
   * §9.3.2).
   */
  #takeNoMore(connection: OpenConnection): void {
    const { turns, tlsSocket } = connection;
    const { current, newest } = turns;
    connection.acceptNoMore();
    if (newest === undefined || newest.headersSent) this.#closeAfter(current, tlsSocket);
    else newest.shouldKeepAlive = false;
    discardInput(tlsSocket);
  }

  /** Closes a connection whose client may still be sending, after the answer that is on its way. */
  #closeAfter(current: Http1Response | undefined, socket: Socket): void {
    if (current === undefined) socket.destroySoon();
    else current.once("close", () => socket.destroySoon());
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

  #begin(connection: OpenConnection, outgoing: Http1Response): void {
    const incoming = outgoing.req;
    connection.turns.begin(outgoing);
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
  }

  /** The answer has left, or the connection is gone. */
  #answered(outgoing: Http1Response): void {
    const connection = connectionOf(outgoing.req.socket);
    // Node also reports an answer as finished that was still being written when its socket was destroyed.
    const isDelivered = outgoing.writableFinished && outgoing.headersSent && !outgoing.req.socket.destroyed;
    outgoing.deliveryListener?.closed(isDelivered, outgoing);
    this.#options.openRequests.leave();
    if (!outgoing.shouldKeepAlive || !connection.tlsSocket.writable) this.#dropWaiting(connection);
    const next = connection.turns.over();
    if (next === undefined) connection.turns.takeLast();
    else this.#begin(connection, next);
  }

  #dropWaiting(connection: OpenConnection): void {
    const { waiting, last } = connection.turns.drop();
    this.#options.openRequests.leave(waiting.length);
    for (const { req } of waiting) this.#leaveUnprocessed(connection, req);
    last?.drop?.();
  }

  /** Reports a request that was read, and is not processed: its connection ends before its turn. */
  #leaveUnprocessed(connection: OpenConnection, incoming: IncomingMessage): void {
    this.#options.onUnprocessed({ connection, incoming, reason: "connection-ended" });
  }

  /**
   * Sets the last turn of a connection.
   * @param drop called instead, if the connection ends before that
   */
  #endWith(connection: OpenConnection, take: () => void, drop?: () => void): void {
    connection.acceptNoMore();
    if (connection.turns.current === undefined) take();
    else {
      connection.turns.endWith({ take, drop });
      discardInput(connection.tlsSocket);
    }
  }

  #refuseConnect(incoming: IncomingMessage, socket: Socket): void {
    const connection = connectionOf(socket);
    const leaveUnprocessed = () => this.#leaveUnprocessed(connection, incoming);
    if (!connection.isAccepting) {
      leaveUnprocessed();
      return;
    }
    // Node has removed its own timer.
    socket.setTimeout(this.#options.limits.inactivityTimeoutMs, () => socket.destroy());
    const refuse = () => {
      connection.begin();
      this.#answerRaw(connection, this.#options.answerProblem({ ...connectRequest, connection, incoming }));
    };
    this.#endWith(connection, refuse, leaveUnprocessed);
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
      this.#takeNoMore(connection);
      return;
    }
    const problem = describeParseError(error);
    if (problem !== undefined && connection.ignoresParseErrors) return;
    if (problem === undefined) {
      this.#refuseCutOff(connection);
      socket.destroy();
    } else if (connection.isUnused && problem.code === "REQUEST_TIMEOUT") {
      // The client would take an answer for the one to its first request.
      socket.destroySoon();
    } else {
      connection.malformed();
      const { newest } = connection.turns;
      if (newest === undefined || newest.req.complete) this.#endWithBrokenHead(connection, problem, error);
      else this.#endWithBrokenBody(connection, newest, problem);
    }
  }

  /** Answers the request that was still arriving when its connection failed. */
  #refuseCutOff(connection: OpenConnection): void {
    const { current, isWithheld } = connection.turns;
    const isCutOff = current?.req.complete === false && !current.headersSent && !isWithheld;
    if (isCutOff) this.#refuse(current, cutOff);
  }

  #endWithBrokenHead(connection: OpenConnection, problem: RequestProblem, error: Error): void {
    const line = problem.line ?? (isOfHead(error) ? { method: "HEAD" } : undefined);
    this.#endWith(connection, () => {
      this.#answerRaw(connection, this.#options.answerProblem({ ...problem, line, connection }), line?.method);
    });
  }

  /**
   * @param newest the request whose body is broken. It is handled now, it waits for its turn, or it is already
   *   answered.
   */
  #endWithBrokenBody(connection: OpenConnection, newest: Http1Response, problem: RequestProblem): void {
    const { turns, tlsSocket } = connection;
    const { current } = turns;
    const isWaiting = current !== undefined && newest !== current;
    if (!isWaiting && !newest.headersSent) {
      this.#refuse(newest, problem);
      return;
    }
    if (isWaiting) {
      newest.problem = problem;
      discardInput(tlsSocket);
    } else this.#closeAfter(current, tlsSocket);
  }

  #answerRaw(connection: OpenConnection, answer: ProtocolAnswer, method?: string): void {
    const { clock, limits } = this.#options;
    answerAndClose(connection.tlsSocket, answer, clock, limits.drainTimeoutMs, method);
  }
}
