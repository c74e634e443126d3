/**
 * Every point that the interface leaves "not shown", what the sandbox does there, and why.
 *
 * README's table, `GET /assumptions`, the `Sandbox-Assumed` header and the schema of `sandbox.yaml` derive from this table.
 */
interface AssumptionBase {
  /** The section of the interface that leaves the point open. */
  readonly section: string;
  /** What was left open, as a short phrase. */
  readonly point: string;
  /** What the sandbox does. */
  readonly choice: string;
  readonly why: string;
}

/** A refusal whose status, code and message can be set: `assumptions: { ID: { status, code, message } }`. */
interface ErrorAssumption extends AssumptionBase {
  /** A code of `errors.ts` (which checks it). */
  readonly error: string;
}

/** A choice with a value of its own: `assumptions: { ID: value }`. */
interface ValueAssumption extends AssumptionBase {
  readonly value: unknown;
}

/** A choice that another part of the configuration changes, or that is fixed (`key: null`). */
interface OtherAssumption extends AssumptionBase {
  readonly key: string | null;
}

export type Assumption = ErrorAssumption | ValueAssumption | OtherAssumption;

export const assumptionTable = {
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
      "both shapes: message and code of §2.2, error and error_description of RFC 6749 §5.2 (`both`, `service` or `oauth`)",
    why: "§2.2 speaks of every error; OAuth libraries read only RFC 6749's members",
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
  "token.media-type": {
    section: "4.1",
    point: "answer to a body that is not application/x-www-form-urlencoded",
    choice: "400 INVALID_REQUEST (415 UNSUPPORTED_MEDIA_TYPE is the common other choice)",
    why: "RFC 6749 §5.2 knows no other code for it",
    error: "INVALID_REQUEST",
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
    choice: "`read` opens ping and lists; a client may be registered with further ones, which open nothing",
    why: "only `read` is shown",
    key: "clients[].scopes",
  },
  "token.format": {
    section: "2.1",
    point: "what an access token looks like inside",
    choice: "a signed JWT (typ at+jwt, ES256) with iss, aud, sub, client_id, scope, iat, exp, jti and cnf.x5t#S256",
    why: "RFC 9068 and RFC 8705 §3.1; clients treat it as opaque",
    value: { issuer: "https://sandbox" as string, audience: "business-payments-sandbox" as string },
  },
  "token.lifetime": {
    section: "8",
    point: "nothing: the lifetime is 300 seconds; another one can be tried out",
    choice: "300 seconds",
    why: "§2.1, §5 point 6 and §8",
    value: 300 as number,
  },
  "token.cache-headers": {
    section: "4.1",
    point: "caching of token answers",
    choice: "`Cache-Control: no-store` and `Pragma: no-cache` on every one",
    why: "RFC 6749 §5.1",
    value: true as boolean,
  },
  "bearer.missing-token": {
    section: "7 rule 4",
    point: "answer to a request without a token, with a malformed Authorization header, or with another scheme",
    choice: "401 UNAUTHORIZED with `WWW-Authenticate: Bearer`",
    why: "RFC 6750 §3",
    error: "UNAUTHORIZED",
  },
  "bearer.invalid-token": {
    section: "4.1 rule 2",
    point: "answer to a token that is altered, expired or foreign, or sent with another certificate or none",
    choice: '401 UNAUTHORIZED with `WWW-Authenticate: Bearer error="invalid_token"`',
    why: "RFC 6750 §3.1 and RFC 8705 §3",
    error: "UNAUTHORIZED",
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
    choice: "400 INVALID_REQUEST",
    why: "RFC 6750 §2 and §3.1: one method, once; tokens in URLs end up in logs",
    error: "INVALID_REQUEST",
  },
  "certificate.registration": {
    section: "5 point 8",
    point: "how a certificate is registered and matched",
    choice:
      "by the exact SHA-256 thumbprint, whatever its issuer; a certificate belongs to one client; one that is issued anew, even with the same key, is another certificate",
    why: "§4.1 rule 1 speaks of the certificate that is registered; RFC 8705 §2.2 and §3.1",
    key: "clients[].certificates",
  },
  "certificate.validity": {
    section: "5 point 1",
    point: "whether a registered certificate must be within its dates",
    choice: "yes, on the sandbox's clock",
    why: "RFC 5280 §6.1.3",
    value: true as boolean,
  },
  "certificate.usage": {
    section: "5 point 1",
    point: "whether a registered certificate must permit client authentication",
    choice: "yes: key usage and extended key usage, where present, must allow it",
    why: "RFC 5280 §4.2.1.3 and §4.2.1.12",
    value: true as boolean,
  },
  "certificate.handshake": {
    section: "4.1 rule 2",
    point: "when a connection without a good certificate is refused",
    choice: "the handshake completes and the request is refused; `require` refuses in the handshake",
    why: "rule 2 speaks of a status code, which only a completed handshake can carry",
    key: "tls.clientCertificate",
  },
  "checks.order": {
    section: "7",
    point: "which error wins when several apply",
    choice: "route, method, peer and token, scope, correlation ID, parameters (page size, dates and filters, cursor)",
    why: "a stranger learns nothing about parameters",
    key: null,
  },
  "correlation.header": {
    section: "7 rule 3",
    point: "name of the header that carries the correlation ID",
    choice: "`X-Correlation-ID`, optional, echoed in the answer, made when absent",
    why: "the most common name",
    value: "X-Correlation-ID" as string,
  },
  "correlation.format": {
    section: "7 rule 3",
    point: "required format of the correlation ID",
    choice: "a UUID (any version, any case); `uuid`, or a regular expression that the whole value must match",
    why: "the most common format; a bad value is never echoed",
    value: "uuid" as string,
  },
  "correlation.required": {
    section: "7 rule 3",
    point: "whether the correlation ID must be sent",
    choice: "no",
    why: "§4.2 shows ping without it",
    value: false as boolean,
  },
  "ping.response": {
    section: "4.2",
    point: "the answer of ping without `produceError`",
    choice: '200 `{"status":"OK"}`',
    why: "a body that says what happened",
    value: { status: 200 as number, body: { status: "OK" } as unknown },
  },
  "ping.produce-error": {
    section: "4.2",
    point: "answer to a `produceError` that is neither `true` nor `false`, or repeated",
    choice: "400 VALIDATION_ERROR",
    why: "the parameter is a boolean",
    error: "VALIDATION_ERROR",
  },
  "list.endpoints": {
    section: "4.3",
    point: "the list endpoints and their items",
    choice:
      "synthetic `payments` at `/v1/payments` and `payouts` at `/v1/payouts`, newest first, items `{id, status, amount:{value,currency}, reference, createdAt}`, filter `status`",
    why: "the parameters of §8 need a list to try them on",
    key: "lists.NAME",
  },
  "list.envelope": {
    section: "4.3",
    point: "the body of a page",
    choice: '`{"items":[…],"nextCursor":"…"}`, without `nextCursor` on the last page',
    why: "the smallest shape that can be walked",
    key: "lists.NAME.envelope",
  },
  "list.cursor": {
    section: "7 rule 1",
    point: "which cursors are good",
    choice:
      "opaque and encrypted; good for 24 hours, for one client and one list; another list's, another client's, expired or altered: INVALID_CURSOR",
    why: "§7 says that an altered cursor is invalid",
    key: "lists.NAME.cursorLifetime",
  },
  "list.page-size-change": {
    section: "7 rule 1",
    point: "whether `pageSize` may change during a walk",
    choice: "yes: it is no filter",
    why: "rule 1 speaks of filters only",
    key: null,
  },
  "list.filter-comparison": {
    section: "7 rule 1",
    point: "what counts as the same filter",
    choice: "the same text after percent-decoding; the same instant written another way is a change",
    why: '"exactly the same filters"; a client that passes here passes everywhere',
    key: null,
  },
  "list.dates": {
    section: "7",
    point: "format of `fromCreatedAt` and `toCreatedAt`, and whether their bounds belong to the range",
    choice: "RFC 3339 date-time with offset, both bounds inclusive; anything else, empty or repeated: VALIDATION_ERROR",
    why: "the format of the API field at large",
    key: "lists.NAME.parameters",
  },
  "list.page-size-format": {
    section: "8",
    point: "answer to a `pageSize` that is no plain decimal integer, empty or repeated",
    choice: "400 INVALID_PAGE_SIZE",
    why: "it is not within 1 to 100 either",
    key: "lists.NAME.pageSize",
  },
  "http.not-found": {
    section: "4.3",
    point: "answer to an unknown path",
    choice:
      "404 NOT_FOUND; paths are compared literally, so encoded letters, dot segments, doubled or trailing slashes and other case are unknown",
    why: "a client that depends on repairs by the server breaks elsewhere",
    error: "NOT_FOUND",
  },
  "http.method-not-allowed": {
    section: "4",
    point: "answer to another method, HEAD and OPTIONS among them",
    choice: "405 METHOD_NOT_ALLOWED with `Allow`",
    why: "RFC 9110 §15.5.6",
    error: "METHOD_NOT_ALLOWED",
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
    point: "answer to headers over 16 KiB",
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
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptionTable;

type Table = typeof assumptionTable;

/** The assumptions that are refusals. */
export type ErrorAssumptionId = {
  [Id in AssumptionId]: Table[Id] extends { error: string } ? Id : never;
}[AssumptionId];

/** The assumptions that have a value of their own. */
export type ValueAssumptionId = {
  [Id in AssumptionId]: Table[Id] extends { value: unknown } ? Id : never;
}[AssumptionId];

/** What goes on the wire for a refusal, where it differs from the default. */
export interface ErrorOverride {
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The codes that the assumptions name. */
export type AssumedCode = Table[ErrorAssumptionId]["error"];

/** The settings in force: a value for each value assumption, and the overrides of the others. */
export interface AssumptionSettings {
  readonly values: { readonly [Id in ValueAssumptionId]: Table[Id]["value"] };
  readonly errors: { readonly [Id in ErrorAssumptionId]?: ErrorOverride };
  /** Whether answers name the assumptions that they rest on, in `Sandbox-Assumed`. */
  readonly header: boolean;
}

/** All ids, in the order of the table. */
export const assumptionIds = Object.keys(assumptionTable) as AssumptionId[];

/** One assumption, by its general type. */
export function assumption(id: AssumptionId): Assumption {
  return assumptionTable[id];
}

/** What in `sandbox.yaml` changes an assumption; null where nothing does. */
export function configurationKey(id: AssumptionId): string | null {
  const entry = assumption(id);
  return "key" in entry ? entry.key : `assumptions["${id}"]`;
}

/** The settings of a sandbox that configures nothing. */
export function defaultAssumptions(): AssumptionSettings {
  const values = Object.fromEntries(
    assumptionIds.flatMap((id) => {
      const entry = assumption(id);
      return "value" in entry ? [[id, entry.value]] : [];
    }),
  ) as AssumptionSettings["values"];
  return { values, errors: {}, header: true };
}
