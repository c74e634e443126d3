import { createServer, type IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";
import type { Clock } from "../clock.js";
import { Application, type Fetch } from "./application.js";
import { type ApplicationResponse, applicationResponseFor } from "./application-response.js";
import { connectionOf, isAnswering, type OpenConnection } from "./connection.js";
import { endEmptyBody } from "./empty-body.js";
import type { Limits } from "./limits.js";
import { lingerAndClose } from "./linger.js";
import { describeParseError } from "./parse-error.js";
import type { AnswerProblem, ProtocolAnswer, ProtocolCode } from "./protocol-problem.js";
import { answerAndClose } from "./raw-answer.js";
import { findRequestFault } from "./request-check.js";
import { SharingRequest } from "./shared-headers.js";

export interface HttpServerOptions {
  readonly fetch: Fetch;
  /** Must not throw. */
  readonly answerProblem: AnswerProblem;
  readonly limits: Limits;
  readonly clock: Clock;
}

/**
 * HTTP/1.1 on connections that are handed to it. Every request, and everything that is not quite one, gets an answer: the
 * application's, or that of `answerProblem`.
 */
export class HttpServer {
  readonly #server: Server<typeof SharingRequest, typeof ApplicationResponse>;
  readonly #options: HttpServerOptions;
  readonly #application: Application;

  constructor(options: HttpServerOptions) {
    const { limits } = options;
    this.#options = options;
    this.#application = new Application(options.fetch, {
      unusable: (outgoing) => this.#refuseUrl(outgoing),
      failed: (outgoing, cause) => this.#answerException(outgoing, cause),
    });
    this.#server = createServer<typeof SharingRequest, typeof ApplicationResponse>({
      IncomingMessage: SharingRequest,
      ServerResponse: applicationResponseFor(options.answerProblem),
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkingIntervalMs,
      // Node would refuse it with an empty body, and accept two.
      requireHostHeader: false,
      insecureHTTPParser: false,
    });
    // Their size is bounded; a bound on their number would drop the last ones silently.
    this.#server.maxHeadersCount = 0;
    this.#server.on("request", (incoming, outgoing) => this.#serve(incoming, outgoing));
    this.#server.on("checkContinue", (incoming, outgoing) => this.#serveContinuing(incoming, outgoing));
    this.#server.on("checkExpectation", (incoming, outgoing) => this.#refuseExpectation(incoming, outgoing));
    this.#server.on("connect", (incoming, socket) => this.#refuseConnect(incoming, socket as Socket));
    this.#server.on("clientError", (error, socket) => this.#answerParseError(error, socket as Socket));
    // On this event Node starts its clock for slow requests. A server that listens nowhere never has it by itself.
    this.#server.emit("listening");
  }

  /** Serves HTTP on a connection, which `attachConnection` knows already. */
  accept(connection: OpenConnection): void {
    const socket = connection.tlsSocket;
    // Node calls this after the last answer of a connection; it would close on a client that is still sending.
    socket.destroySoon = () => {
      const incoming = connection.newestResponse?.req;
      if (incoming === undefined || incoming.complete) return Socket.prototype.destroySoon.call(socket);
      connection.refused = true;
      lingerAndClose(socket, this.#options.limits.drainTimeoutMs, incoming);
    };
    // Node does this only for requests that were not answered. One that was may still be read by the application.
    socket.once("close", () => {
      const incoming = connection.newestResponse?.req;
      if (incoming?.complete === false) incoming.destroy();
    });
    this.#server.emit("connection", socket);
  }

  /** Closes a connection as soon as no answer is owed on it. */
  closeWhenIdle(connection: OpenConnection): void {
    const { newestResponse, tlsSocket } = connection;
    if (!isAnswering(connection) || newestResponse === undefined) {
      tlsSocket.destroySoon();
      return;
    }
    if (!newestResponse.headersSent) newestResponse.shouldKeepAlive = false;
    newestResponse.once("close", () => tlsSocket.destroySoon());
  }

  /** Stops the clock for slow requests. To be called when the last connection is gone. */
  close(): void {
    this.#server.close();
  }

  #serve(incoming: IncomingMessage, outgoing: ApplicationResponse): void {
    const connection = register(incoming, outgoing);
    if (connection === undefined) return;
    const fault = findRequestFault(incoming, connection);
    if (fault !== undefined) {
      outgoing.replace(this.#answer("BAD_REQUEST", fault, incoming));
      return;
    }
    // An upgrade is optional for the server (RFC 9110 §7.8), but the parser gives up what follows it.
    if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
    this.#application.serve(incoming, outgoing, endEmptyBody(incoming));
  }

  /** RFC 9110 §10.1.1: the client is asked for its body only when the application begins to read it. */
  #serveContinuing(incoming: IncomingMessage, outgoing: ApplicationResponse): void {
    incoming.once("resume", () => {
      if (!outgoing.headersSent) outgoing.writeContinue();
    });
    this.#serve(incoming, outgoing);
  }

  #refuseExpectation(incoming: IncomingMessage, outgoing: ApplicationResponse): void {
    if (register(incoming, outgoing) === undefined) return;
    const reason = "The only expectation that this server meets is 100-continue.";
    outgoing.replace(this.#answer("EXPECTATION_FAILED", reason, incoming));
  }

  #refuseConnect(incoming: IncomingMessage, socket: Socket): void {
    const reason = "CONNECT asks for a proxy, which this server is not.";
    const connection = connectionOf(socket);
    connection.requestCount++;
    this.#answerLast(connection, () => this.#answer("BAD_REQUEST", reason, incoming));
  }

  #refuseUrl(outgoing: ApplicationResponse): void {
    const reason = "The Host header and the request target make no valid URL.";
    outgoing.replace(this.#answer("BAD_REQUEST", reason, outgoing.req));
  }

  /** Errors of the parser and of its clock. Errors of the connection itself come here, too. */
  #answerParseError(error: Error, socket: Socket): void {
    // RFC 9112 §9.6: what follows a request with "Connection: close" is not looked at.
    if ("code" in error && error.code === "HPE_CLOSED_CONNECTION") return;
    const connection = connectionOf(socket);
    const problem = describeParseError(error);
    if (problem === undefined) {
      socket.destroy();
      return;
    }
    // The parser reports the same again for each packet that follows.
    if (connection.refused) return;
    const newest = connection.newestResponse;
    if (newest === undefined && problem.code === "REQUEST_TIMEOUT" && socket.bytesRead === 0) {
      // Opened in advance and never used. An answer to no request would be taken for the answer to the first one.
      socket.destroySoon();
      return;
    }
    connection.refused = true;
    if (newest === undefined || newest.req.complete) {
      this.#answerLast(connection, () => this.#answerConnection(problem.code, problem.reason, connection));
    } else if (newest.headersSent) {
      // It broke in a body that nobody waits for any more.
      this.closeWhenIdle(connection);
    } else {
      newest.replace(this.#answer(problem.code, problem.reason, newest.req));
    }
  }

  /** Answers what follows the requests of a connection, when they have been answered. */
  #answerLast(connection: OpenConnection, makeAnswer: () => ProtocolAnswer): void {
    const { newestResponse, tlsSocket } = connection;
    const { clock, limits } = this.#options;
    connection.refused = true;
    const write = () => answerAndClose(tlsSocket, makeAnswer(), clock, limits.drainTimeoutMs);
    if (newestResponse !== undefined && isAnswering(connection)) newestResponse.once("close", write);
    else write();
  }

  /** What the application throws stays inside. */
  #answerException(outgoing: ApplicationResponse, cause: unknown): void {
    const incoming = outgoing.req;
    const connection = connectionOf(incoming.socket);
    const code = "INTERNAL_SERVER_ERROR";
    const reason = "The server could not answer the request.";
    outgoing.replace(this.#options.answerProblem({ code, reason, peer: connection.peer, connection, incoming, cause }));
  }

  #answer(code: ProtocolCode, reason: string, incoming: IncomingMessage): ProtocolAnswer {
    const connection = connectionOf(incoming.socket);
    return this.#options.answerProblem({ code, reason, peer: connection.peer, connection, incoming });
  }

  #answerConnection(code: ProtocolCode, reason: string, connection: OpenConnection): ProtocolAnswer {
    return this.#options.answerProblem({ code, reason, peer: connection.peer, connection });
  }
}

/** Counts a request and makes it the newest of its connection; undefined where the connection has had its last answer. */
function register(incoming: IncomingMessage, outgoing: ApplicationResponse): OpenConnection | undefined {
  const connection = connectionOf(incoming.socket);
  if (connection.refused) return undefined;
  connection.requestCount++;
  connection.newestResponse = outgoing;
  return connection;
}
