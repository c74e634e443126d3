import type { AssumptionId } from "../assumptions.js";
import type { Cause, Refusal } from "../journal/refusal.js";

declare const isMark: unique symbol;

/** A value of `Sandbox-Assumed`: ids of the table, not arbitrary text. */
export type Mark = string & { readonly [isMark]: true };

/** The value of `Sandbox-Assumed`: the assumptions that shaped an answer, the decisive one first. Undefined for none. */
export function markOf(ids: readonly (AssumptionId | false | undefined)[]): Mark | undefined {
  const named = ids.filter((id) => id);
  return named.length === 0 ? undefined : (named.join(", ") as Mark);
}

/** The assumption that a refusal is based on; undefined if the interface defines its code, and for the sandbox's own controls. */
export function assumptionBehind({ basis }: Refusal): AssumptionId | undefined {
  return basis === "§7" || basis === "sandbox" ? undefined : basis;
}

/** The assumptions that a refusal rests on: what decided, what had a part in it, the order of the checks, and what was ignored. */
export function assumptionsOf(refusal: Refusal): (AssumptionId | false | undefined)[] {
  const { reason, orderDecided, ignoredParameter } = refusal;
  return [
    assumptionBehind(refusal),
    partOf(reason),
    orderDecided && "checks.order",
    ignoredParameter && "request.unknown-parameters",
  ];
}

/** The assumption by which a certificate or a scope is insufficient, whatever the answer is. */
function partOf(cause: Cause): AssumptionId | undefined {
  switch (cause.kind) {
    case "no-certificate":
      return "certificate.handshake";
    case "token-of-another-certificate":
      return cause.used === undefined ? "certificate.handshake" : undefined;
    case "certificate-unregistered":
      return "certificate.registration";
    case "certificate-expired":
    case "certificate-not-yet-valid":
      return "certificate.validity";
    case "certificate-usage":
      return "certificate.usage";
    case "other-scheme":
      return "bearer.other-scheme";
    case "scope-too-small":
      return "token.scopes";
    default:
      return undefined;
  }
}
