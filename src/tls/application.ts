import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ConnectionFacts } from "../connection-facts.js";
import type { Peer } from "../peer.js";
import { PlainResponse } from "../response.js";
import type { ApplicationResponse, DeliveryListener } from "./application-response.js";
import { type Connection, connectionOf, factsOf } from "./connection.js";
import { PlainRequest, plainUrlOf } from "./plain-request.js";
import { Wire } from "./wire.js";

/** What a request brings along besides itself. */
export class ConnectionEnv {
  constructor(
    readonly request: Request,
    readonly incoming: IncomingMessage,
    readonly outgoing: ApplicationResponse,
    readonly peer: Peer,
    readonly connection: Connection,
  ) {}

  get connectionFacts(): ConnectionFacts {
    return factsOf(this.connection);
  }

  /** Tells a listener whether the whole answer was handed to the network, once that is known. */
  track(listener: DeliveryListener): void {
    this.outgoing.deliveryListener = listener;
  }

  /** The means to break the connection, in the place of an answer. */
  wire(): Wire {
    return new Wire(this.outgoing, this.connection);
  }
}

/** The application. What it throws becomes a 500; a body that it does not want it leaves unread. */
export type Fetch = (request: Request, env: ConnectionEnv) => Response | Promise<Response>;

/** Answers in the application's place. */
export interface InItsPlace {
  /** Where no URL can be made of a request. */
  unusable(outgoing: ApplicationResponse): void;
  /** Where the application failed. */
  failed(outgoing: ApplicationResponse, cause: unknown): void;
}

/**
 * Hands requests to the application, and its responses to the connection.
 *
 * What has a body goes through the adapter of Hono, and so does a response that is a stream. A request without one, which is answered
 * with a text that is at hand, has no need of it: for a ping, the adapter would be a twentieth of the work.
 */
export class Application {
  readonly #fetch: Fetch;
  readonly #inItsPlace: InItsPlace;
  readonly #adapt: (incoming: IncomingMessage, outgoing: ApplicationResponse) => Promise<void>;
  /** The answer to the request that the adapter is looking at, for its error handler, which is not told. */
  #current: ApplicationResponse | undefined;

  constructor(fetch: Fetch, inItsPlace: InItsPlace) {
    this.#fetch = fetch;
    this.#inItsPlace = inItsPlace;
    this.#adapt = getRequestListener((request, env) => this.#respond(request, env as HttpBindings), {
      errorHandler: (error) => this.#answerAdapterError(error),
      // For HTTP/1.0 clients, who need not name a host.
      hostname: "localhost",
      overrideGlobalObjects: false,
    });
  }

  /** Has a request answered. @param bodiless whether it is known to have no body */
  serve(incoming: IncomingMessage, outgoing: ApplicationResponse, bodiless: boolean): void {
    const url = bodiless ? plainUrlOf(incoming, connectionOf(incoming.socket)) : undefined;
    if (url !== undefined) {
      const result = this.#call(new PlainRequest(url, incoming, outgoing), incoming, outgoing);
      if (result === RESPONSE_ALREADY_SENT) return;
      outgoing.prepared = result;
    }
    this.#current = outgoing;
    const adapted = this.#adapt(incoming, outgoing);
    // What has been written to its end cannot fail any more, and is not waited for: an answer does not throw.
    if (outgoing.writableEnded) return;
    adapted.catch((cause: unknown) => {
      if (outgoing.headersSent) outgoing.destroy();
      else this.#inItsPlace.failed(outgoing, cause);
    });
  }

  /** What the adapter is to write; a marker for what is written already. */
  #respond(request: Request, bindings: HttpBindings): Response | Promise<Response> {
    const outgoing = bindings.outgoing as ApplicationResponse;
    return outgoing.prepared ?? this.#call(request, bindings.incoming as IncomingMessage, outgoing);
  }

  #call(request: Request, incoming: IncomingMessage, outgoing: ApplicationResponse): Response | Promise<Response> {
    const connection = connectionOf(incoming.socket);
    const env = new ConnectionEnv(request, incoming, outgoing, connection.peer, connection);
    try {
      const result = this.#fetch(request, env);
      return result instanceof Promise ? this.#settle(result, outgoing) : this.#give(result, outgoing);
    } catch (cause) {
      return this.#fail(outgoing, cause);
    }
  }

  async #settle(result: Promise<Response>, outgoing: ApplicationResponse): Promise<Response> {
    try {
      return this.#give(await result, outgoing);
    } catch (cause) {
      return this.#fail(outgoing, cause);
    }
  }

  #give(response: Response | undefined, outgoing: ApplicationResponse): Response {
    // Without one, the adapter would tell the client of a TypeError.
    if (response === undefined) throw new TypeError("The application returned no response.");
    if (!(response instanceof PlainResponse)) return response;
    outgoing.give(response);
    return RESPONSE_ALREADY_SENT;
  }

  #fail(outgoing: ApplicationResponse, cause: unknown): Response {
    // Otherwise the client is gone, or has been told already.
    if (!outgoing.headersSent && !outgoing.destroyed) this.#inItsPlace.failed(outgoing, cause);
    return RESPONSE_ALREADY_SENT;
  }

  /** What the adapter could make no URL of. */
  #answerAdapterError(error: unknown): void {
    const outgoing = this.#current;
    if (outgoing === undefined) return;
    if (error instanceof RequestError) this.#inItsPlace.unusable(outgoing);
    else this.#inItsPlace.failed(outgoing, error);
  }
}
