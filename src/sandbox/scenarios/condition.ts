import type { OperationName } from "../operations.js";
import type { CertificateCondition } from "./certificate-condition.js";
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
