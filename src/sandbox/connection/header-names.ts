/** The name of a header: a token (RFC 9110 §5.6.2). */
export const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers that say how a message is sent, in lower case (RFC 9112 §6). Node adds them, or refuses them. */
export const framingHeaders: ReadonlySet<string> = new Set(["content-length", "transfer-encoding", "trailer"]);

/** Headers of the connection, which HTTP/2 does not carry, in lower case (RFC 9113 §8.2.2). */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "proxy-connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "te",
]);

/**
 * A correlation ID in one of these headers would break the answer or every request. The same is true of headers of the
 * connection.
 */
export const headersInUse: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  ...framingHeaders,
  "accept",
  "accept-encoding",
  "allow",
  "authorization",
  "cache-control",
  "content-encoding",
  "content-type",
  "cookie",
  "date",
  "expect",
  "host",
  "link",
  "location",
  "pragma",
  "retry-after",
  "sandbox-assumed",
  "sandbox-expected",
  "sandbox-fault",
  "sandbox-replay",
  "sandbox-scenario",
  "set-cookie",
  "user-agent",
  "www-authenticate",
  // An object does not take it as the name of a member.
  "__proto__",
]);

/** Headers of an answer by their names. One with several values is sent once for each (RFC 9110 §5.3). */
export type AnswerHeaders = Readonly<Record<string, string | string[]>>;

/** Names and values in turn. */
export function inTurn(headers: AnswerHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [name, value] : value.flatMap((one) => [name, one]),
  );
}

/**
 * Headers that have one value, in lower case: most are no lists (RFC 9110 §5.3), and Node refuses a second value of
 * these over HTTP/2. The connection is closed or it is not.
 */
export const singleValued: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-max-age",
  "access-control-request-method",
  "age",
  "authorization",
  "connection",
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-md5",
  "content-range",
  "content-type",
  "date",
  "dnt",
  "etag",
  "expires",
  "from",
  "host",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "range",
  "referer",
  "retry-after",
  "tk",
  "upgrade-insecure-requests",
  "user-agent",
  "x-content-type-options",
]);
