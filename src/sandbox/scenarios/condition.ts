import type { PagePlace } from "../lists/place.js";
import type { OperationName } from "../operations.js";
import type { TextPattern } from "./text-pattern.js";

/** What a request must be like. Undefined: no condition. */
export interface Condition {
  /** One of these operations. */
  readonly operations?: readonly OperationName[] | undefined;
  readonly method?: "GET" | "POST" | undefined;
  /** The version of HTTP. */
  readonly http?: 1 | 2 | undefined;
  readonly list?: string | undefined;
  /** The client for which the certificate of the connection is registered. */
  readonly client?: string | undefined;
  /** What the client presented in the handshake. */
  readonly certificate?: CertificateCondition | undefined;
  /** Number of the page in its walk, from 1, or its place. */
  readonly page?: number | PagePlace | undefined;
  /** Whether it is the first token request of a client, or a renewal. */
  readonly token?: TokenRole | undefined;
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

/** Whether a condition holds for no page but the first one of a walk, which may be the only one. */
export function beginsWalk({ page }: Condition): boolean {
  return page === 1 || page === "first" || page === "only";
}

/** When a rule begins: with the first request of its own for which this holds. Undefined: no condition. */
export type Beginning = Pick<Condition, "operations" | "list" | "page" | "token">;

/** What a token request is for its client: the first one, as long as none was issued, or a renewal. */
export const tokenRoles = ["first", "renewal"] as const;

export type TokenRole = (typeof tokenRoles)[number];

/** Pairs, because every request that a rule may hold for iterates over them. */
export type NamedValues = readonly (readonly [name: string, wanted: WantedValue])[];

/** An exact value, several values of which one must be sent, or whether the parameter is sent at all. */
export type WantedValue = string | boolean | readonly (string | TextPattern)[];

/** The misfits of the certificates folder, which `pki/profiles.ts` describes. */
const misfits = [
  "unregistered",
  "expired",
  "not-yet-valid",
  "untrusted",
  "renewed",
  "lookalike",
  "wrong-usage",
] as const;

/** The name of a misfit: an identity that the server must refuse. */
export type Misfit = (typeof misfits)[number];

/**
 * What a rule can require of the certificate of a connection: that it is registered for a client, that there is none,
 * that a newer one replaces it, or that it is one of the misfits.
 */
export const certificateConditions = ["registered", "none", "replaced", ...misfits] as const;

export type CertificateCondition = (typeof certificateConditions)[number];
