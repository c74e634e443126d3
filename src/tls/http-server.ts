import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Clock } from "../clock.js";
import type { Peer } from "../peer.js";
import { FastResponse } from "../response.js";
import { type ApplicationResponse, applicationResponseFor } from "./application-response.js";
import { type Connection, connectionOf, isAnswering, type OpenConnection } from "./connection.js";
import type { Limits } from "./limits.js";
import { describeParseError } from "./parse-error.js";
import type { AnswerProblem, ProtocolAnswer, ProtocolCode, ProtocolProblem } from "./protocol-problem.js";
import { answerAndClose } from "./raw-answer.js";
import { findRequestFault } from "./request-check.js";

/** What a request brings along besides itself. */
export interface ConnectionEnv {
  readonly incoming: IncomingMessage;
  readonly outgoing: ApplicationResponse;
  readonly peer: Peer;
  readonly connection: Connection;
}

/** The application. An exception becomes a 500; a body that is refused may be left unread. */
export type Fetch = (request: Request, env: ConnectionEnv) => Response | Promise<Response>;

export interface HttpServerOptions {
  readonly fetch: Fetch;
  /** Must not throw. */
  readonly answerProblem: AnswerProblem;
  readonly limits: Limits;
  readonly clock: Clock;
}

/**
 * An HTTP server that listens nowhere: TLS connections are put into it by the event `connection`, and each must have been given to
 * `attachConnection` before. It answers every request, and everything that is not one, with the application's answer or with that of
 * `answerProblem`.
 */
export class HttpServer {
  readonly #server: Server<typeof IncomingMessage, typeof ApplicationResponse>;
  readonly #options: HttpServerOptions;
  readonly #listener: (incoming: IncomingMessage, outgoing: ApplicationResponse) => Promise<void>;
  #closing = false;

  constructor(options: HttpServerOptions) {
    const { limits } = options;
    this.#options = options;
    this.#listener = getRequestListener((request, env) => this.#fetch(request, env as ConnectionEnv), {
      errorHandler: (error) => this.#answerListenerError(error),
      // For HTTP/1.0 clients, who need not name a host.
      hostname: "localhost",
      overrideGlobalObjects: false,
    });
    this.#server = createServer<typeof IncomingMessage, typeof ApplicationResponse>({
      ServerResponse: applicationResponseFor(options.answerProblem),
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.checkingIntervalMs,
      // Both are answered here, with a body.
      requireHostHeader: false,
      insecureHTTPParser: false,
    });
    // The size of all headers is bounded; a bound on their number would drop the last ones silently.
    this.#server.maxHeadersCount = 0;
    this.#server.on("request", (incoming, outgoing) => this.#serve(incoming, outgoing));
    this.#server.on("checkContinue", (incoming, outgoing) => this.#serveAfterContinue(incoming, outgoing));
    this.#server.on("checkExpectation", (incoming, outgoing) => {
      const reason = "The only expectation that can be met is 100-continue.";
      this.#register(incoming, outgoing);
      outgoing.replace(this.#problem(incoming, "EXPECTATION_FAILED", reason));
    });
    this.#server.on("connect", (incoming, socket) => {
      const reason = "CONNECT asks for a proxy, which this server is not.";
      this.#answerLast(socket as Socket, { code: "BAD_REQUEST", reason, incoming });
    });
    this.#server.on("clientError", (error, socket) => this.#answerParseError(error, socket as Socket));
    // Node starts its clock for slow requests on this event, which a server that listens nowhere never has.
    this.#server.emit("listening");
  }

  /** Serves HTTP on a connection. */
  accept(connection: OpenConnection): void {
    const socket = connection.tlsSocket;
    attachLingering(connection, this.#options.limits);
    this.#server.emit("connection", socket);
  }

  /** From now on every answer is the last of its connection. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** Stops the clock for slow requests; to be called when the last connection is gone. */
  close(): void {
    this.#server.close();
  }
