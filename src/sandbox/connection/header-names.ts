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
