/** The level of a check, in the sense of RFC 2119. */
export type Level = "must" | "should";

/** What is known about one check. */
export interface CheckFacts {
  readonly level: Level;
  /** The section of the interface, the RFC or the assumption that the rule comes from. */
  readonly source: string;
  /** What a client must do before the check can pass or fail. Follows "it takes". */
  readonly exercisedBy: string;
  /** Follows "fails when". */
  readonly failsWhen: string;
  /** What to change in the client: one sentence. */
  readonly fix: string;
}

/**
 * Every check of the exam, in the order in which reports show them. Documents, reports and parity tests derive from
 * this table.
 */
const checkTable = {
  "token.no-secret": {
    level: "must",
    source: "§4.1",
    exercisedBy: "a token request",
    failsWhen: "a token request carries a client secret, Basic authentication or an assertion",
    fix: "Send client_id, grant_type and scope only: the client certificate authenticates the client.",
  },
  "token.form": {
    level: "must",
    source: "§4.1, RFC 6749 §3.2",
    exercisedBy: "a token request",
    failsWhen:
      "the body of a token request is not a form, a parameter is missing, repeated or in the URL, or the grant type is another one",
    fix: "Send grant_type=client_credentials, client_id and scope once each, in the body, as application/x-www-form-urlencoded.",
  },
  "token.reused": {
    level: "should",
    source: "§4.1 rule 3",
    exercisedBy: "a second authorised request",
    failsWhen:
      "a token is requested although another for the same certificate and scope is usable, was not refused, and has more than half of its lifetime left",
    fix: "Cache the token and use it for every request until shortly before it expires.",
  },
  "token.shared": {
    level: "should",
    source: "RFC 6749 §1.4, good practice",
    exercisedBy: "a second token request",
    failsWhen: "two token requests for one certificate and scope are open at the same time",
    fix: "Let requests that need a token at the same time wait for one token request and share its result.",
  },
  "token.expired": {
    level: "should",
    source: "§5 point 6",
    exercisedBy: "a request more than a second after the announced end of a token",
    failsWhen: "a request carries a token more than a second after its announced end",
    fix: "Compute the end of the token from expires_in, and request a new token before it.",
  },
  "token.refused": {
    level: "must",
    source: "RFC 6750 §3.1",
    exercisedBy: "a refusal with invalid_token of a token over the certificate that it was issued to",
    failsWhen: "a token is sent again after it was refused with invalid_token",
    fix: "Discard a token that is refused with invalid_token, and request a new one before the next attempt.",
  },
  "token.certificate": {
    level: "must",
    source: "§4.1 rule 2, §5 point 4",
    exercisedBy: "an authorised request",
    failsWhen: "a token is sent over another certificate than the one that it was requested with, or over none",
    fix: "Send a token only over connections that present the certificate that it was requested with.",
  },
  "token.header": {
    level: "must",
    source: "§5 point 4, RFC 6750 §5.3",
    exercisedBy: "an authorised request",
    failsWhen: "a token is sent in a URL, or twice",
    fix: "Send the token once, in the header Authorization: Bearer, and never in the URL.",
  },
  "token.type": {
    level: "must",
    source: "RFC 6749 §7.1",
    exercisedBy: "an answer with a token_type that is not bearer",
    failsWhen: "a token is used whose token_type is not bearer",
    fix: "Compare token_type with bearer, ignoring case, and do not use a token of any other type.",
  },
  "token.sent": {
    level: "must",
    source: "§5 point 4, RFC 6750 §2.1",
    exercisedBy: "a request with a token, or one that is refused because it has none",
    failsWhen: "a request is refused because it has no token in the header, and the client never sends one",
    fix: "Request a token from the token endpoint, and send it in the header Authorization: Bearer.",
  },
  "token.granted": {
    level: "must",
    source: "§4.1, RFC 6749 §5.2",
    exercisedBy: "a token request",
    failsWhen: "a token request is refused because of its client_id or its scope, and no scenario injected that",
    fix: "Send the client_id that belongs to the certificate, and a scope that is granted to it.",
  },
  "token.renewed": {
    level: "must",
    source: "RFC 6750 §3.1, good practice",
    exercisedBy: "a second token that is refused with 401",
    failsWhen: "six new tokens in a row are refused with 401",
    fix: "Get a new token once after a 401, and report a second 401 to the caller.",
  },
  "token.retried": {
    level: "should",
    source: "RFC 6750 §3.1",
    exercisedBy:
      "a request that is refused with invalid_token and sent again, by a client that has finished (exit status 0)",
    failsWhen: "a client has finished, although a request was refused with invalid_token, and never sent it again",
    fix: "Get a new token after a 401 and send the request once more, or report the error.",
  },
  "token.host": {
    level: "must",
    source: "RFC 9110 §15.4, RFC 6750 §5.3",
    exercisedBy: "an answer that redirects to another host",
    failsWhen: "a token is sent to another host to which an answer redirected",
    fix: "Do not follow redirects to another host, or remove the header Authorization before.",
  },
  "tls.server-certificate": {
    level: "must",
    source: "RFC 6750 §5.3",
    exercisedBy:
      "a connection that was shown a defective server certificate on purpose, with a defect that all clients refuse",
    failsWhen: "a request arrives on a connection that was shown such a certificate",
    fix: "Verify chain, dates and host name of the server certificate, and never turn the verification off.",
  },
  "tls.encrypted": {
    level: "must",
    source: "§5 point 1",
    exercisedBy: "any connection",
    failsWhen: "plain HTTP is sent",
    fix: "Use a base URL that begins with https://.",
  },
  "tls.version": {
    level: "should",
    source: "RFC 9325 §3.1.1",
    exercisedBy: "a request",
    failsWhen: "no connection has TLS 1.3",
    fix: "Allow TLS 1.3 in the TLS settings of the client, or update the library or run-time that lacks it.",
  },
  "tls.reuse": {
    level: "should",
    source: "RFC 9112 §9.3",
    exercisedBy: "five requests while the sandbox keeps connections open, and a connection that is used again",
    failsWhen:
      "each of five requests in a row comes on a connection of its own, or most of at least eight, each within a second of the one before",
    fix: "Keep one HTTP client with a connection pool, and read every answer to its end, so that connections are reused.",
  },
  "retry.after": {
    level: "must",
    source: "RFC 9110 §10.2.3",
    exercisedBy: "the same request again after an answer with Retry-After",
    failsWhen: "a request is repeated sooner than Retry-After allows",
    fix: "Wait as long as Retry-After says, in seconds or until its date, before the request is repeated.",
  },
  "retry.paced": {
    level: "should",
    source: "RFC 9110 §9.2.2, good practice",
    exercisedBy: "a request that failed three times in a row",
    failsWhen: "two consecutive repetitions, from the second on, follow within 100 ms each",
    fix: "Wait between repetitions, longer each time, with some randomness.",
  },
  "retry.backoff": {
    level: "should",
    source: "RFC 9110 §9.2.2, good practice",
    exercisedBy: "a request that failed seven times in a row",
    failsWhen:
      "five of seven repetitions in a row, from the second on, follow after nearly equal pauses of less than 300 ms",
    fix: "Wait longer before each repetition, for example twice as long as before the one before it.",
  },
  "retry.bounded": {
    level: "must",
    source: "good practice",
    exercisedBy: "a request that failed and was sent again",
    failsWhen: "the same request fails eleven times in a row, each within 5 s of the one before",
    fix: "Give up after a few attempts, and report the failure to the caller.",
  },
  "retry.permanent": {
    level: "must",
    source: "RFC 9110 §15.5",
    exercisedBy: "a refusal that no repetition can change (400, 403, 404 or 405)",
    failsWhen: "the same request is sent a third time in a row although it was refused with 400, 403, 404 or 405",
    fix: "Do not repeat a request that was refused with 400, 403, 404 or 405: report the error to the caller.",
  },
  "retry.recovers": {
    level: "should",
    source: "RFC 9110 §9.2.2",
    exercisedBy: "a request that only reads and failed in passing (408, 429, 500, 502, 503, 504, a broken connection)",
    failsWhen: "a request that only reads failed in passing, and is never sent again",
    fix: "Send a request that only reads again after a failure that passes, a few times, and then report it.",
  },
  "retry.others": {
    level: "should",
    source: "RFC 9110 §10.2.3",
    exercisedBy: "a request after the end of the wait that a 429 or 503 with Retry-After told",
    failsWhen:
      "at least three other requests are sent, one at a time, during the wait that a 429 or 503 with Retry-After told; of parallel ones, ten that are refused as well",
    fix: "Let every request of the client wait as long as Retry-After says, not only the one that was refused.",
  },
  "list.filters": {
    level: "must",
    source: "§7 rule 1",
    exercisedBy: "a list request with a cursor",
    failsWhen: "a list request is refused with CURSOR_FILTERS_CHANGED, and no scenario injected that",
    fix: "Repeat exactly the filters of the first page with every cursor of the walk.",
  },
  "list.cursor": {
    level: "must",
    source: "§7",
    exercisedBy: "a list request with a cursor",
    failsWhen: "a list request is refused with INVALID_CURSOR, and no scenario injected that",
    fix: "Send the cursor exactly as it was received, percent-encoded once, to the list that it came from.",
  },
  "list.restart": {
    level: "must",
    source: "§7 rule 2",
    exercisedBy: "a refusal of a cursor that was delivered",
    failsWhen: "a cursor is sent again after it was refused with INVALID_CURSOR or CURSOR_FILTERS_CHANGED",
    fix: "Drop a refused cursor, and start the walk again without a cursor.",
  },
  "list.page-size": {
    level: "must",
    source: "§8",
    exercisedBy: "a list request",
    failsWhen: "a list request is refused with INVALID_PAGE_SIZE, and no scenario injected that",
    fix: "Send a page size from 1 to 100, in plain decimal digits.",
  },
  "list.empty-page": {
    level: "must",
    source: "assumption list.envelope",
    exercisedBy: "an empty page with a cursor",
    failsWhen: "the cursor of an empty page is never sent",
    fix: "End a walk when a page has no cursor, not when a page has no rows.",
  },
  "list.loop": {
    level: "should",
    source: "good practice",
    exercisedBy: "a second page",
    failsWhen:
      "a cursor that was answered successfully is sent a third time in one walk (the interface does not forbid it)",
    fix: "Continue with the cursor of the newest page, and stop when a cursor repeats.",
  },
  "list.complete": {
    level: "must",
    source: "assumption list.envelope",
    exercisedBy: "a walk with a second page, of a client that has finished (in an exam, a command that ends with 0)",
    failsWhen: "a client has finished, and never sent the cursor of the last page that it read",
    fix: "Continue with the cursor of each page until a page has none.",
  },
  "list.lost-page": {
    level: "must",
    source: "RFC 9110 §15, good practice",
    exercisedBy: "a page that fails in passing and is read after all, by a client that has finished (exit status 0)",
    failsWhen:
      "a client has finished, although a page that it requested was never delivered: it was cut off, something else than a page, or a failure that passes",
    fix: "Request a page again that failed, or report the failure: it is not the end of the list.",
  },
  "list.begun-again": {
    level: "must",
    source: "§7 rule 2",
    exercisedBy: "a refusal of a cursor, and a new walk of a client that has finished (exit status 0)",
    failsWhen:
      "a client has finished, although a cursor was refused, and never began the list again with the same filters",
    fix: "When a cursor is refused, begin the list again without a cursor and with the same filters, or report the error.",
  },
  "list.restarts": {
    level: "must",
    source: "good practice",
    exercisedBy: "a walk that is begun again after a refusal of its cursor",
    failsWhen: "a walk is begun again six times in a row because its cursor was refused",
    fix: "Begin a walk again once or twice, and then report the error.",
  },
  "request.path": {
    level: "must",
    source: "§4",
    exercisedBy: "a request",
    failsWhen: "a request is refused with 404 or 405, and no scenario injected that",
    fix: "Use the method and the path of the interface letter by letter, with one slash after the base URL.",
  },
  "request.parameters": {
    level: "should",
    source: "§4.2, §8",
    exercisedBy: "a request",
    failsWhen: "a request has a query parameter that the operation does not know",
    fix: "Correct the name of the parameter, or leave it out: the service ignores what it does not know.",
  },
  "request.values": {
    level: "must",
    source: "§7",
    exercisedBy: "a request with a date, a filter or produceError",
    failsWhen: "a request is refused with VALIDATION_ERROR, and no scenario injected that",
    fix: "Send dates as RFC 3339 date-times with an offset, percent-encoded, each filter once, and produceError as true or false.",
  },
  "request.correlation-id": {
    level: "must",
    source: "§7",
    exercisedBy: "a request with a correlation ID",
    failsWhen: "a request is refused with INVALID_CORRELATION_ID, and no scenario injected that",
    fix: "Send the correlation ID once, in the required format: a UUID, unless configured otherwise.",
  },
  "h2.refused-retried": {
    level: "should",
    source: "RFC 9113 §8.7",
    exercisedBy: "a stream of HTTP/2 that was refused with REFUSED_STREAM",
    failsWhen: "a request whose stream was refused with REFUSED_STREAM is never sent again",
    fix: "Send a request again whose stream was refused with REFUSED_STREAM: it was not processed.",
  },
  "h2.goaway": {
    level: "should",
    source: "RFC 9113 §6.8",
    exercisedBy: "a request on another connection after GOAWAY",
    failsWhen: "a request on a stream above the last one of GOAWAY is never sent on another connection",
    fix: "After GOAWAY, open another connection, and send the requests above its last stream there: they were not processed.",
  },
  "certificate.renewed": {
    level: "should",
    source: "§4.1 rule 1, good practice",
    exercisedBy: "a new connection with a certificate that replaces another one",
    failsWhen: "a new connection still has the old certificate when the overlap is over",
    fix: "Read certificate and key again when a connection is opened, or watch their files, and use both from one read.",
  },
  "certificate.old-connection": {
    level: "should",
    source: "§4.1 rule 2, good practice",
    exercisedBy: "a refusal because the certificate of the connection has ended",
    failsWhen:
      "a connection is used again after such a refusal, except for one token request after the refusal of a token",
    fix: "Close the connections of a certificate that was refused, and open new ones with the present certificate.",
  },
  "certificate.chain": {
    level: "must",
    source: "RFC 8446 §4.4.2",
    exercisedBy: "a connection with a certificate that an intermediate CA has issued, such as chained",
    failsWhen: "such a certificate is sent without the certificate of the intermediate CA",
    fix: "Give the client the whole chain, leaf first: cert.pem and identity.pem have both certificates.",
  },
  "certificate.near-its-end": {
    level: "should",
    source: "good practice",
    exercisedBy: "a request over a certificate with at most 30 days left",
    failsWhen: "never: the report only says how many days are left",
    fix: "Renew the certificate before its end: POST /clients/ID/rotate rehearses it.",
  },
  "answers.rows": {
    level: "must",
    source: "§7, good practice",
    exercisedBy: "an answer sheet with a finished walk (SANDBOX_ANSWERS)",
    failsWhen: "the answer sheet has a walk in which a row is missing, is listed twice, or was never delivered",
    fix: "Read every page to the last one, and count each row once, by its id, also after a restart.",
  },
  "answers.code": {
    level: "must",
    source: "§2.2, §7",
    exercisedBy: "an answer sheet with an error (SANDBOX_ANSWERS)",
    failsWhen: "the answer sheet has a code that was not delivered for that operation",
    fix: "Report the member code of the error that was received, unchanged.",
  },
} as const satisfies Record<string, CheckFacts>;

export type CheckId = keyof typeof checkTable;

/** All checks, in the order of the table. */
export const checkIds = Object.keys(checkTable) as CheckId[];

/** The facts of one check, with their general type. */
export function checkFacts(id: CheckId): CheckFacts {
  return checkTable[id];
}

/** Whether a text, from a flag or a file, is the id of a check. */
export function isCheckId(text: string): text is CheckId {
  return Object.hasOwn(checkTable, text);
}
