import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { Peer } from "../connection/peer.js";
import type { ApplicationResponse } from "./application-response.js";
import { connectionOf, factsOf, type OpenConnection, sharedHeaders } from "./connection.js";
import { ConnectionFaults } from "./connection-faults.js";
import { badRequest, type RequestProblem } from "./protocol-problem.js";
import type { DeliveryListener } from "./raw-answer.js";

/** What the application gets with a request. */
class ConnectionEnv {
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

const unusableUrl = badRequest("The Host header and the request target make no valid URL.");

export interface ApplicationOptions {
  readonly fetch: Fetch;
  readonly refuse: Refuse;
  readonly drainTimeoutMs: number;
  /**
   * Whether Hono's adapter may replace the global `Request` and `Response` by lighter ones. Otherwise a ping takes about three times
   * the CPU (Node 20, November 2026).
   */
  readonly overrideGlobalObjects: boolean;
}

/** @returns a function that hands a request to the application through Hono's adapter, and its response to the connection */
export function serveWith({ fetch, refuse, drainTimeoutMs, overrideGlobalObjects }: ApplicationOptions) {
  /** The answer to the request that the adapter is looking at: the adapter does not give it to its error handler. */
  let current: ApplicationResponse | undefined;

  function fail(outgoing: ApplicationResponse, cause: unknown): Response {
    if (outgoing.headersSent) setImmediate(() => outgoing.req.socket.destroy());
    // Otherwise the client is gone.
    else if (!outgoing.destroyed) refuse(outgoing, applicationFailure, cause);
    return RESPONSE_ALREADY_SENT;
  }

  function respond(request: Request, bindings: HttpBindings): Response | Promise<Response> {
    const incoming = bindings.incoming as IncomingMessage;
    const outgoing = bindings.outgoing as ApplicationResponse;
    try {
      const result = fetch(
        request,
        new ConnectionEnv(incoming, outgoing, connectionOf(incoming.socket), drainTimeoutMs),
      );
      return result instanceof Promise
        ? result.then(present).catch((cause: unknown) => fail(outgoing, cause))
        : present(result);
    } catch (cause) {
      return fail(outgoing, cause);
    }
  }

  const listener = getRequestListener((request, env) => respond(request, env as HttpBindings), {
    errorHandler(error) {
      if (current === undefined) return;
      if (error instanceof RequestError) refuse(current, unusableUrl);
      else refuse(current, applicationFailure, error);
    },
    // For HTTP/1.0 clients, who need not name a host.
    hostname: "localhost",
    overrideGlobalObjects,
  });

  return (incoming: IncomingMessage, outgoing: ApplicationResponse): void => {
    current = outgoing;
    listener(incoming, outgoing).catch((cause: unknown) => fail(outgoing, cause));
  };
}

/** Without a response, the adapter would send the client a TypeError. */
function present(response: Response | undefined): Response {
  if (response === undefined) throw new TypeError("The application returned no response.");
  return response;
}
