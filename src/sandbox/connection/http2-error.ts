/** The error codes of HTTP/2 by their names (RFC 9113 §7). The place of a name is its number. */
export const http2ErrorCodes = [
  "NO_ERROR",
  "PROTOCOL_ERROR",
  "INTERNAL_ERROR",
  "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT",
  "STREAM_CLOSED",
  "FRAME_SIZE_ERROR",
  "REFUSED_STREAM",
  "CANCEL",
  "COMPRESSION_ERROR",
  "CONNECT_ERROR",
  "ENHANCE_YOUR_CALM",
  "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED",
] as const;

export type Http2ErrorCode = (typeof http2ErrorCodes)[number];

/** The name of a number on the wire. RFC 9113 §7: an unknown code counts as INTERNAL_ERROR. */
export function http2ErrorName(number: number): Http2ErrorCode {
  return http2ErrorCodes[number] ?? "INTERNAL_ERROR";
}

/** The number of an error code on the wire. */
export function http2ErrorNumber(code: Http2ErrorCode): number {
  return http2ErrorCodes.indexOf(code);
}
