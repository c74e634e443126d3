/**
 * The checks that a scenario can name. Each is one rule about a client. `src/exam/` has its own list, because the two
 * do not import each other; a test compares them.
 */
export const checkIds = [
  "token.no-secret",
  "token.form",
  "token.reused",
  "token.shared",
  "token.expired",
  "token.refused",
  "token.certificate",
  "token.header",
  "token.type",
  "token.sent",
  "token.granted",
  "token.renewed",
  "token.retried",
  "token.host",
  "tls.server-certificate",
  "tls.client-certificate",
  "tls.encrypted",
  "tls.version",
  "tls.reuse",
  "retry.after",
  "retry.paced",
  "retry.backoff",
  "retry.bounded",
  "retry.permanent",
  "retry.recovers",
  "retry.others",
  "list.filters",
  "list.cursor",
  "list.restart",
  "list.page-size",
  "list.empty-page",
  "list.loop",
  "list.complete",
  "list.lost-page",
  "list.begun-again",
  "list.restarts",
  "request.path",
  "request.parameters",
  "request.values",
  "request.correlation-id",
  "h2.refused-retried",
  "h2.goaway",
  "certificate.renewed",
  "certificate.old-connection",
  "certificate.chain",
  "certificate.near-its-end",
  "answers.rows",
  "answers.code",
] as const;

export type CheckId = (typeof checkIds)[number];

/** What a drill may need of the program, and what the program sends then. */
export const needs = {
  ping: "a ping",
  list: "a request for a list",
  "second-page": "a request for page 2 of a list",
  "third-page": "a request for page 3 of a list",
  "last-page": "a request for the last page of a list",
  "filtered-link": "a request with a filter or a date, for a list with next links and several pages",
  "five-requests": "five pings and pages",
  parallel: "three requests at the same time",
  "http1.1": "a request over HTTP/1.1",
  http2: "a request over HTTP/2",
} as const;

export type Need = keyof typeof needs;

export const needNames = Object.keys(needs) as [Need, ...Need[]];
