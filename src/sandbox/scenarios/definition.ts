import type { RefusalAssumptionId } from "../assumptions.js";
import type { Http2ErrorCode } from "../connection/http2-error.js";
import type { ErrorCode } from "../errors.js";
import type { OperationName } from "../operations.js";
import type { CertificateCondition } from "./certificate-condition.js";
import type { RetryAfter } from "./retry-after.js";
import type { TextPattern } from "./text-pattern.js";

/** One `when`/`then`. The conditions apply in the order `when`, `skip`, `every`, `limit`, `probability`. */
export interface Rule {
  readonly name: string;
  readonly when: Condition;
  /** Whose requests the rule counts: those of each client separately, or those of all clients together. */
  readonly share: "client" | "all";
  /** How many matching requests pass before the rule begins to act. */
  readonly skip: number;
  /** Of the matching requests after that, only each n-th. */
  readonly every: number;
  /** How many faults the rule makes at most. */
  readonly limit: number;
  /** How likely the rule acts, from 0 to 1. */
  readonly probability: number;
  readonly fault: Fault;
}

/** What a request must be like. Undefined: no condition. */
export interface Condition {
  /** One of these operations. */
  readonly operations?: readonly OperationName[] | undefined;
  readonly method?: "GET" | "POST" | undefined;
  readonly list?: string | undefined;
  /** The client for which the certificate of the connection is registered. */
  readonly client?: string | undefined;
  /** What the client presented in the handshake. */
  readonly certificate?: CertificateCondition | undefined;
  /** Number of the page in its walk, from 1. */
  readonly page?: number | undefined;
  /** Whether a cursor is sent. */
  readonly cursor?: boolean | undefined;
  /** Parameters of the query. */
  readonly query?: NamedValues | undefined;
  /** Headers, by their names in lower case. */
  readonly headers?: NamedValues | undefined;
  /** Fields of the form of a token request. */
  readonly form?: NamedValues | undefined;
  /** For how many times in a row the same request comes, this one included. */
  readonly attempt?: number | undefined;
  /** Milliseconds since the scenario was activated, at which the rule begins. On the client's clock. */
  readonly after?: number | undefined;
  /** Milliseconds for which the rule holds from then on. */
  readonly duration?: number | undefined;
}

/** Pairs, because every request that a rule may hold for iterates over them. */
export type NamedValues = readonly (readonly [name: string, wanted: WantedValue])[];

/** An exact value, several values of which one must be sent, or whether the parameter is sent at all. */
export type WantedValue = string | boolean | readonly (string | TextPattern)[];

/** What a rule does. Several can be combined if they change different things: `fault-schema.ts` says which. */
export interface Fault {
  readonly delay?: Delay | undefined;
  readonly clock?: ClockFault | undefined;
  readonly error?: InjectedError | undefined;
  readonly respond?: InjectedResponse | undefined;
  readonly alter?: Alteration | undefined;
  readonly connection?: ConnectionFault | undefined;
  readonly stream?: StreamFault | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly concurrency?: ConcurrencyLimit | undefined;
  readonly token?: TokenFault | undefined;
  readonly page?: PageFault | undefined;
}

/** Milliseconds. */
export type Delay =
  | { readonly kind: "fixed"; readonly duration: number }
  | { readonly kind: "uniform"; readonly min: number; readonly max: number }
  | { readonly kind: "lognormal"; readonly median: number; readonly sigma: number; readonly max: number };

/** Moves the client's clock forward, in milliseconds. */
export interface ClockFault {
  readonly advance: number;
}

export interface InjectedError {
  /** A code of the error table, or the assumption that leads to one. */
  readonly code: ErrorCode | RefusalAssumptionId;
  /** Instead of the code's own. */
  readonly status: number | undefined;
  readonly message: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfter: RetryAfter | undefined;
}

interface InjectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfter: RetryAfter | undefined;
  /** The body as it is sent: text as it is, anything else as JSON. */
  readonly body: string;
}

/** How the real answer is changed. Undefined: it stays as it is. */
export interface Alteration {
  readonly status: number | undefined;
  /** Values to set, and null for headers to remove. */
  readonly headers: Readonly<Record<string, string | null>>;
  /** A JSON Merge Patch (RFC 7396) of the body. Undefined for none, because null is a patch. */
  readonly body: unknown;
  /** The same for each row of a page. */
  readonly rows: unknown;
  /** Paths of members that become null. */
  readonly setNull: readonly (readonly string[])[];
}

export type ConnectionFault =
  | { readonly kind: "reset" }
  /** It acts on new connections, not on requests. */
  | { readonly kind: "reset"; readonly when: "handshake" }
  | { readonly kind: "close" }
  | { readonly kind: "hang"; readonly duration: number }
  /** After how many bytes of the body; undefined: after half of them. */
  | { readonly kind: "truncate"; readonly after: number | undefined }
  | { readonly kind: "garbage" }
  | { readonly kind: "drip"; readonly duration: number }
  /** `before`: the request is the first one that is not processed. */
  | { readonly kind: "goaway"; readonly code: Http2ErrorCode; readonly lastStream: "this" | "before" };

/** Breaks one stream of HTTP/2. Over HTTP/1.1, the connection. */
export type StreamFault = { readonly kind: "refused" } | { readonly kind: "reset"; readonly code: Http2ErrorCode };

/** A token bucket: it holds `limit` requests, and fills up again within `per` milliseconds. */
export interface RateLimit {
  readonly limit: number;
  readonly per: number;
  readonly retryAfter: Partial<RetryAfter> | undefined;
}

/** While this number of requests of the rule is open, another one is refused. */
export interface ConcurrencyLimit {
  readonly limit: number;
  readonly retryAfter: RetryAfter | undefined;
}

interface TokenFault {
  /** How long the token is really valid, in milliseconds. The answer announces the usual lifetime. */
  readonly expiresIn?: number | undefined;
  /** Bind the token to a certificate that does not exist. */
  readonly otherCertificate: boolean;
  /** The `token_type` of the answer. */
  readonly tokenType?: string | undefined;
  /**
   * Refuse the token of this request from now on. It cannot be combined with the others, because it acts where a token
   * is used, not where it is issued.
   */
  readonly revoke: boolean;
}

/** It has one of these. */
export interface PageFault {
  /** The number of rows that were created before this page since the walk began: rows of the page before come again. */
  readonly insert?: number | undefined;
  /** The number of rows before this page that were removed: rows are missed. */
  readonly remove?: number | undefined;
  /** The number of first rows of this page that appear twice. */
  readonly duplicate?: number | undefined;
  /** No rows, though the walk goes on: the cursor leads to the rows that this page should have had. */
  readonly empty?: true | undefined;
  /** The last page has a cursor, too; it leads to an empty page. */
  readonly deadEnd?: true | undefined;
  /** At most this many rows, whatever page size was requested. */
  readonly rows?: number | undefined;
  /** The cursor leads to this page again, or to the first one. */
  readonly cursor?: "same" | "first" | undefined;
}
