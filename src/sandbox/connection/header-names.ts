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
