import { type AssumptionId, assumption } from "../assumptions.js";
import { type ErrorCode, type ErrorFacts, errorFacts, isErrorCode } from "../errors.js";
import type { ListProblem } from "../lists/problems.js";

/** What a refusal rests on: the interface's table of codes, an assumption, or the sandbox's own controls. */
export type Basis = ErrorFacts["basis"];

/** What a step's refusal by this code, or by this assumption, rests on. */
export function basisOf(id: ErrorCode | AssumptionId): Basis {
  return isErrorCode(id) ? errorFacts(id).basis : id;
}

/**
 * Why a request was refused, as facts. The client never sees them: the journal's explanation is made from them.
 * Instants are milliseconds since the epoch.
 */
export type Cause =
  | { readonly kind: "no-certificate" }
  | { readonly kind: "certificate-unregistered" }
  | { readonly kind: "certificate-of-another-client"; readonly holder: string; readonly asked: string }
  | { readonly kind: "unknown-client"; readonly asked: string }
  | { readonly kind: "certificate-expired"; readonly notAfter: number; readonly now: number }
  | { readonly kind: "certificate-not-yet-valid"; readonly notBefore: number; readonly now: number }
  | { readonly kind: "certificate-usage" }
  | { readonly kind: "token-missing"; readonly reason: string }
  | { readonly kind: "token-repeated" }
  | { readonly kind: "token-in-url" }
  | { readonly kind: "token-unusable"; readonly reason: string }
  | { readonly kind: "token-expired"; readonly expiredAt: number; readonly now: number; readonly issuedTo: string }
  | {
      readonly kind: "token-of-another-certificate";
      readonly issuedTo: string;
      readonly bound: string;
      readonly used: string | undefined;
    }
  | { readonly kind: "token-revoked"; readonly issuedTo: string }
  | { readonly kind: "token-of-removed-client"; readonly issuedTo: string }
  | { readonly kind: "scope-too-small"; readonly granted: readonly string[]; readonly needed: string }
  | { readonly kind: "scope-not-allowed"; readonly asked: string; readonly allowed: readonly string[] }
  | { readonly kind: "grant-not-allowed"; readonly client: string }
  | { readonly kind: "correlation-id"; readonly reason: string }
  | { readonly kind: "parameter"; readonly name: string; readonly reason: string }
  | { readonly kind: "media-type"; readonly sent: string | undefined }
  | { readonly kind: "client-authentication"; readonly method: string }
  | { readonly kind: "list"; readonly problem: ListProblem }
  | { readonly kind: "no-such-path"; readonly known: readonly string[] }
  | { readonly kind: "method"; readonly allowed: readonly string[] }
  | { readonly kind: "body-too-large"; readonly limit: number }
  | { readonly kind: "protocol"; readonly reason: string }
  | { readonly kind: "example" }
  | { readonly kind: "injected" }
  | { readonly kind: "unknown-scenario" }
  | { readonly kind: "internal"; readonly error: unknown };

/**
 * The one error that a step throws: what the client is told (code, message), and what was found out (cause).
 * It is turned into an answer in one place, `api/error-response.ts`.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The error code before any override of its assumption. */
  readonly code: ErrorCode;
  readonly basis: Basis;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** In place of the code's own. */
  readonly status: number | undefined;

  constructor(
    id: ErrorCode | AssumptionId,
    readonly reason: Cause,
    options: { message?: string; headers?: Readonly<Record<string, string>>; status?: number } = {},
  ) {
    const code = isErrorCode(id) ? id : codeOf(id);
    // The journal keeps refusals. A stack would keep the whole request, several kilobytes, and the cause says more.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(options.message ?? errorFacts(code).message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.basis = basisOf(id);
    this.headers = options.headers;
    this.status = options.status;
  }
}

function codeOf(id: AssumptionId): ErrorCode {
  const entry = assumption(id);
  if (!("error" in entry)) throw new Error(`The assumption ${id} does not refuse requests.`);
  return entry.error as ErrorCode;
}
