import type { protocolCodes } from "../errors.js";

/** What is wrong with a request. */
export interface RequestProblem {
  readonly code: (typeof protocolCodes)[number];
  /** One sentence that may be sent to the client. */
  readonly reason: string;
  /** What is known of the request line of a request that the parser did not read. */
  readonly line?: RequestLine | undefined;
}

export interface RequestLine {
  readonly method: string;
  /** Undefined if the parser stopped behind it. */
  readonly target?: string;
}

/** A 400 for this reason. */
export function badRequest(reason: string): RequestProblem {
  return { code: "BAD_REQUEST", reason };
}

export const unmetExpectation: RequestProblem = {
  code: "EXPECTATION_FAILED",
  reason: "The only expectation that this server meets is 100-continue.",
};

export const noHost = badRequest("The request has no Host header.");
export const badHost = badRequest("The Host header is not a valid host name and port.");
export const badTarget = badRequest("The request target is neither a path nor an https URL.");

/** RFC 9110 §9.1: a method is any token, and one that the server does not know is not a syntax error. */
export function unknownMethod(line: RequestLine): RequestProblem {
  return { code: "METHOD_NOT_ALLOWED", reason: "This path does not answer to this method.", line };
}

export const connectRequest = badRequest("CONNECT requests a proxy, and this server is not a proxy.");

export const tooSlow: RequestProblem = {
  code: "REQUEST_TIMEOUT",
  reason: "The request did not arrive completely in the time allowed.",
};

export const headersTooLarge: RequestProblem = {
  code: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  reason: "The request target and headers are larger than the server accepts.",
};

export const tooManyHeaders: RequestProblem = {
  code: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  reason: "The request has more headers than the server accepts.",
};
