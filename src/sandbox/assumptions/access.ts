import type { Assumption } from "./assumption.js";

/** Access: tokens with a request, and certificates. */
export const accessAssumptions = {
  "bearer.missing-token": {
    section: "7 rule 4",
    point: "answer to a request without a token, with a malformed Authorization header, or with another scheme",
    choice: '401 UNAUTHORIZED with `WWW-Authenticate: Bearer realm="payments"`',
    why: "RFC 6750 §3",
    error: "UNAUTHORIZED",
    message: "A valid access token is required.",
  },
  "bearer.other-scheme": {
    section: "7 rule 4",
    point: "which of the two answers an Authorization header with another scheme than Bearer gets",
    choice:
      "that to a request without a token (`missing-token`); or that to a token that is not good (`invalid-token`)",
    why: "RFC 6750 §3: such a request has no authentication information that the service could judge",
    named: "the refusal of another scheme, where it is `invalid-token`",
    value: "missing-token",
    schema: ({ z }) => z.enum(["missing-token", "invalid-token"]),
    another: {
      value: "invalid-token",
      effect: 'another scheme gets the challenge of a bad token, `error="invalid_token"`',
    },
  },
  "bearer.invalid-token": {
    section: "4.1 rule 2",
    point: "answer to a token that is altered, expired or foreign, or sent with another certificate or none",
    choice: '401 UNAUTHORIZED with `WWW-Authenticate: Bearer error="invalid_token"`',
    why: "RFC 6750 §3.1 and RFC 8705 §3",
    error: "UNAUTHORIZED",
  },
  "bearer.other-certificate": {
    section: "4.1 rule 2",
    point: "answer to a good token that is sent with another certificate than its own, or with none",
    choice: "that of `bearer.invalid-token`, which is 401 UNAUTHORIZED, unless this is configured",
    why: "RFC 8705 §3: such a token is an invalid token",
    error: "UNAUTHORIZED",
    onlyConfigured: true,
  },
  "bearer.insufficient-scope": {
    section: "7 rule 4",
    point: "answer to a token whose scope is too small",
    choice: '403 FORBIDDEN with `WWW-Authenticate: Bearer error="insufficient_scope"`',
    why: "RFC 6750 §3.1",
    error: "FORBIDDEN",
  },
  "bearer.invalid-request": {
    section: "5 point 4",
    point: "answer to a token that is sent twice, or in the URL",
    choice: '400 INVALID_REQUEST with `WWW-Authenticate: Bearer error="invalid_request"`',
    why: "RFC 6750 §2 and §3.1: one method, once; tokens in URLs end up in logs",
    error: "INVALID_REQUEST",
  },
  "certificate.registration": {
    section: "5 point 8",
    point: "how a certificate is registered and matched",
    choice:
      "by the exact SHA-256 thumbprint, whatever its issuer; a certificate belongs to one client; one that is issued again, even with the same key, is another certificate",
    why: "§4.1 rule 1 speaks of the certificate that is registered; RFC 8705 §2.2 and §3.1",
    named: "the refusal of a certificate that is registered for no client",
    key: "clients[].certificates",
  },
  "certificate.validity": {
    section: "5 point 1",
    point: "whether a registered certificate must be within its dates",
    choice: "yes, on the sandbox's clock",
    why: "RFC 5280 §6.1.3",
    named: "the refusal of a certificate outside its dates",
    value: true,
    schema: ({ z }) => z.boolean("give true or false"),
    another: { value: false, effect: "a registered certificate outside its dates gets a token" },
  },
  "certificate.usage": {
    section: "5 point 1",
    point: "whether a registered certificate must permit client authentication",
    choice: "yes: key usage and extended key usage, where present, must allow it",
    why: "RFC 5280 §4.2.1.3 and §4.2.1.12",
    named: "the refusal of a certificate for another use",
    value: true,
    schema: ({ z }) => z.boolean("give true or false"),
    another: { value: false, effect: "a registered certificate for servers gets a token" },
  },
  "certificate.end": {
    section: "5 point 8",
    point: "what a certificate that another one replaced is refused as, once it has ended",
    choice:
      "as one that was never registered (`unregistered`); or as one that has `expired` or was `revoked`, which `tls.clientCertificate: require` refuses in the handshake",
    why: "§4.1 rule 1 speaks of the certificate that is registered; a replaced one is not registered any more",
    named: "the refusal of a certificate that was replaced, was revoked, or was made to expire",
    value: "unregistered",
    schema: ({ z }) => z.enum(["unregistered", "expired", "revoked"]),
    another: { value: "revoked", effect: "a certificate that was replaced is refused like one that was revoked" },
  },
  "certificate.end-refusal": {
    section: "4.1 rule 2",
    point: "where a new connection with a certificate that has ended is refused",
    choice:
      "its requests are refused (`request`); `handshake` closes it at the end of the handshake, without a TLS alert",
    why: "rule 2 speaks of a status code, which only a completed handshake can carry",
    named: "no answer: it shapes the connection",
    value: "request",
    schema: ({ z }) => z.enum(["request", "handshake"]),
    another: {
      value: "handshake",
      effect: "a new connection with a certificate that has ended is closed at the end of the handshake",
    },
  },
  "certificate.ended": {
    section: "4.1 rule 2",
    point: "answer to a request over a certificate that has ended, by its dates or before them",
    choice:
      "that of `bearer.invalid-token` or `token.invalid-client`, which is 401 UNAUTHORIZED or 400 INVALID_CLIENT, unless this is configured",
    why: "RFC 8705 §3: the certificate is not good for its token any more",
    error: "UNAUTHORIZED",
    onlyConfigured: true,
  },
  "certificate.old-connection": {
    section: "4.1 rule 2",
    point: "what becomes of a connection whose certificate ends while it is open",
    choice:
      "it stays open, and its requests are refused (`keep`); `close`: the first refusal ends it, with `Connection: close` or GOAWAY",
    why: "the handshake proved the certificate once; each request is judged by the time at which it comes",
    named: "no answer: it shapes the connection",
    value: "keep",
    schema: ({ z }) => z.enum(["keep", "close"]),
    another: { value: "close", effect: "the first refusal after a rotation ends the open connection" },
  },
  "certificate.old-ca": {
    section: "4.1 rule 2",
    point: "what becomes of the certificates of clients when the server cuts over to its next CA",
    choice: "those of the old CA stay valid until they are rotated (`keep`); `end`: the cut ends them",
    why: "certificates are registered one by one, whatever their issuer",
    named: "no answer: it decides which certificates are good",
    value: "keep",
    schema: ({ z }) => z.enum(["keep", "end"]),
    another: { value: "end", effect: "the cut to the next CA ends the certificates of all clients" },
  },
  "certificate.handshake": {
    section: "4.1 rule 2",
    point: "when a connection without a good certificate is refused",
    choice:
      "the handshake completes and the request is refused (`request`); `require` closes the connection at the end of the handshake, without a TLS alert",
    why: "rule 2 speaks of a status code, which only a completed handshake can carry",
    named: "the refusal of a request without a certificate",
    key: "tls.clientCertificate",
  },
} as const satisfies Record<`bearer.${string}` | `certificate.${string}`, Assumption>;
