import type { Duration } from "../base/text/duration.js";
import type { RefusalAssumptionId } from "../sandbox/assumptions.js";
import type { Http2ErrorCode } from "../sandbox/connection/http2-error.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import type { ErrorCode } from "../sandbox/errors.js";
import type { OperationName } from "../sandbox/operations.js";
import type { CertificateCondition } from "../sandbox/scenarios/certificate-condition.js";
import type { Expectation } from "../sandbox/scenarios/expectation.js";

/**
 * A scenario, with the keys of its YAML file. A test keeps this type equal to the schema of `src/sandbox/scenarios`.
 *
 * @example
 * ```ts
 * await client.useScenario({
 *   rules: [{ when: { operation: "list", page: 3 }, limit: 1, then: { error: "INVALID_CURSOR" } }],
 * });
 * ```
 */
export interface ScenarioDefinition {
  /** What it does, in one sentence. */
  readonly description?: string | undefined;
  /** Only the first rule whose conditions all match acts. */
  readonly rules?: readonly ScenarioRule[] | undefined;
  /** A fault of the TLS handshake. It acts only while the scenario is active for all. */
  readonly server?: { readonly certificate: ServerDefect } | undefined;
  /** What a correct client does under this scenario. The outcome is `succeeds` when left out. */
  readonly expect?: { readonly [Key in keyof Expectation]?: Expectation[Key] | undefined } | undefined;
}

/**
 * Which requests a rule acts on, and with which fault. Conditions apply in the order `when`, `skip`, `every`, `limit`,
 * `probability`.
 */
export interface ScenarioRule {
  /** Its name in `Sandbox-Fault`; derived from its position when left out. */
  readonly name?: string | undefined;
  /** All given conditions must match. */
  readonly when?: ScenarioCondition | undefined;
  /** The number of matching requests that pass first. */
  readonly skip?: number | undefined;
  /** Of the matching requests after these, only each n-th. */
  readonly every?: number | undefined;
  /** The maximum number of faults that the rule makes. */
  readonly limit?: number | undefined;
  /** From 0 (never) to 1 (always); drawn with the client's seed. */
  readonly probability?: number | undefined;
  /** `all`: the rule counts the requests of all clients together. */
  readonly share?: "all" | undefined;
  readonly then: ScenarioFault;
}

/** The `when` of a {@link ScenarioRule}. */
export interface ScenarioCondition {
  readonly operation?: OperationName | readonly OperationName[] | undefined;
  readonly method?: "GET" | "POST" | undefined;
  /** The name of a list, such as `payments`. */
  readonly list?: string | undefined;
  readonly client?: string | undefined;
  /** `registered`, `none`, or the name of a misfit. */
  readonly certificate?: CertificateCondition | undefined;
  /** The number of the page in its walk, from 1. */
  readonly page?: number | undefined;
  /** Whether the request sends a cursor. */
  readonly cursor?: boolean | undefined;
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, ScenarioValue>> | undefined;
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, ScenarioValue>> | undefined;
  /** Fields of the form of a token request. */
  readonly form?: Readonly<Record<string, ScenarioValue>> | undefined;
  /** How many times in a row the same request has arrived: 2 is the first repetition. */
  readonly attempt?: number | undefined;
  /** The rule starts this long after the activation, on the client's clock. */
  readonly after?: Duration | undefined;
  /** How long the rule acts from then on. */
  readonly for?: Duration | undefined;
}

/** An exact value, a pattern with `*`, a list of which one must match, or `true` for sent and `false` for not sent. */
export type ScenarioValue =
  | string
  | boolean
  | { readonly like: string }
  | readonly (string | { readonly like: string })[];

/** The header `Retry-After`: in seconds, or as an HTTP date. */
export type ScenarioRetryAfter = Duration | { readonly in: Duration; readonly format?: "seconds" | "date" | undefined };

/** The `then` of a {@link ScenarioRule}: one fault, or several that touch different things. */
export interface ScenarioFault {
  /** Delay the answer: by a fixed time, a uniform draw, or a lognormal draw. At most two minutes. */
  readonly delay?:
    | Duration
    | { readonly min: Duration; readonly max: Duration }
    | { readonly median: Duration; readonly sigma: number; readonly max?: Duration | undefined }
    | undefined;
  /** Move the client's clock forward, from this request on. */
  readonly clock?: { readonly advance: Duration } | undefined;
  /** Answer with an error, as the sandbox itself would: a code of the table, or the id of an assumption. */
  readonly error?:
    | ErrorCode
    | RefusalAssumptionId
    | {
        readonly code: ErrorCode | RefusalAssumptionId;
        /** Instead of the code's own status. */
        readonly status?: number | undefined;
        readonly message?: string | undefined;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly retryAfter?: ScenarioRetryAfter | undefined;
      }
    | undefined;
  /** Answer with exactly this. A string body is sent as it is, any other body as JSON. */
  readonly respond?:
    | {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly retryAfter?: ScenarioRetryAfter | undefined;
        readonly body?: unknown;
      }
    | undefined;
  /** Change the real answer. */
  readonly alter?:
    | {
        readonly status?: number | undefined;
        /** Headers to set, or with null to remove. */
        readonly headers?: Readonly<Record<string, string | null>> | undefined;
        /** A JSON Merge Patch (RFC 7396) of the body. */
        readonly body?: unknown;
        /** The same for each row of a page. */
        readonly rows?: unknown;
        /** Paths of members that become null: `items.reference`. */
        readonly setNull?: readonly string[] | undefined;
      }
    | undefined;
  /** Break the connection. */
  readonly connection?:
    | "reset"
    | "close"
    | "hang"
    | "truncate"
    | "garbage"
    | "drip"
    | { readonly kind: "hang" | "drip"; readonly duration?: Duration | undefined }
    | { readonly kind: "truncate"; readonly after?: number | undefined }
    | { readonly kind: "reset"; readonly when?: "handshake" | undefined }
    | "goaway"
    | {
        readonly kind: "goaway";
        readonly code?: Http2ErrorCode | undefined;
        /** `before`: the request is not processed. */
        readonly lastStream?: "this" | "before" | undefined;
      }
    | undefined;
  /** End the stream of HTTP/2 without an answer. */
  readonly stream?:
    | "refused"
    | "reset"
    | { readonly kind: "reset"; readonly code?: Http2ErrorCode | undefined }
    | undefined;
  /** Answer 429 beyond a rate, on the client's clock. */
  readonly rateLimit?:
    | {
        readonly limit: number;
        readonly per: Duration;
        readonly retryAfter?:
          | Duration
          | { readonly in?: Duration | undefined; readonly format?: "seconds" | "date" | undefined }
          | undefined;
      }
    | undefined;
  /** Answer 429 while this number of requests is open. */
  readonly concurrency?: { readonly limit: number; readonly retryAfter?: ScenarioRetryAfter | undefined } | undefined;
  /** Issue a token with a defect, or several; or revoke one. */
  readonly token?:
    | {
        /** The token expires after this time, although the answer announces the usual lifetime. */
        readonly expiresIn?: Duration | undefined;
        /** The token is bound to a certificate that does not exist. */
        readonly certificate?: "other" | undefined;
        readonly tokenType?: string | undefined;
        /** Refuse the token of this request from now on. It cannot be combined with the others. */
        readonly revoke?: true | undefined;
      }
    | undefined;
  /** Change a page of a list: one of these. */
  readonly page?:
    | {
        readonly insert?: number | undefined;
        readonly remove?: number | undefined;
        readonly duplicate?: number | undefined;
        readonly empty?: true | undefined;
        readonly deadEnd?: true | undefined;
        /** The maximum number of rows. */
        readonly rows?: number | undefined;
        /** The cursor leads to this page again, or to the first one. */
        readonly cursor?: "same" | "first" | undefined;
      }
    | undefined;
}
