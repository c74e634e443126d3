import { assumption, type RefusalAssumptionId } from "../assumptions.js";
import type { CertificateEnd } from "../clients.js";
import { type Basis, basisOf, codeOf, type ErrorCode, errorFacts, isErrorCode } from "../errors.js";
import type { ListProblem } from "../lists/problems.js";

/**
 * Why a request was refused, as facts. The client never sees them; the journal makes its explanation from them.
 * Instants are milliseconds since the epoch.
 */
export type Cause =
  | { readonly kind: "no-certificate" }
  | { readonly kind: "certificate-unregistered" }
  | { readonly kind: "certificate-of-another-client"; readonly holder: string; readonly asked: string }
  | { readonly kind: "unknown-client"; readonly asked: string }
  | { readonly kind: "certificate-expired"; readonly notAfter: number; readonly now: number }
  | { readonly kind: "certificate-not-yet-valid"; readonly notBefore: number; readonly now: number }
  | {
      readonly kind: "certificate-ended";
      readonly how: CertificateEnd["how"];
      /** What it is refused as (assumption `certificate.end`). */
      readonly like: "unregistered" | "expired" | "revoked";
      readonly at: number;
      readonly now: number;
    }
  | { readonly kind: "certificate-usage" }
  | { readonly kind: "token-missing"; readonly reason: string }
  | { readonly kind: "other-scheme" }
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
  | {
      readonly kind: "correlation-id";
      readonly reason: string;
      /** What to send, such as "a UUID". */
      readonly format: string;
      readonly required: boolean;
    }
  | { readonly kind: "parameter"; readonly name: string; readonly reason: string }
  | { readonly kind: "media-type"; readonly sent: string | undefined }
  | { readonly kind: "content-coding"; readonly sent: string | undefined }
  | { readonly kind: "client-authentication"; readonly method: string }
  | { readonly kind: "list"; readonly problem: ListProblem }
  | { readonly kind: "no-such-path"; readonly known: readonly string[] }
  | { readonly kind: "no-such-parent"; readonly name: string; readonly value: string }
  | { readonly kind: "method"; readonly allowed: readonly string[] }
  | { readonly kind: "body-too-large"; readonly limit: number }
  | { readonly kind: "protocol"; readonly reason: string }
  | { readonly kind: "example" }
  | { readonly kind: "injected" }
  | { readonly kind: "unknown-scenario" }
  | { readonly kind: "unavailable"; readonly reason: string }
  | { readonly kind: "internal"; readonly error: unknown };

export interface RefusalOptions {
  /** The public message, if it is more exact than that of the code or the assumption. */
  readonly message?: string;
  /** Whether this message is sent even if the configuration has another one for the assumption. */
  readonly keepsMessage?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the code's own. */
  readonly status?: number;
  /** What the refusal is based on, if that does not follow from its code. */
  readonly basis?: Basis;
}

/**
 * The only error that a step throws: what the client gets (code, message), and what was found (cause).
 * `api/error-response.ts` turns it into an answer.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The error code before any override of its assumption. */
  readonly code: ErrorCode;
  readonly basis: Basis;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** In place of the code's own. */
  readonly status: number | undefined;
  /** Whether a query parameter that the operation does not know was ignored before. */
  ignoredParameter = false;

  /** Whether a configured message must not replace this one, because a scenario gave it. */
  readonly keepsMessage: boolean;

  constructor(
    id: ErrorCode | RefusalAssumptionId,
    readonly reason: Cause,
    options: RefusalOptions = {},
  ) {
    const code = codeOf(id);
    // The journal keeps refusals. A stack would keep the whole request in memory, several kilobytes, and the cause says
    // more.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(options.message ?? messageOf(id) ?? errorFacts(code).message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.basis = options.basis ?? basisOf(id);
    this.headers = options.headers;
    this.status = options.status;
    this.keepsMessage = options.keepsMessage ?? false;
  }
}

/**
 * The refusal of a sandbox that shares its state with others, and cannot be sure of the state.
 * @param reason for the journal
 */
export function unavailableRefusal(reason: string): Refusal {
  return new Refusal("SERVICE_UNAVAILABLE", { kind: "unavailable", reason }, { basis: "sandbox" });
}

function messageOf(id: ErrorCode | RefusalAssumptionId): string | undefined {
  const entry = isErrorCode(id) ? undefined : assumption(id);
  return entry && "error" in entry ? entry.message : undefined;
}
