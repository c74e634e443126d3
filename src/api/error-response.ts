import { randomUUID } from "node:crypto";
import type { AssumptionSettings, ErrorAssumptionId, ErrorOverride } from "../assumptions.js";
import { type ErrorCode, errorFacts, type OAuthErrorCode } from "../errors.js";
import type { Exchange } from "../journal/exchange.js";
import { Refusal } from "../journal/refusal.js";
import type { Call } from "./service.js";

/** An error as it goes on the wire. */
export interface ErrorParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The code on the wire, after any override. */
  readonly code: string;
}

/**
 * Turns a refusal into the error object of §2.2. This is the only place that does; what the refusal found out stays behind.
 * @param oauth whether it is an answer of the token endpoint, whose errors also carry the members of RFC 6749 §5.2
 */
export function errorParts(
  refusal: Refusal,
  assumptions: AssumptionSettings,
  correlationId: string,
  oauth: boolean,
): ErrorParts {
  const assumed = refusal.basis !== "§7" && refusal.basis !== "sandbox";
  const override: ErrorOverride | undefined = assumed
    ? assumptions.errors[refusal.basis as ErrorAssumptionId]
    : undefined;
  const status = refusal.status ?? override?.status ?? errorFacts(refusal.code).status;
  const code = override?.code ?? refusal.code;
  const message = override?.message ?? refusal.message;
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    [assumptions.values["correlation.header"]]: correlationId,
  };
  if (assumed && assumptions.header) headers["Sandbox-Assumed"] = refusal.basis;
  if (refusal.headers) Object.assign(headers, refusal.headers);
  const body = oauth ? tokenErrorBody(refusal, message, code, status, assumptions) : { message, code };
  return { status, headers, body: JSON.stringify(body), code };
}

/** The same as an answer to a call. */
export function errorResponse({ service, exchange }: Pick<Call, "service" | "exchange">, refusal: Refusal): Response {
  const oauth = exchange.operation === "token";
  const { status, headers, body, code } = errorParts(refusal, service.assumptions, exchange.correlationId, oauth);
  if (oauth) Object.assign(headers, tokenCacheHeaders(service.assumptions));
  if (exchange.injected !== undefined) headers["Sandbox-Fault"] = exchange.injected;
  exchange.refusal = refusal;
  exchange.code = code;
  exchange.answered(status, headers, body);
  return new Response(body, { status, headers });
}

/** Something that never reached an operation: what is not HTTP, comes too slowly or is too large, and what failed. */
export interface ProtocolProblem {
  readonly code: ErrorCode;
  /** One sentence that may be told to the client. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** The error object for it, and the exchange that the journal keeps of it. */
export function protocolErrorParts(
  problem: ProtocolProblem,
  exchange: Exchange,
  assumptions: AssumptionSettings,
): ErrorParts {
  const { code, reason, cause } = problem;
  const refusal = new Refusal(
    code,
    cause === undefined ? { kind: "protocol", reason } : { kind: "internal", error: cause },
    { message: reason },
  );
  exchange.correlationId = randomUUID();
  const parts = errorParts(refusal, assumptions, exchange.correlationId, false);
  exchange.refusal = refusal;
  exchange.code = parts.code;
  exchange.answered(parts.status, parts.headers, parts.body);
  return parts;
}

const noStore = { "Cache-Control": "no-store", Pragma: "no-cache" } as const;

/** RFC 6749 §5.1: token answers are not to be stored, refusals among them. */
export function tokenCacheHeaders(assumptions: AssumptionSettings): Readonly<Record<string, string>> | undefined {
  return assumptions.values["token.cache-headers"] ? noStore : undefined;
}

function tokenErrorBody(
  refusal: Refusal,
  message: string,
  code: string,
  status: number,
  assumptions: AssumptionSettings,
): Record<string, string> {
  const shape = assumptions.values["token.error-body"];
  const service = { message, code };
  if (shape === "service") return service;
  const oauth = {
    error: errorFacts(refusal.code).oauth ?? oauthErrorFor(status),
    error_description: describable(message),
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
