import type { ErrorCode } from "../errors.js";
import type { OperationName } from "../scenarios/operation-name.js";
import type { Duration } from "../text/duration.js";

/**
 * A scenario, as its YAML file says it. A test keeps this type equal to the schema of `src/scenarios`.
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
  /** The first rule whose conditions all hold acts, and no other. */
  readonly rules?: readonly ScenarioRule[] | undefined;
  /** A fault of the TLS handshake. It acts only while the scenario is active for all. */
  readonly server?: { readonly certificate: "expired" | "wrong-host" | "untrusted" } | undefined;
}

/** What a request must be like, and what happens to it. Conditions apply in the order `when`, `skip`, `every`, `limit`, `probability`. */
export interface ScenarioRule {
  /** How `Sandbox-Fault` calls it; by its place when left out. */
  readonly name?: string | undefined;
  /** All that is given must hold. */
  readonly when?: ScenarioCondition | undefined;
  /** So many matching requests pass first. */
  readonly skip?: number | undefined;
  /** Of the matching requests after these, only each n-th. */
  readonly every?: number | undefined;
  /** The rule makes at most so many faults. */
  readonly limit?: number | undefined;
  /** From 0 (never) to 1 (always), drawn from the client's seed. */
  readonly probability?: number | undefined;
  readonly then: ScenarioFault;
}

/** The `when` of a {@link ScenarioRule}. */
export interface ScenarioCondition {
  readonly operation?: OperationName | undefined;
  /** The name of a list, such as `payments`. */
  readonly list?: string | undefined;
  readonly client?: string | undefined;
  /** The number of the page in its walk, from 1. */
  readonly page?: number | undefined;
  /** Whether the request sends a cursor. */
  readonly cursor?: boolean | undefined;
  /** Parameters with their exact value, or `true` for sent, `false` for not sent. */
  readonly query?: Readonly<Record<string, string | boolean>> | undefined;
  /** Headers with their exact value, or `true` for sent, `false` for not sent. */
  readonly headers?: Readonly<Record<string, string | boolean>> | undefined;
}

/** The `then` of a {@link ScenarioRule}: a delay, one of the others, or both. */
export interface ScenarioFault {
  /** Hold the answer back: a fixed time, a uniform draw, or a lognormal one. At most two minutes. */
  readonly delay?:
    | Duration
    | { readonly min: Duration; readonly max: Duration }
    | { readonly median: Duration; readonly sigma: number; readonly max?: Duration | undefined }
    | undefined;
  /** Answer with an error of the table. */
  readonly error?:
    | ErrorCode
    | {
        readonly code: ErrorCode;
        readonly message?: string | undefined;
        readonly headers?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  /** Answer with exactly this. A body that is a text is sent as it is, anything else as JSON. */
  readonly respond?:
    | {
        readonly status: number;
        readonly headers?: Readonly<Record<string, string>> | undefined;
        readonly body?: unknown;
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
    | undefined;
  /** Answer 429 beyond a rate, on the client's clock. */
  readonly rateLimit?: { readonly limit: number; readonly per: Duration } | undefined;
  /** Issue a token with a defect, or several. */
  readonly token?:
    | {
        /** The token dies after this time, though the answer announces the usual lifetime. */
        readonly expiresIn?: Duration | undefined;
        /** The token is bound to a certificate that does not exist. */
        readonly certificate?: "other" | undefined;
        readonly tokenType?: string | undefined;
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
      }
    | undefined;
}
