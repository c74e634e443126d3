import { type AssumedCode, type AssumptionId, assumption, type RefusalAssumptionId } from "./assumptions.js";

/** The facts of one error code: its origin, and the answer unless an assumption is configured otherwise. */
export interface ErrorFacts {
  readonly status: number;
  /** The public message. A refusal may have a more exact one. */
  readonly message: string;
  /**
   * The section of the interface that defines the code, the assumption that it is based on, or the sandbox's own
   * controls.
   */
  readonly basis: "§7" | AssumptionId | "sandbox";
  /** The code of RFC 6749 §5.2 that the token endpoint adds. */
  readonly oauth?: OAuthErrorCode;
}

/** RFC 6749 §5.2, and for the service's own failures the codes of §4.1.2.1. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "server_error"
  | "temporarily_unavailable";

/**
 * Every error code that the sandbox can answer with. The first six are the interface's (§7), the others assumptions (§7
 * rule 4).
 */
const errorTable = {
  VALIDATION_ERROR: { status: 400, message: "The supplied data is not valid.", basis: "§7" },
  INVALID_CORRELATION_ID: {
    status: 400,
    message: "The correlation ID does not match the required format.",
    basis: "§7",
  },
  INVALID_PAGE_SIZE: { status: 400, message: "The page size must be a whole number from 1 to 100.", basis: "§7" },
  INVALID_CURSOR: { status: 400, message: "The cursor is not valid.", basis: "§7" },
  CURSOR_FILTERS_CHANGED: {
    status: 400,
    message: "The filters differ from those of the request that produced the cursor.",
    basis: "§7",
  },
  EXAMPLE_ERROR: { status: 400, message: "This is an example of an error response.", basis: "§7" },
  INVALID_REQUEST: {
    status: 400,
    message: "The request is malformed.",
    basis: "token.invalid-request",
    oauth: "invalid_request",
  },
  INVALID_CLIENT: {
    status: 400,
    message: "The client could not be authenticated with the certificate of this connection.",
    basis: "token.invalid-client",
    oauth: "invalid_client",
  },
  UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    message: "The grant type is not supported; use client_credentials.",
    basis: "token.unsupported-grant-type",
    oauth: "unsupported_grant_type",
  },
  UNAUTHORIZED_CLIENT: {
    status: 400,
    message: "The client may not use this grant type.",
    basis: "token.unauthorized-client",
    oauth: "unauthorized_client",
  },
  INVALID_SCOPE: {
    status: 400,
    message: "The scope is missing, unknown, or more than the client may ask for.",
    basis: "token.invalid-scope",
    oauth: "invalid_scope",
  },
  UNAUTHORIZED: {
    status: 401,
    message: "The access token is not valid on this connection.",
    basis: "bearer.invalid-token",
  },
  FORBIDDEN: { status: 403, message: "The access token does not permit this.", basis: "bearer.insufficient-scope" },
  NOT_FOUND: { status: 404, message: "There is nothing at this path.", basis: "http.not-found" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: "This path does not answer to this method.",
    basis: "http.method-not-allowed",
  },
  REQUEST_TIMEOUT: { status: 408, message: "The request did not arrive in time.", basis: "http.request-timeout" },
  PAYLOAD_TOO_LARGE: { status: 413, message: "The request body is too large.", basis: "http.payload-too-large" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: "The content type of the request body is not supported.",
    basis: "token.media-type",
  },
  EXPECTATION_FAILED: {
    status: 417,
    message: "The expectation given in the Expect header cannot be met.",
    basis: "http.expectation-failed",
  },
  TOO_MANY_REQUESTS: { status: 429, message: "Too many requests; try again later.", basis: "http.rate-limit" },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    status: 431,
    message: "The request line and headers are too large.",
    basis: "http.headers-too-large",
  },
  BAD_REQUEST: { status: 400, message: "This is not a valid HTTP request.", basis: "http.bad-request" },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    message: "The service failed.",
    basis: "http.internal-error",
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: "The service is not available; try again later.",
    basis: "http.unavailable",
  },
  UNKNOWN_SCENARIO: { status: 400, message: "There is no such scenario.", basis: "sandbox" },
} as const satisfies Record<AssumedCode, ErrorFacts> & Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof errorTable;

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/**
 * What is refused before a request reaches any operation: what is not HTTP, comes too slowly or is too large, and what
 * fails.
 */
export const protocolCodes = [
  "BAD_REQUEST",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "EXPECTATION_FAILED",
  "REQUEST_HEADER_FIELDS_TOO_LARGE",
  "METHOD_NOT_ALLOWED",
  "INTERNAL_SERVER_ERROR",
] as const satisfies readonly ErrorCode[];

/** The facts of one code, with their general type. */
export function errorFacts(code: ErrorCode): ErrorFacts {
  return errorTable[code];
}

/** Whether a string, from a scenario or a configuration, is one of the codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** What a refusal is based on: the interface's table of codes, an assumption, or the sandbox's own controls. */
export type Basis = ErrorFacts["basis"];

/** What a step's refusal by this code, or by this assumption, is based on. */
export function basisOf(id: ErrorCode | AssumptionId): Basis {
  return isErrorCode(id) ? errorFacts(id).basis : id;
}

/** The error code of a refusal, before any override. */
export function codeOf(id: ErrorCode | RefusalAssumptionId): ErrorCode {
  if (isErrorCode(id)) return id;
  const entry = assumption(id);
  return ("error" in entry ? entry.error : entry.refuses) as ErrorCode;
}
