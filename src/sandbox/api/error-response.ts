import type { AssumptionSettings, ErrorAssumptionId, ErrorOverride } from "../assumptions.js";
import type { OAuthErrorCode } from "../errors/error-facts.js";
import { type ErrorCode, errorFacts } from "../errors.js";
import type { Cause } from "../journal/causes.js";
import type { Exchange } from "../journal/exchange.js";
import { Refusal } from "../journal/refusal.js";
import { challengeOf } from "./access.js";
import { firstHeaders } from "./answer.js";
import { withHeaders } from "./headers.js";
import { assumptionsOf, markOf } from "./mark.js";
import { faultHeader } from "./own-headers.js";
import type { Call } from "./service.js";

/** An error as it is sent. */
export interface ErrorParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The code on the wire, after any override. */
  readonly code: string;
}

/**
 * Turns a refusal into the error object of §2.2. The details that the refusal found are not sent.
 * Only `neverFailing` of the TLS server writes an error object without it, when this has failed.
 * @param oauth whether it is an answer of the token endpoint, whose errors also carry the members of RFC 6749 §5.2
 * @param atTokenPath whether the request was sent to the path of the token endpoint: its answers must not be stored
 */
export function errorParts(
  refusal: Refusal,
  assumptions: AssumptionSettings,
  correlationId: string,
  oauth: boolean,
  atTokenPath = oauth,
): ErrorParts {
  // What is not based on an assumption cannot be configured: there is no such key.
  const override: ErrorOverride | undefined = assumptions.errors[refusal.basis as ErrorAssumptionId];
  const status = refusal.status ?? override?.status ?? errorFacts(refusal.code).status;
  const code = override?.code ?? refusal.code;
  const message = refusal.keepsMessage ? refusal.message : (override?.message ?? refusal.message);
  const service = { message, code };
  const full = oauth ? tokenErrorBody(refusal, service, status, assumptions, override?.error) : service;
  const body = override?.body === "code" ? { code } : override?.body === "none" ? {} : full;
  const mark = markOf([
    ...assumptionsOf(refusal),
    "error" in body && "token.error-body",
    atTokenPath && !assumptions.values["token.cache-headers"] && "token.cache-headers",
  ]);
  const headers = firstHeaders(assumptions, correlationId, override?.body !== "none", mark);
  const challenge = challengeOf(refusal.basis, status, override?.wwwAuthenticate);
  if (challenge !== undefined) headers["WWW-Authenticate"] = challenge;
  if (atTokenPath) Object.assign(headers, tokenCacheHeaders(assumptions));
  const all = refusal.headers ? withHeaders(headers, refusal.headers) : headers;
  return { status, headers: all, body: override?.body === "none" ? "" : JSON.stringify(body), code };
}

/** The same as an answer to a call. */
export function errorResponse({ service, exchange }: Pick<Call, "service" | "exchange">, refusal: Refusal): Response {
  const oauth = exchange.operation === "token";
  const { status, headers: own, body, code } = errorParts(refusal, service.assumptions, exchange.correlationId, oauth);
  const headers = exchange.injected === undefined ? own : withHeaders(own, { [faultHeader]: exchange.injected });
  exchange.refused(refusal, code);
  exchange.answered(status, headers, body);
  return new Response(body === "" ? null : body, { status, headers });
}

/** A request that never reached an operation: it is not HTTP, it is too slow or too large, or the server failed. */
export interface ProtocolProblem {
  readonly code: ErrorCode;
  /** One sentence that may be sent to the client. */
  readonly reason: string;
  readonly cause?: unknown;
}

function protocolRefusal({ code, reason, cause }: ProtocolProblem): Refusal {
  const fact: Cause = cause === undefined ? { kind: "protocol", reason } : { kind: "internal", error: cause };
  return new Refusal(code, fact, { message: reason });
}

/**
 * The error object for it, and the exchange that the journal keeps of it.
 * @param atTokenPath whether the request was sent to the path of the token endpoint
 * @param refusal replaces the one that follows from the code
 */
export function protocolErrorParts(
  problem: ProtocolProblem,
  exchange: Exchange,
  assumptions: AssumptionSettings,
  atTokenPath: boolean,
  refusal: Refusal = protocolRefusal(problem),
): ErrorParts {
  const parts = errorParts(refusal, assumptions, exchange.correlationId, exchange.operation === "token", atTokenPath);
  exchange.refused(refusal, parts.code);
  exchange.answered(parts.status, parts.headers, parts.body);
  return parts;
}

const noStore = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/** RFC 6749 §5.1: token answers, including refusals, must not be stored. */
export function tokenCacheHeaders(assumptions: AssumptionSettings): Readonly<Record<string, string>> | undefined {
  return assumptions.values["token.cache-headers"] ? noStore : undefined;
}

/**
 * The members of RFC 6749 §5.2 are added to those of §2.2, or replace them. An error of §7 always has those of §2.2.
 */
function tokenErrorBody(
  refusal: Refusal,
  service: { readonly message: string; readonly code: string },
  status: number,
  assumptions: AssumptionSettings,
  error: string | undefined,
): Record<string, string> {
  const shape = assumptions.values["token.error-body"];
  const isOfInterface = errorFacts(refusal.code).basis === "§7";
  if (shape === "service" || (shape === "oauth" && isOfInterface)) return service;
  const oauth = {
    error: error ?? errorFacts(refusal.code).oauth ?? oauthErrorFor(status),
    error_description: describable(service.message),
  };
  return shape === "oauth" ? oauth : { ...service, ...oauth };
}

function oauthErrorFor(status: number): OAuthErrorCode {
  if (status === 503) return "temporarily_unavailable";
  return status >= 500 ? "server_error" : "invalid_request";
}

/** RFC 6749 §5.2 permits printable ASCII without quotation mark and backslash. */
function describable(message: string): string {
  return message.replaceAll('"', "'").replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "?");
}
