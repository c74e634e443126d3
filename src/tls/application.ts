import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import type { ApplicationResponse } from "./application-response.js";
import { connectionOf, factsOf, type OpenConnection, sharedHeaders } from "./connection.js";
import { ConnectionFaults } from "./connection-faults.js";
import type { RequestProblem } from "./protocol-problem.js";
import type { DeliveryListener } from "./raw-answer.js";

/** What the application gets with a request. */
export class ConnectionEnv {
  readonly #drainTimeoutMs: number;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ApplicationResponse,
    readonly connection: OpenConnection,
    drainTimeoutMs: number,
  ) {
    this.#drainTimeoutMs = drainTimeoutMs;
  }

  get peer(): Peer {
    return this.connection.peer;
  }

  /** Names and values in turn, as they were sent. */
  get rawHeaders(): readonly string[] {
    return sharedHeaders(this.connection, this.incoming.rawHeaders);
  }

  get connectionFacts(): ConnectionFacts {
    return factsOf(this.connection);
  }

  /** Tells a listener whether the whole answer was handed to the network, once that is known. */
  track(listener: DeliveryListener): void {
    this.outgoing.deliveryListener = listener;
  }

  /** The means to break the connection instead of an answer. */
  connectionFaults(): ConnectionFaults {
    return new ConnectionFaults(this.outgoing, this.connection, this.#drainTimeoutMs);
  }
}

/** The application. What it throws becomes a 500. It may leave the body unread. */
export type Fetch = (request: Request, env: ConnectionEnv) => Response | Promise<Response>;

/** Answers instead of the application. @param cause what the application threw */
export type Refuse = (outgoing: ApplicationResponse, problem: RequestProblem, cause?: unknown) => void;

export const applicationFailure: RequestProblem = {
  code: "INTERNAL_SERVER_ERROR",
  reason: "The server could not answer the request.",
};

const unusableUrl: RequestProblem = {
  code: "BAD_REQUEST",
  reason: "The Host header and the request target make no valid URL.",
};

interface ApplicationOptions {
  readonly fetch: Fetch;
  readonly refuse: Refuse;
  readonly drainTimeoutMs: number;
  /**
   * Whether Hono's adapter may replace the global `Request` and `Response` by lighter ones. Otherwise a ping takes about three times
   * the CPU (Node 20, November 2026).
   */
  readonly overrideGlobalObjects: boolean;
}

/** Hands requests to the application through Hono's adapter, and its responses to the connection. */
export class Application {
  readonly #options: ApplicationOptions;
  readonly #listener: (incoming: IncomingMessage, outgoing: ApplicationResponse) => Promise<void>;
  /** The answer to the request that the adapter is looking at, for its error handler, which is not told. */
  #current: ApplicationResponse | undefined;

  constructor(options: ApplicationOptions) {
    this.#options = options;
    this.#listener = getRequestListener((request, env) => this.#respond(request, env as HttpBindings), {
      errorHandler: (error) => this.#answerAdapterError(error),
      // For HTTP/1.0 clients, who need not name a host.
      hostname: "localhost",
      overrideGlobalObjects: options.overrideGlobalObjects,
    });
  }

  /** Has a request answered. */
  serve(incoming: IncomingMessage, outgoing: ApplicationResponse): void {
    this.#current = outgoing;
    this.#listener(incoming, outgoing).catch((cause: unknown) => this.#fail(outgoing, cause));
  }

  #respond(request: Request, { incoming, outgoing }: HttpBindings): Response | Promise<Response> {
    const response = outgoing as ApplicationResponse;
    const connection = connectionOf((incoming as IncomingMessage).socket);
    const env = new ConnectionEnv(incoming as IncomingMessage, response, connection, this.#options.drainTimeoutMs);
    try {
      const result = this.#options.fetch(request, env);
      return result instanceof Promise
        ? result.then(present).catch((cause: unknown) => this.#fail(response, cause))
        : present(result);
    } catch (cause) {
      return this.#fail(response, cause);
    }
  }

  #fail(outgoing: ApplicationResponse, cause: unknown): Response {
    if (outgoing.headersSent) setImmediate(() => outgoing.req.socket.destroy());
    // Otherwise the client is gone.
    else if (!outgoing.destroyed) this.#options.refuse(outgoing, applicationFailure, cause);
    return RESPONSE_ALREADY_SENT;
  }

  /** What the adapter could make no URL of. */
  #answerAdapterError(error: unknown): void {
    const outgoing = this.#current;
    if (outgoing === undefined) return;
    if (error instanceof RequestError) this.#options.refuse(outgoing, unusableUrl);
    else this.#options.refuse(outgoing, applicationFailure, error);
  }
}

/** Without a response, the adapter would tell the client of a TypeError. */
function present(response: Response | undefined): Response {
  if (response === undefined) throw new TypeError("The application returned no response.");
  return response;
}
