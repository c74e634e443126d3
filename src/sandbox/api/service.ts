import type { AssumptionSettings, RefusalAssumptionId } from "../assumptions.js";
import type { Client, ClientRegistry } from "../clients.js";
import type { Clock } from "../clock.js";
import type { ConnectionFacts } from "../connection/connection-facts.js";
import type { FaultyResponse } from "../connection/faulty-response.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import type { DeliveryListener } from "../connection/passage.js";
import type { Peer } from "../connection/peer.js";
import type { ErrorCode } from "../errors.js";
import type { Exchange } from "../journal/exchange.js";
import type { CursorKeys } from "../lists/cursor.js";
import type { Parameters } from "../lists/problems.js";
import type { OperationName } from "../operations.js";
import type { ScenarioEngine } from "../scenarios/engine.js";
import type { TokenService } from "../tokens/token-service.js";
import type { CorrelationRule } from "./correlation-rule.js";
import { parseQueryParameters } from "./parameters.js";
import type { PathTemplate } from "./path.js";

/** What requests need of a sandbox that shares its state with others. */
export interface ApiSharing {
  /** Why no request can be answered now; undefined if requests can. Called for every request. */
  unavailable(): string | undefined;
  /** Moves a client's clock at every replica, by milliseconds. */
  advance(client: Client, by: number): Promise<void>;
  /** Makes every replica refuse a token from now on. @param token its `jti` */
  revoke(client: Client, token: string): Promise<void>;
}

/** What the operations work with. Made once per sandbox, in `sandbox.ts`. */
export interface Service {
  readonly clock: Clock;
  /** The machine's clock, for what clients compare with their own. */
  readonly realTime: Clock;
  /** The name of the misfit that has a certificate; undefined for other certificates. */
  readonly misfitOf: (thumbprint: string) => string | undefined;
  readonly clients: ClientRegistry;
  readonly tokens: TokenService;
  readonly assumptions: AssumptionSettings;
  readonly correlation: CorrelationRule;
  readonly cursorKeys: CursorKeys;
  readonly scenarios: ScenarioEngine;
  /** Before every path: `/business/api`, or nothing. */
  readonly basePath: string;
  /** The largest request body that is read, in bytes. */
  readonly bodyLimit: number;
  /** Called with every exchange once its answer is known. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Undefined for a sandbox that shares no state. */
  readonly shared?: ApiSharing | undefined;
}

/** What comes with a request besides the request: bound by the TLS server, or injected by a test through `app.request`. */
export interface ApiBindings {
  /** Makes the means to break the connection, if there is one. */
  connectionFaults?(): ConnectionFaults;
  /** What the journal keeps of the connection. */
  readonly connectionFacts?: ConnectionFacts;
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

/** The means to break a connection, instead of an answer. The TLS server has them; a test may provide its own. */
export interface ConnectionFaults {
  reset(): Response;
  close(): Response;
  hang(duration: number): Promise<Response>;
  garbage(bytes: Uint8Array): Response;
  /** @param after how many bytes of the body arrive; half of them if it is undefined */
  truncate(answer: FaultyResponse, after: number | undefined): Promise<Response>;
  drip(answer: FaultyResponse, duration: number): Promise<Response>;
  /** REFUSED_STREAM (RFC 9113 §8.7); over HTTP/1.1 as `close`. */
  refuseStream(): Response;
  /** RST_STREAM; over HTTP/1.1 as `reset`. */
  resetStream(code: Http2ErrorCode): Response;
  /** Announces with GOAWAY that the connection ends (RFC 9113 §6.8). This answer follows, and those to other open requests. */
  goAway(code: Http2ErrorCode): void;
  /** The same, but this stream is not processed; over HTTP/1.1 as `close`. */
  goAwayBefore(code: Http2ErrorCode): Response;
  /** Sends an answer as it is, with no header that the adapter would add. */
  send(answer: FaultyResponse): Response;
}

/** One request on its way through the steps of its operation. */
export class Call {
  #parameters: Parameters | undefined;
  /** The body of a token request as it is being read: it can be read once. */
  body: Promise<string> | undefined = undefined;
  /** The same, if it was read ahead. */
  peekedText = "";

  constructor(
    readonly service: Service,
    readonly exchange: Exchange,
    readonly request: Request,
    /** The query as it was sent, without the question mark. */
    readonly query: string,
    readonly pathParameters: Readonly<Record<string, string>>,
    readonly bindings: ApiBindings,
  ) {}

  /** The means to break the connection of this request. */
  connectionFaults(): ConnectionFaults {
    if (!this.bindings.connectionFaults) throw new Error("This request has no connection that can be broken.");
    return this.bindings.connectionFaults();
  }

  /** The decoded parameters of the query. */
  get parameters(): Parameters {
    this.#parameters ??= parseQueryParameters(this.query);
    return this.#parameters;
  }
}

/** What a refusal rests on: a code of the error table, or the assumption that leads to one. */
export type RefusalId = ErrorCode | RefusalAssumptionId;

/** One check of an operation. It throws a `Refusal`, or lets the request pass. Only what must be awaited returns a promise. */
export interface Step {
  readonly name: string;
  /** What is checked, for the decisions of the journal. */
  readonly checks: string;
  /** The query parameters that the operation knows, if this step reads them. */
  readonly parameters?: readonly string[];
  /** What it can refuse with: each refusal that it throws has one of these as its first argument. OpenAPI derives from it. */
  readonly refuses: readonly RefusalId[];
  readonly run: (call: Call) => void | Promise<void>;
}

/** One row of the table of operations. Documentation, OpenAPI and the journal's decisions derive from it. */
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
  /** The place of a request in its walk, for the conditions of scenarios. Only lists have walks. */
  readonly walk?: (call: Call) => { readonly cursor: boolean; readonly page: number | undefined };
}
