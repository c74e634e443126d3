import { badRequest, type RequestProblem } from "./protocol-problem.js";

/** The client went away before its request was complete. */
export const cutOff = badRequest("The connection was closed in the middle of a request.");

const PROBLEMS: Readonly<Record<string, RequestProblem>> = {
  HPE_HEADER_OVERFLOW: {
    code: "REQUEST_HEADER_FIELDS_TOO_LARGE",
    reason: "The request target and headers are larger than the server accepts.",
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: "PAYLOAD_TOO_LARGE",
    reason: "The chunk extensions of the body are larger than the server accepts.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: "REQUEST_TIMEOUT",
    reason: "The request did not arrive completely in the time allowed.",
  },
  HPE_PAUSED_H2_UPGRADE: badRequest("This server speaks HTTP/1.1; the request is HTTP/2."),
  HPE_INVALID_EOF_STATE: cutOff,
};

/** What an error of the HTTP parser or its clock means to the client; undefined for an error of the connection itself. */
export function describeParseError(error: Error): RequestProblem | undefined {
  const code = "code" in error ? String(error.code) : "";
  const known = PROBLEMS[code];
  if (known !== undefined) return known;
  if (!code.startsWith("HPE_")) return undefined;
  // The parser's own words name the place: "Invalid header token", "Content-Length can't be present with Transfer-Encoding".
  const detail = "reason" in error && typeof error.reason === "string" ? `: ${error.reason}` : "";
  return badRequest(`The request is not valid HTTP/1.1${detail}.`);
}
