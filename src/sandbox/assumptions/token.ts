import type { Assumption } from "./assumption.js";

/** The token endpoint, and its tokens. */
export const tokenAssumptions = {
  "token.invalid-client": {
    section: "4.1 rule 1",
    point:
      "answer to a certificate that is missing, unregistered, expired or another client's, or to an unknown client",
    choice: "400 INVALID_CLIENT with one message for every cause",
    why: "RFC 8705 §2 and RFC 6749 §5.2; one message, so that nobody can find out which clients exist",
    error: "INVALID_CLIENT",
  },
  "token.error-body": {
    section: "4.1",
    point: "body of an error of the token endpoint",
    choice:
      "both shapes: message and code of §2.2, error and error_description of RFC 6749 §5.2 (`both`, `service` or `oauth`; `oauth` leaves the errors of §7 as they are)",
    why: "§2.2 speaks of every error; OAuth libraries read only RFC 6749's members",
    named: "an error of the token endpoint that has members of RFC 6749",
    value: "both" as "both" | "service" | "oauth",
  },
  "token.invalid-request": {
    section: "4.1",
    point:
      "answer to a parameter that is missing, repeated, malformed or in the URL, and to a client secret, Basic or an assertion",
    choice: "400 INVALID_REQUEST; unknown parameters are ignored, an empty one counts as omitted",
    why: "RFC 6749 §3.2 and §5.2; §4.1 says that no secret is used",
    error: "INVALID_REQUEST",
  },
  "token.client-secret": {
    section: "4.1",
    point: "what happens to a client secret, Basic credentials or an assertion",
    choice: "the request is refused as `token.invalid-request` says (`refuse`), or they are ignored (`ignore`)",
    why: "§4.1 says that no secret is used; a secret that is sent anyway ends up in logs",
    named: "a token whose request had one, where they are ignored",
    value: "refuse" as "refuse" | "ignore",
  },
  "token.json-body": {
    section: "4.1",
    point: "what happens to a token request whose body is JSON",
    choice: "it is refused as `token.media-type` says (`refuse`), or its members are read like a form (`accept`)",
    why: "§4.1 shows a form",
    named: "a token that was requested with JSON",
    value: "refuse" as "refuse" | "accept",
  },
  "token.media-type": {
    section: "4.1",
    point:
      "answer to a body that is not application/x-www-form-urlencoded, has another charset than UTF-8, or a Content-Encoding",
    choice: "400 INVALID_REQUEST (415 UNSUPPORTED_MEDIA_TYPE is the common other choice)",
    why: "RFC 6749 §5.2 knows no other code for it",
    error: "INVALID_REQUEST",
    message: "The body must be sent as application/x-www-form-urlencoded, in UTF-8.",
  },
  "token.unsupported-grant-type": {
    section: "4.1",
    point: "answer to another grant type",
    choice: "400 UNSUPPORTED_GRANT_TYPE",
    why: "RFC 6749 §5.2",
    error: "UNSUPPORTED_GRANT_TYPE",
  },
  "token.unauthorized-client": {
    section: "4.1",
    point: "answer to a client that may not use the grant (`grantTypes: []` in its registration)",
    choice: "400 UNAUTHORIZED_CLIENT",
    why: "RFC 6749 §5.2",
    error: "UNAUTHORIZED_CLIENT",
  },
  "token.invalid-scope": {
    section: "4.1",
    point: "answer to a scope that is missing, unknown or more than the client's",
    choice: "400 INVALID_SCOPE; several scopes may be asked for, separated by spaces",
    why: "scope is required (§4.1); RFC 6749 §3.3 and §5.2",
    error: "INVALID_SCOPE",
  },
  "token.scopes": {
    section: "5 point 7",
    point: "other scopes",
    choice: "`read` opens every operation but token; a client may be registered with further ones, which open nothing",
    why: "only `read` is shown",
    named: "a token with another scope than `read`, and its refusal",
    key: "clients[].scopes",
  },
  "token.format": {
    section: "2.1",
    point: "what an access token looks like inside",
    choice:
      "a signed JWT (typ at+jwt, ES256) with iss, aud, sub, client_id, scope, iat, exp, jti and cnf.x5t#S256; iat and exp are whole seconds, rounded down, and issued_and_expires_ms has both to the millisecond, by which the sandbox judges",
    why: "RFC 9068 and RFC 8705 §3.1; clients treat it as opaque",
    named: "a token, where issuer or audience is configured",
    value: { issuer: "https://sandbox" as string, audience: "business-payments-sandbox" as string },
  },
  "token.lifetime": {
    section: "8",
    point: "nothing: the lifetime is 300 seconds; another one can be tried out",
    choice: "300 seconds",
    why: "§2.1, §5 point 6 and §8",
    named: "a token, where another lifetime is configured",
    value: 300 as number,
  },
  "token.expires-in": {
    section: "2.1",
    point: "nothing: `expires_in` is a number; some services send it as text",
    choice: "a number (`number`), or text (`text`)",
    why: "§2.1",
    named: "a token, where it is text",
    value: "number" as "number" | "text",
  },
  "token.cache-headers": {
    section: "4.1",
    point: "caching of token answers",
    choice: "`Cache-Control: no-store` and `Pragma: no-cache` on every one",
    why: "RFC 6749 §5.1",
    named: "an answer of the token endpoint, where they are configured away",
    value: true as boolean,
  },
} as const satisfies Record<`token.${string}`, Assumption>;
