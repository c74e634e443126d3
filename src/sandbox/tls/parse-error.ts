import type { ParseError } from "../connection/parse-error.js";
import {
  badRequest,
  headersTooLarge,
  type RequestLine,
  type RequestProblem,
  tooSlow,
  unknownMethod,
} from "./protocol-problem.js";

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
