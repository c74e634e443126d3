import type { AssumptionId } from "../assumptions.js";
import type { Cause, Refusal } from "../journal/refusal.js";

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

/** Refusals that no check of a request has found. */
const unchecked: ReadonlySet<Cause["kind"]> = new Set(["injected", "protocol", "internal"]);

/**
 * The assumptions that a refusal rests on: what decided, what had a part in it, and what was ignored. Where a check has
 * decided by an assumption, its place in the order of the checks is one as well.
 */
export function assumptionsOf(refusal: Refusal): (AssumptionId | false | undefined)[] {
  const { reason, ignoredParameter } = refusal;
  const basis = assumptionBehind(refusal);
  return [
    basis,
    partOf(reason),
    basis && !unchecked.has(reason.kind) && "checks.order",
    ignoredParameter && "request.unknown-parameters",
  ];
}

/** The assumptions by which a certificate, a token or a scope is insufficient. */
const parts: Partial<Record<Cause["kind"], AssumptionId>> = {
  "no-certificate": "certificate.handshake",
  "certificate-unregistered": "certificate.registration",
  "certificate-expired": "certificate.validity",
  "certificate-not-yet-valid": "certificate.validity",
  "certificate-ended": "certificate.end",
  "certificate-usage": "certificate.usage",
  "other-scheme": "bearer.other-scheme",
  "scope-too-small": "token.scopes",
};

/** The assumption that has a part in a refusal with this cause, whatever the answer is. */
function partOf(cause: Cause): AssumptionId | undefined {
  if (cause.kind !== "token-of-another-certificate") return parts[cause.kind];
  return cause.used === undefined ? "certificate.handshake" : undefined;
}
