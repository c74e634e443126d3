import { type AssumedCode, type AssumptionId, assumption, type RefusalAssumptionId } from "./assumptions.js";
import type { ErrorFacts } from "./errors/error-facts.js";
import { httpErrors } from "./errors/http.js";
import { interfaceErrors } from "./errors/interface.js";
import { tokenErrors } from "./errors/token.js";

/**
 * Every error code that the sandbox can answer with. The first six are the interface's (§7), the others assumptions (§7
 * rule 4).
 */
const errorTable = { ...interfaceErrors, ...tokenErrors, ...httpErrors } as const satisfies Record<
  AssumedCode,
  ErrorFacts
>;

export type ErrorCode = keyof typeof errorTable;

/** All codes, in the order of the table. */
export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/**
 * What is refused before a request reaches any operation: what is not HTTP, comes too slowly or is too large, and what
 * fails.
 */
export const protocolCodes = [
  "BAD_REQUEST",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "EXPECTATION_FAILED",
  "REQUEST_HEADER_FIELDS_TOO_LARGE",
  "METHOD_NOT_ALLOWED",
  "INTERNAL_SERVER_ERROR",
] as const satisfies readonly ErrorCode[];

/** The facts of one code, with their general type. */
export function errorFacts(code: ErrorCode): ErrorFacts {
  return errorTable[code];
}

/** Whether a string, from a scenario or a configuration, is one of the codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** What a refusal is based on: the interface's table of codes, an assumption, or the sandbox's own controls. */
export type Basis = ErrorFacts["basis"];

/** What a step's refusal by this code, or by this assumption, is based on. */
export function basisOf(id: ErrorCode | AssumptionId): Basis {
  return isErrorCode(id) ? errorFacts(id).basis : id;
}

/** The error code of a refusal, before any override. */
export function codeOf(id: ErrorCode | RefusalAssumptionId): ErrorCode {
  if (isErrorCode(id)) return id;
  const entry = assumption(id);
  return ("error" in entry ? entry.error : entry.refuses) as ErrorCode;
}
