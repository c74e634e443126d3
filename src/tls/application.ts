import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import type { ApplicationResponse } from "./application-response.js";
import { type Connection, connectionOf, factsOf, type OpenConnection, sharedHeaders } from "./connection.js";
import { ConnectionFaults } from "./connection-faults.js";
import type { DeliveryListener } from "./protocol-problem.js";

/** What a request brings along besides itself. */
class ConnectionEnv {
  readonly peer: Peer;
  readonly connection: Connection;
  readonly #open: OpenConnection;
  readonly #drainTimeoutMs: number;

  constructor(
    readonly incoming: IncomingMessage,
    readonly outgoing: ApplicationResponse,
    connection: OpenConnection,
    drainTimeoutMs: number,
  ) {
    this.peer = connection.peer;
    this.connection = connection;
    this.#open = connection;
    this.#drainTimeoutMs = drainTimeoutMs;
  }

  /** Names and values in turn, as they were sent. */
  get rawHeaders(): readonly string[] {
    return sharedHeaders(this.#open, this.incoming.rawHeaders);
  }

  get connectionFacts(): ConnectionFacts {
    return factsOf(this.connection);
  }

  /** Tells a listener whether the whole answer was handed to the network, once that is known. */
  track(listener: DeliveryListener): void {
    this.outgoing.deliveryListener = listener;
  }

  /** The means to break the connection, in the place of an answer. */
  connectionFaults(): ConnectionFaults {
    return new ConnectionFaults(this.outgoing, this.#open, this.#drainTimeoutMs);
  }
}

/** The application. What it throws becomes a 500; a body that it does not want it leaves unread. */
export type Fetch = (request: Request, env: ConnectionEnv) => Response | Promise<Response>;

/** Answers in the application's place. */
interface FallbackAnswers {
  /** Where no URL can be made of a request. */
  unusable(outgoing: ApplicationResponse): void;
  /** Where the application failed. */
  failed(outgoing: ApplicationResponse, cause: unknown): void;
}

export interface ApplicationOptions {
  readonly fetch: Fetch;
  readonly fallback: FallbackAnswers;
  readonly drainTimeoutMs: number;
  /**
   * Whether Hono's adapter may put its light `Request` and `Response` in the place of the platform's. Where it may not, a ping takes
   * about three times the CPU (Node 20, November 2026).
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
    else if (!outgoing.destroyed) this.#options.fallback.failed(outgoing, cause);
    return RESPONSE_ALREADY_SENT;
  }

  /** What the adapter could make no URL of. */
  #answerAdapterError(error: unknown): void {
    const outgoing = this.#current;
    if (outgoing === undefined) return;
    if (error instanceof RequestError) this.#options.fallback.unusable(outgoing);
    else this.#options.fallback.failed(outgoing, error);
  }
}

/** Without a response, the adapter would tell the client of a TypeError. */
function present(response: Response | undefined): Response {
  if (response === undefined) throw new TypeError("The application returned no response.");
  return response;
}
