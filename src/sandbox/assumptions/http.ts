import type { Assumption } from "./assumption.js";

/** Cases for which HTTP itself defines answers. */
export const httpAssumptions = {
  "http.versions": {
    section: "2",
    point: "versions of HTTP",
    choice: "HTTP/2 and HTTP/1.1 by ALPN, HTTP/2 first; HTTP/1.1 without ALPN",
    why: "clients that can speak HTTP/2 are tested on the path that they take where a service has it (RFC 9113 §3.2)",
    named: "no answer",
    key: "tls.alpn",
  },
  "http.not-found": {
    section: "4.3",
    point: "answer to an unknown path",
    choice:
      "404 NOT_FOUND; paths are compared literally: encoded letters, dot segments, doubled or trailing slashes and other case are unknown; the value of a path parameter is percent-decoded",
    why: "a client that depends on repairs by the server breaks elsewhere; a value may have characters that a path cannot hold (RFC 3986 §2.1)",
    error: "NOT_FOUND",
  },
  "http.method-not-allowed": {
    section: "4",
    point: "answer to another method, OPTIONS among them",
    choice: "405 METHOD_NOT_ALLOWED with `Allow`",
    why: "RFC 9110 §15.5.6",
    error: "METHOD_NOT_ALLOWED",
  },
  "http.head": {
    section: "4",
    point: "answer to HEAD at the path of a GET operation",
    choice: "`refuse` as `http.method-not-allowed` says, or `answer` as to GET, without the body",
    why: "§4 names one method for each operation; RFC 9110 §9.3.2",
    named: "no answer",
    value: "refuse",
    schema: ({ z }) => z.enum(["refuse", "answer"]),
    another: { value: "answer", effect: "HEAD of a list gets the answer of GET without its body" },
  },
  "http.request-timeout": {
    section: "7",
    point: "answer to a request that arrives too slowly",
    choice: "408 REQUEST_TIMEOUT",
    why: "RFC 9110 §15.5.9",
    error: "REQUEST_TIMEOUT",
  },
  "http.payload-too-large": {
    section: "8",
    point: "answer to a body over 64 KiB",
    choice: "413 PAYLOAD_TOO_LARGE",
    why: "RFC 9110 §15.5.14",
    error: "PAYLOAD_TOO_LARGE",
  },
  "http.expectation-failed": {
    section: "7",
    point: "answer to an unknown `Expect`",
    choice: "417 EXPECTATION_FAILED",
    why: "RFC 9110 §15.5.18",
    error: "EXPECTATION_FAILED",
  },
  "http.rate-limit": {
    section: "8",
    point: "rate limits",
    choice: "none, but by a scenario: 429 TOO_MANY_REQUESTS with `Retry-After`",
    why: "RFC 6585 §4",
    error: "TOO_MANY_REQUESTS",
  },
  "http.headers-too-large": {
    section: "8",
    point: "answer to headers over 16 KiB, or more than 100",
    choice: "431 REQUEST_HEADER_FIELDS_TOO_LARGE",
    why: "RFC 6585 §5",
    error: "REQUEST_HEADER_FIELDS_TOO_LARGE",
  },
  "http.bad-request": {
    section: "7",
    point: "answer to what is not HTTP",
    choice: "400 BAD_REQUEST",
    why: "RFC 9112 §2.2",
    error: "BAD_REQUEST",
  },
  "http.internal-error": {
    section: "7",
    point: "answer when the service itself fails",
    choice: "500 INTERNAL_SERVER_ERROR",
    why: "§2.2: every error has this body",
    error: "INTERNAL_SERVER_ERROR",
  },
  "http.unavailable": {
    section: "7",
    point: "answer during maintenance (by a scenario)",
    choice: "503 SERVICE_UNAVAILABLE",
    why: "RFC 9110 §15.6.4",
    error: "SERVICE_UNAVAILABLE",
  },
} as const satisfies Record<`http.${string}`, Assumption>;
