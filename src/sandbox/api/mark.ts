import type { AssumptionId } from "../assumptions.js";
import { kindOf } from "../journal/causes.js";
import type { Refusal } from "../journal/refusal.js";

declare const isMark: unique symbol;

/** A value of `Sandbox-Assumed`: ids of the table, not arbitrary text. */
export type Mark = string & { readonly [isMark]: true };

/**
 * The value of `Sandbox-Assumed`: the assumptions that shaped an answer, the decisive one first. Undefined for none.
 */
export function markOf(ids: readonly (AssumptionId | false | undefined)[]): Mark | undefined {
  const named = ids.filter((id) => id);
  return named.length === 0 ? undefined : (named.join(", ") as Mark);
}

/**
 * The assumption that a refusal is based on; undefined if the interface defines its code, and for the sandbox's own
 * controls.
 */
export function assumptionBehind({ basis }: Refusal): AssumptionId | undefined {
  return basis === "§7" || basis === "sandbox" ? undefined : basis;
}

/**
 * The assumptions that a refusal rests on: what decided, what had a part in it, and what was ignored. Where a check has
 * decided by an assumption, its place in the order of the checks is one as well.
 */
export function assumptionsOf(refusal: Refusal): (AssumptionId | false | undefined)[] {
  const { reason, ignoredParameter } = refusal;
  const basis = assumptionBehind(refusal);
  const { partOf, isUnchecked } = kindOf(reason);
  return [
    basis,
    partOf?.(reason),
    basis && !isUnchecked && "checks.order",
    ignoredParameter && "request.unknown-parameters",
  ];
}
