import type { AssumptionSettings, RefusalAssumptionId } from "../assumptions.js";
import type { Client, ClientRegistry } from "../clients.js";
import type { Clock } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { DeliveryListener } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import { readHeader, repeated } from "../connection/raw-headers.js";
import type { ApplicationWire } from "../connection/wire.js";
import type { ErrorCode } from "../errors.js";
import type { Exchange } from "../journal/exchange.js";
import type { TakenStep } from "../journal/exchange-facts.js";
import type { CursorKeys } from "../lists/cursor.js";
import type { PagePlace } from "../lists/place.js";
import type { Parameters } from "../lists/problems.js";
import type { OperationName } from "../operations.js";
import type { RequestedScenario, ScenarioEngine } from "../scenarios/engine.js";
import type { CertificateRenewal, FaultyPage, IssuedToken, PageRequest } from "../scenarios/fault.js";
import type { Store } from "../store.js";
import type { TokenService } from "../tokens/token-service.js";
import type { OpenApiWriter, OperationFacts } from "./openapi/source.js";
import { noParameters, parseQueryParameters } from "./parameters.js";
import type { PathTemplate } from "./path.js";

/** How scenarios change the certificates of clients. Rejects with a Refusal if that is not possible now. */
export interface CertificateControl {
  /** Replaces the newest certificate of a client. */
  renew(client: Client, renewal: CertificateRenewal): Promise<void>;
  /** Ends a certificate of a client now. */
  end(client: Client, thumbprint: string, how: "expired" | "revoked"): Promise<void>;
}

/** The rule for correlation IDs (§7 rule 3). */
interface CorrelationIds {
  /** The correlation ID of the answer. */
  idFor(rawHeaders: readonly string[]): string;
  /** The refusal of a request for its correlation ID; undefined if nothing is wrong with it. */
  refusalFor(rawHeaders: readonly string[]): Error | undefined;
}

/** What the operations work with. Made once per sandbox, in `sandbox.ts`. */
export interface Service {
  readonly clock: Clock;
  /** The name of the misfit that has a certificate; undefined for other certificates. */
  readonly misfitName: (thumbprint: string) => string | undefined;
  readonly clients: ClientRegistry;
  readonly tokens: TokenService;
  readonly assumptions: AssumptionSettings;
  readonly correlation: CorrelationIds;
  readonly cursorKeys: CursorKeys;
  readonly scenarios: ScenarioEngine;
  /** Before every path: `/business/api`, or nothing. */
  readonly basePath: string;
  /** The largest request body that is read, in bytes. */
  readonly bodyLimit: number;
  /** Undefined where certificates cannot be changed. */
  readonly certificates?: CertificateControl | undefined;
  /**
   * Notes a request of a connection while the scenario for all renews the certificate of the server. Returns whether
   * its answer ends the connection, because the next one gets the new certificate.
   */
  readonly endsConnection?: ((connection: ConnectionFacts) => boolean) | undefined;
  /** Takes every exchange once its answer is known. */
  readonly recorder?: { exchange(exchange: Exchange): void };
  readonly store: Store;
}

/**
 * What comes with a request besides the request: bound by the TLS server, or injected by a test through `app.request`.
 */
export interface ApiBindings {
  /** How a fault sends the answer, if there is a connection. */
  wire?(): ApplicationWire;
  /** What the journal keeps of the connection. */
  readonly connectionFacts?: ConnectionFacts;
  /** How many requests the connection has carried, this one included. */
  readonly ordinal?: number;
  /** The stream of HTTP/2 that the request came on. */
  readonly stream?: number | undefined;
  /** Notifies a listener once the answer has left, or the connection is gone. */
  track?(listener: DeliveryListener): void;
  readonly peer: Peer;
  /** Node's request, if there is one: it has the target with its percent-encoding as it was sent. */
  readonly incoming?: {
    readonly url?: string | undefined;
    /** Discards the body, if it is not read. */
    resume?(): unknown;
  };
  /** Names and values in turn, as they were sent, if there is a request of Node. */
  readonly rawHeaders?: readonly string[];
}

/** The faults of a rule that act where an operation makes its answer. */
export interface AnswerFaults {
  /** Undefined for a replay, which changes neither counters nor the positions of cursors. */
  readonly counter: unknown;
  /** @returns what the token says that is issued */
  issue(token: IssuedToken): IssuedToken;
  /** @returns the page; undefined for the usual one */
  page(request: PageRequest): FaultyPage | undefined;
}

/** One request on its way through the steps of its operation. */
export class Call {
  #parameters: Parameters | undefined;
  /** The body of a token request as it is being read: it can be read once. */
  body: Promise<string> | undefined = undefined;
  /** The same, if it was read ahead. */
  peekedText = "";
  /** The scenario, or the fault of one, that its headers name; `repeated` if it is not known which of several. */
  readonly requested: RequestedScenario | typeof repeated | undefined;
  /** Whether it renewed its certificate: it is answered, even if the old one has ended with that. */
  hasRenewed = false;
  /** The rule that acts on it. */
  faults: AnswerFaults | undefined = undefined;

  constructor(
    readonly service: Service,
    readonly operation: Operation,
    readonly exchange: Exchange,
    readonly request: Request,
    /** The query as it was sent, without the question mark. */
    readonly query: string,
    readonly pathParameters: Readonly<Record<string, string>>,
    readonly bindings: ApiBindings,
  ) {
    this.requested = requestedIn(exchange);
  }

  /** How a fault sends the answer. */
  wire(): ApplicationWire {
    if (!this.bindings.wire) throw new Error("This request has no connection that can be broken.");
    return this.bindings.wire();
  }

  /** The decoded parameters of the query. */
  get parameters(): Parameters {
    this.#parameters ??= this.query === "" ? noParameters : parseQueryParameters(this.query);
    return this.#parameters;
  }
}

function requestedIn({ rawHeaders }: Exchange): Call["requested"] {
  const scenario = readHeader(rawHeaders, "sandbox-scenario");
  const replay = readHeader(rawHeaders, "sandbox-replay");
  if (scenario === repeated || replay === repeated) return repeated;
  return scenario === undefined && replay === undefined ? undefined : { scenario, replay };
}

/** What a refusal rests on: a code of the error table, or the assumption that leads to one. */
export type RefusalId = ErrorCode | RefusalAssumptionId;

/**
 * One check of an operation. It throws a `Refusal`, or lets the request pass. Only what must be awaited returns a
 * promise.
 */
export interface Step extends TakenStep {
  /**
   * What it can refuse with: each refusal that it throws has one of these as its first argument. OpenAPI derives from
   * it.
   */
  readonly refuses: readonly RefusalId[];
  readonly run: (call: Call) => void | Promise<void>;
}

/** Where a request is in its walk. */
export interface PlaceInWalk {
  /** Whether a cursor is sent. */
  readonly cursor: boolean;
  /** The number of the page, from 1; undefined with a cursor that cannot be opened. */
  readonly page: number | undefined;
  /** Undefined also if the request would be refused. It takes as long as the page. */
  place(): PagePlace | undefined;
}

/**
 * An operation of the interface, with everything that is known about it. Routing, OpenAPI and the journal derive from it.
 */
export interface Operation {
  readonly name: OperationName;
  /** The name of the list, for the operation `list`. */
  readonly list?: string;
  /** Where the rows are in an answer, for the operation `list`. */
  readonly rowsPath?: readonly string[] | undefined;
  readonly method: "GET" | "POST";
  readonly path: PathTemplate;
  readonly summary: string;
  /** The checks before the answer, in their order. The first one that throws decides. */
  readonly steps: readonly Step[];
  readonly answer: (call: Call) => Response | Promise<Response>;
  /** Says what a good answer was, for the journal. */
  readonly explain: (exchange: Exchange) => string;
  /** What OpenAPI says about it. A promise if its description is in a file that a start does not need. */
  readonly openApi: (writer: OpenApiWriter) => OperationFacts | Promise<OperationFacts>;
  /** The place of a request in its walk, for the conditions of scenarios. Only lists have walks. */
  readonly walk?: (call: Call) => PlaceInWalk;
}
