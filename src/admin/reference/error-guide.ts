import type { ErrorCode } from "../../sandbox/errors.js";

/** A request that is answered with a code. */
export interface ErrorRequest {
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** Whether it carries a good access token. */
  readonly token?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: string;
}

/** What people who look up an error code want to know. */
export interface ErrorGuide {
  /** What the code says to a client: one sentence. */
  readonly means: string;
  /** What causes it at the sandbox. */
  readonly causes: readonly string[];
  /** What to change in the client. */
  readonly fix: string;
  /** The shortest request that causes it; undefined if only a scenario does, or bytes that are not HTTP. */
  readonly request?: ErrorRequest;
}

const token = true;
const tokenPath = "/oauth/v2/oauth-token";
const goodForm = "grant_type=client_credentials&client_id=demo&scope=read";
const formOf = (name: string, value: string) => goodForm.replace(new RegExp(`${name}=[^&]*`), `${name}=${value}`);

/** The guide to each error code. A test sends each request, and compares the code of the answer. */
export const errorGuide: Readonly<Record<ErrorCode, ErrorGuide>> = {
  VALIDATION_ERROR: {
    means: "A parameter has a value that the service cannot accept.",
    causes: [
      "a date that is not RFC 3339 with a time zone, or a range whose begin is after its end",
      "a filter or `produceError` that is repeated, empty or not one of its values",
      "a query that is not validly percent-encoded",
    ],
    fix: "Send dates as `2026-11-01T00:00:00Z`, each parameter once, and percent-encode values. The message names the parameter.",
    request: { path: "/v1/payments?fromCreatedAt=yesterday", token },
  },
  INVALID_CORRELATION_ID: {
    means: "The correlation ID does not have the required format.",
    causes: [
      "a correlation ID that is not a UUID, or is sent twice",
      "none, if the assumption `correlation.required` says that one is needed",
    ],
    fix: "Send a new UUID for each request in `X-Correlation-ID`, or leave the header out.",
    request: { path: "/v1/ping", token, headers: { "X-Correlation-ID": "order 17" } },
  },
  INVALID_PAGE_SIZE: {
    means: "The page size is not a whole number from 1 to the maximum.",
    causes: ["`pageSize=0`, a number over the maximum, a fraction, a word, or two sizes"],
    fix: "Send a whole number from 1 to 100, or leave the parameter out.",
    request: { path: "/v1/payments?pageSize=0", token },
  },
  INVALID_CURSOR: {
    means: "The service does not know the cursor, or does not accept it any more.",
    causes: [
      "a cursor that was cut short, altered, encoded twice, or made up",
      "a cursor of another client, another list, or an earlier certs folder",
      "a cursor that has expired",
    ],
    fix: "Send the cursor exactly as the last page gave it, percent-encoded once. When it is refused, start the walk again without a cursor.",
    request: { path: "/v1/payments?cursor=x", token },
  },
  CURSOR_FILTERS_CHANGED: {
    means: "The filters differ from those of the request that produced the cursor.",
    causes: ["a filter or date that was added, left out or changed during a walk; page sizes may change"],
    fix: "Repeat exactly the same filters with each cursor, as the same text. To change a filter, start again without a cursor.",
  },
  EXAMPLE_ERROR: {
    means: "The client asked for an example of an error.",
    causes: ["`produceError=true` in a ping"],
    fix: "Nothing is wrong. Test with it that your client reads `code` and `message`.",
    request: { path: "/v1/ping?produceError=true", token },
  },
  INVALID_REQUEST: {
    means: "The token request is malformed.",
    causes: [
      "a parameter that is missing or repeated",
      "a body that is not a form: JSON, no content type, or a compressed one",
      "a client secret, Basic authentication or an assertion: the certificate authenticates the client",
      "an access token in the URL or sent twice",
    ],
    fix: "Send `grant_type`, `client_id` and `scope` once each in a form, and nothing else.",
    request: { method: "POST", path: tokenPath, form: "grant_type=client_credentials" },
  },
  INVALID_CLIENT: {
    means: "The certificate of the connection does not belong to the client that asks for a token.",
    causes: [
      "no certificate, one that is not registered, or one of another client",
      "a certificate that has expired, is not valid yet, or is not for client authentication",
      "a `client_id` that does not exist",
    ],
    fix: "Present the certificate that was registered for this `client_id`. The explanation in the journal says which one was presented.",
    request: { method: "POST", path: tokenPath, form: formOf("client_id", "nobody") },
  },
  UNSUPPORTED_GRANT_TYPE: {
    means: "The service does not know the grant type.",
    causes: ["another `grant_type` than `client_credentials`"],
    fix: "Send `grant_type=client_credentials`. There is no refresh token: ask for a new token instead.",
    request: { method: "POST", path: tokenPath, form: formOf("grant_type", "password") },
  },
  UNAUTHORIZED_CLIENT: {
    means: "The client may not use this grant type.",
    causes: ["a client that is registered without `client_credentials` (`grantTypes` in `sandbox.yaml`)"],
    fix: "Register the client for the grant.",
  },
  INVALID_SCOPE: {
    means: "The scope is missing, unknown, or more than the client may ask for.",
    causes: ["another scope than `read`, or none"],
    fix: "Send `scope=read`.",
    request: { method: "POST", path: tokenPath, form: formOf("scope", "write") },
  },
  UNAUTHORIZED: {
    means: "The access token is not valid on this connection.",
    causes: [
      "no token, a token that was altered or has expired, or one that was revoked",
      "a token that was issued to another certificate than that of the connection",
      "a certificate that is not registered any more",
    ],
    fix: "Ask for a new token over the same certificate, and repeat the request once with it. Do not send the refused token again.",
    request: { path: "/v1/ping" },
  },
  FORBIDDEN: {
    means: "The access token does not permit this request.",
    causes: ["a token without the scope `read`"],
    fix: "Ask for a token with `scope=read`. Repeating the request with the same token does not help.",
  },
  NOT_FOUND: {
    means: "There is nothing at this path.",
    causes: [
      "a path with other case, a trailing slash, `//`, dot segments or encoded letters: paths are compared literally",
      "a base path that is missing, or set twice",
    ],
    fix: "Compare the path with `/openapi.json`. The explanation in the journal names the nearest path.",
    request: { path: "/v1/pings", token },
  },
  METHOD_NOT_ALLOWED: {
    means: "The path exists, and does not take this method.",
    causes: ["`GET` of the token endpoint, `POST` of a list, HEAD or OPTIONS"],
    fix: "Send one of the methods that the header `Allow` names.",
    request: { path: tokenPath },
  },
  REQUEST_TIMEOUT: {
    means: "The request did not arrive in time.",
    causes: ["headers or a body that stop in the middle"],
    fix: "Send the whole request at once; check that `Content-Length` is the length of the body in bytes.",
  },
  PAYLOAD_TOO_LARGE: {
    means: "The body of the request is too large.",
    causes: ["a token request of more than 64 KiB"],
    fix: "Send the three parameters of a token request only.",
    request: { method: "POST", path: tokenPath, form: `x=${"x".repeat(66_000)}` },
  },
  UNSUPPORTED_MEDIA_TYPE: {
    means: "The body has another content type than the service reads.",
    causes: [
      "a scenario; a token request as JSON, without a content type or compressed gets `INVALID_REQUEST`",
      "such a token request, if the assumption `token.media-type` is configured to 415",
    ],
    fix: "Send `Content-Type: application/x-www-form-urlencoded`.",
  },
  EXPECTATION_FAILED: {
    means: "The service cannot meet the header `Expect`.",
    causes: ["`Expect` with another value than `100-continue`"],
    fix: "Leave the header out.",
    request: { path: "/v1/ping", token, headers: { Expect: "tea" } },
  },
  TOO_MANY_REQUESTS: {
    means: "The client sends too many requests.",
    causes: ["a scenario with a rate limit: the sandbox has no other"],
    fix: "Wait for as long as `Retry-After` says, with every request of the client, then go on more slowly.",
  },
  REQUEST_HEADER_FIELDS_TOO_LARGE: {
    means: "The request line and headers are too large.",
    causes: ["more than 16 KiB of headers, or more than 100 of them"],
    fix: "Look for a header that grows, such as a cookie or a trace.",
    request: { path: "/v1/ping", token, headers: { "X-Long": "x".repeat(17_000) } },
  },
  BAD_REQUEST: {
    means: "The bytes are not a valid HTTP request.",
    causes: ["a broken request line or header, two lengths, a missing `Host`, or plain HTTP on the TLS port"],
    fix: "Use an HTTP library. Check that the scheme of the base URL is `https`.",
  },
  INTERNAL_SERVER_ERROR: {
    means: "The service failed.",
    causes: ["a scenario; without one, a bug in the sandbox"],
    fix: "Repeat a request that only reads, a few times, with growing pauses. Then report the error.",
  },
  SERVICE_UNAVAILABLE: {
    means: "The service is not available for a while.",
    causes: ["a scenario, such as `maintenance`", "a sandbox that shares its state, and cannot reach Redis"],
    fix: "Wait for as long as `Retry-After` says, or with growing pauses, and repeat the request a few times.",
  },
  UNKNOWN_SCENARIO: {
    means: "The header `Sandbox-Scenario` names a scenario that does not exist.",
    causes: ["a misspelt name, or a scenario that was removed"],
    fix: "Compare the name with `payments-sandbox scenarios`.",
    request: { path: "/v1/ping", token, headers: { "Sandbox-Scenario": "invalid-cursr" } },
  },
};
