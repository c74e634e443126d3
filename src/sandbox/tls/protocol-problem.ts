import type { ParseError } from "../connection/parse-error.js";
import type { protocolCodes } from "../errors.js";

/** What is wrong with a request. */
export interface RequestProblem {
  readonly code: (typeof protocolCodes)[number];
  /** One sentence that may be sent to the client. */
  readonly reason: string;
  /** What is known of the request line of a request that the parser did not read. */
  readonly line?: RequestLine | undefined;
}

interface RequestLine {
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

/** The client went away before its request was complete. */
export const cutOff = badRequest("The connection was closed in the middle of a request.");

const PROBLEMS: Readonly<Record<string, RequestProblem>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: "PAYLOAD_TOO_LARGE",
    reason: "The chunk extensions of the body are larger than the server accepts.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
  HPE_PAUSED_H2_UPGRADE: badRequest("The request is HTTP/2, which was not agreed on: offer h2 by ALPN."),
  HPE_INVALID_EOF_STATE: cutOff,
};

/** A method that is a token (RFC 9110 §5.6.2), a target that is a path, and the version. */
const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}) (\/[\x21-\x7e]*) HTTP\/1\.[01]\r?$/;

/** The line in which the parser met a method that it does not know; undefined if it is not a request line. */
function requestLineIn({ rawPacket, bytesParsed }: ParseError): RequestLine | undefined {
  if (!(rawPacket instanceof Buffer) || typeof bytesParsed !== "number") return undefined;
  const begin = rawPacket.lastIndexOf("\n", Math.max(bytesParsed - 1, 0)) + 1;
  const end = rawPacket.indexOf("\n", begin);
  if (end < 0) return undefined;
  const [, method, target] = REQUEST_LINE.exec(rawPacket.toString("latin1", begin, end)) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
}

/**
 * What an error of the HTTP parser or its clock means to the client; undefined for an error of the connection itself.
 */
export function describeParseError(error: Error): RequestProblem | undefined {
  const code = "code" in error ? String(error.code) : "";
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  if (!code.startsWith("HPE_")) return undefined;
  const line = code === "HPE_INVALID_METHOD" ? requestLineIn(error) : undefined;
  if (line) return unknownMethod(line);
  // The parser's own text names the place: "Invalid header token", "Content-Length can't be present with
  // Transfer-Encoding".
  const detail = "reason" in error && typeof error.reason === "string" ? `: ${error.reason}` : "";
  return badRequest(`The request is not valid HTTP/1.1${detail}.`);
}
