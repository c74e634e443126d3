import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { DeliveryListener } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import type { ApplicationWire } from "../connection/wire.js";
import type { OpenConnection } from "./connection.js";
import type { Outgoing } from "./outgoing.js";
import { badRequest, type RequestProblem } from "./protocol-problem.js";

/** A request as Node has read it. */
type Incoming = IncomingMessage | Http2ServerRequest;

/** How a version of HTTP carries requests and answers. */
export interface Carrier<Answer extends Outgoing> {
  connectionOf(outgoing: Answer): OpenConnection;
  /** Names and values in turn, as they were sent. */
  rawHeadersOf(outgoing: Answer): readonly string[];
  /** The stream of HTTP/2. */
  streamOf(outgoing: Answer): number | undefined;
  wireFor(outgoing: Answer): ApplicationWire;
  /** Ends an answer of which a part is sent. Only this shows the client that the rest will not come. */
  abandon(outgoing: Answer): void;
  /**
   * Answers instead of the application.
   * @param cause what the application threw
   */
  refuse(outgoing: Answer, problem: RequestProblem, cause?: unknown): void;
  /** Whether the adapter leaves an unread body alone. */
  readonly leavesBodies: boolean;
}

/** What the application gets with a request. */
class ConnectionEnv {
  readonly #carrier: Carrier<Outgoing>;
  readonly connection: OpenConnection;

  constructor(
    readonly incoming: Incoming,
    readonly outgoing: Outgoing,
    carrier: Carrier<Outgoing>,
  ) {
    this.#carrier = carrier;
    this.connection = carrier.connectionOf(outgoing);
  }

  get peer(): Peer {
    return this.connection.peer;
  }

  /** Names and values in turn, as they were sent. */
  get rawHeaders(): readonly string[] {
    return this.#carrier.rawHeadersOf(this.outgoing);
  }

  get connectionFacts(): ConnectionFacts {
    return this.connection.facts;
  }

  /** How many requests the connection has carried, this one included. */
  get ordinal(): number {
    return this.outgoing.ordinal;
  }

  /** The stream of HTTP/2. */
  get stream(): number | undefined {
    return this.#carrier.streamOf(this.outgoing);
  }

  /** Notifies a listener whether the whole answer was passed to the network, once that is known. */
  track(listener: DeliveryListener): void {
    this.outgoing.deliveryListener = listener;
  }

  /** How a fault sends the answer, or breaks its connection. */
  wire(): ApplicationWire {
    return this.#carrier.wireFor(this.outgoing);
  }
}

/** The application. What it throws becomes a 500. It may leave the body unread. */
export type Fetch = (request: Request, env: ConnectionEnv) => Response | Promise<Response>;

export const applicationFailure: RequestProblem = {
  code: "INTERNAL_SERVER_ERROR",
  reason: "The server could not answer the request.",
};

const unusableUrl = badRequest("The Host header and the request target do not make a valid URL.");

export interface ApplicationOptions {
  readonly fetch: Fetch;
  /**
   * Whether Hono's adapter may replace the global `Request` and `Response` by lighter ones. Without them, a ping takes
   * about three times the CPU time.
   */
  readonly overrideGlobalObjects: boolean;
}

/**
 * @returns a function that passes a request to the application through Hono's adapter, and its response to the
 *   connection
 */
export function serveWith<Answer extends Outgoing>(
  { fetch, overrideGlobalObjects }: ApplicationOptions,
  carrier: Carrier<Answer>,
): (incoming: Incoming, outgoing: Answer) => void {
  /** The answer to the request that the adapter is handling: the adapter does not pass it to its error handler. */
  let current: Answer | undefined;

  function fail(outgoing: Answer, cause: unknown): Response {
    if (outgoing.headersSent) carrier.abandon(outgoing);
    // Otherwise the client is gone.
    else if (!outgoing.isGone) carrier.refuse(outgoing, applicationFailure, cause);
    return RESPONSE_ALREADY_SENT;
  }

  function respond(request: Request, bindings: HttpBindings): Response | Promise<Response> {
    const incoming: Incoming = bindings.incoming;
    const outgoing = bindings.outgoing as unknown as Answer;
    try {
      const result = fetch(request, new ConnectionEnv(incoming, outgoing, carrier as unknown as Carrier<Outgoing>));
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
      if (error instanceof RequestError) carrier.refuse(current, unusableUrl);
      else carrier.refuse(current, applicationFailure, error);
    },
    // For HTTP/1.0 clients, which need not name a host.
    hostname: "localhost",
    autoCleanupIncoming: !carrier.leavesBodies,
    overrideGlobalObjects,
  });

  return (incoming, outgoing) => {
    current = outgoing;
    listener(incoming, outgoing as never).catch((cause: unknown) => fail(outgoing, cause));
  };
}

/** Without a response, the adapter would send the client a TypeError. */
function present(response: Response | undefined): Response {
  if (response === undefined) throw new TypeError("The application returned no response.");
  return response;
}
