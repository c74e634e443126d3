import type { PagePlace } from "../lists/place.js";
import type { OperationName } from "../operations.js";

/** What a token request is for its client: the first one, as long as none was issued, or a renewal. */
export const tokenRoles = ["first", "renewal"] as const;

export type TokenRole = (typeof tokenRoles)[number];

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

/** What conditions can test of a request. A fact that costs time is a function, called only if a rule needs it. */
export interface RequestFacts {
  readonly operation: OperationName;
  readonly list: string | undefined;
  /** The client for which the peer's certificate is registered. */
  readonly client: string | undefined;
  readonly method: string;
  /** The version of HTTP. */
  readonly http: 1 | 2;
  /** Whether the connection has carried a request before. */
  readonly isReused: boolean;
  /** Whether the client presented this certificate. */
  presents(certificate: CertificateCondition): boolean;
  /**
   * Number of the page in its walk: 1 without a cursor, undefined for a cursor that the sandbox did not issue, and if
   * there are no pages.
   */
  page(): number | undefined;
  /** The place of the page in its walk; undefined if there is none, or the request would be refused. */
  place(): PagePlace | undefined;
  /** Undefined for other operations, and for a peer that is no client. */
  readonly token: TokenRole | undefined;
  /** Whether a cursor is sent; undefined if the operation has no cursors. */
  cursor(): boolean | undefined;
  /** The values of a query parameter, in the order in which they were sent; null for a value that cannot be decoded. */
  query(name: string): readonly (string | null)[];
  /** The values of a header, by its name in lower case. */
  header(name: string): readonly string[];
  /** Whether a header is sent whose name, in lower case, is one of these. */
  sendsAny(names: ReadonlySet<string>): boolean;
  /** The values of a field of the form; none if the operation has no form. */
  form(name: string): readonly (string | null)[];
}
