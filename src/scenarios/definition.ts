import type { ErrorCode } from "../errors.js";
import type { OperationName } from "./operation-name.js";

/** One `when`/`then`. The conditions apply in the order `when`, `skip`, `every`, `limit`, `probability`. */
export interface Rule {
  readonly name: string;
  readonly when: Condition;
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

/** What a request must be like. Undefined: anything will do. */
export interface Condition {
  readonly operation?: OperationName | undefined;
  readonly list?: string | undefined;
  /** The client for which the certificate of the connection is registered. */
  readonly client?: string | undefined;
  /** Number of the page in its walk, from 1. */
  readonly page?: number | undefined;
  /** Whether a cursor is sent. */
  readonly cursor?: boolean | undefined;
  /** Parameters: exact values, or whether they are sent. */
  readonly query?: NamedValues | undefined;
  /** Headers, by their names in lower case: exact values, or whether they are sent. */
  readonly headers?: NamedValues | undefined;
}

/** In pairs, because they are gone through for every request that a rule may hold for. */
export type NamedValues = readonly (readonly [name: string, value: string | boolean])[];

/** What a rule does: a delay, one of the others, or both. */
export interface Fault {
  readonly delay?: Delay | undefined;
  readonly error?: InjectedError | undefined;
  readonly respond?: InjectedResponse | undefined;
  readonly connection?: ConnectionFault | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly token?: TokenFault | undefined;
  readonly page?: PageFault | undefined;
}

/** Milliseconds. */
export type Delay =
  | { readonly kind: "fixed"; readonly duration: number }
  | { readonly kind: "uniform"; readonly min: number; readonly max: number }
  | { readonly kind: "lognormal"; readonly median: number; readonly sigma: number; readonly max: number };

interface InjectedError {
  readonly code: ErrorCode;
  readonly message: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

interface InjectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it is sent: text as it is, anything else as JSON. */
  readonly body: string;
}

export type ConnectionFault =
  | { readonly kind: "reset" }
  | { readonly kind: "close" }
  | { readonly kind: "hang"; readonly duration: number }
  | { readonly kind: "truncate" }
  | { readonly kind: "garbage" }
  | { readonly kind: "drip"; readonly duration: number };

/** A token bucket: it holds `limit` requests, and fills up again within `per` milliseconds. */
interface RateLimit {
  readonly limit: number;
  readonly per: number;
}

interface TokenFault {
  /** How long the token is really good, in milliseconds. The answer announces what it always does. */
  readonly expiresIn?: number | undefined;
  /** Bind the token to a certificate that nobody has. */
  readonly otherCertificate: boolean;
  /** The `token_type` of the answer. */
  readonly tokenType?: string | undefined;
}

export interface PageFault {
  /** So many rows were created before this page since the walk began: rows of the page before come again. */
  readonly insert: number;
  /** So many rows before this page were removed: rows are missed. */
  readonly remove: number;
  /** The first rows of this page stand there twice. */
  readonly duplicate: number;
  /** No rows, though the walk goes on: the cursor leads to the rows that this page should have had. */
  readonly empty: boolean;
  /** The last page has a cursor all the same; it leads to an empty page. */
  readonly deadEnd: boolean;
}
