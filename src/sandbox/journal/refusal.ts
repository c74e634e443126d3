import { assumption, type RefusalAssumptionId } from "../assumptions.js";
import { type Basis, basisOf, codeOf, type ErrorCode, errorFacts, isErrorCode } from "../errors.js";
import type { Cause } from "./causes.js";

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
