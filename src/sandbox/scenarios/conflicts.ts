import { enumerated } from "../../base/text/enumerated.js";
import { type OperationName, operationNames, operations } from "../operations.js";
import { operationsOf } from "./compile.js";
import type { Condition, Fault, Rule } from "./definition.js";
import { acts, faultKinds } from "./fault-facts.js";
import { actsOnHandshake } from "./rule-index.js";

/**
 * Why a rule could never act; undefined if it could. Such a mistake would be hard to find, so the whole file is
 * refused.
 */
export function conflictIn(rule: Rule): string | undefined {
  const { when, fault } = rule;
  if (actsOnHandshake(fault)) return conflictInHandshake(rule);
  let left: readonly OperationName[] = when.operations ?? operationNames;
  for (const { only, because } of narrowings(rule)) {
    const remaining = left.filter((name) => only.includes(name));
    if (remaining.length === 0) return `${because}, and this rule is for ${left.join(" and ")}; it would never act.`;
    left = remaining;
  }
  if (when.cursor === false && when.page !== undefined && when.page > 1) {
    return `Page ${when.page} of a walk is requested with a cursor; this rule would never act.`;
  }
  if (when.certificate === "none" && when.client !== undefined) {
    return "Without a certificate there is no client; this rule would never act.";
  }
  return undefined;
}

/** The operations for which a part of a rule makes sense. */
interface Narrowing {
  readonly only: readonly OperationName[];
  readonly because: string;
}

function narrowings({ when, fault }: Rule): Narrowing[] {
  const found: Narrowing[] = [];
  const has = (key: keyof Condition, only: OperationName) => {
    if (when[key] !== undefined) found.push({ only: [only], because: `Only the operation ${only} has a ${key}` });
  };
  const acting = operationsOf(fault);
  if (acting) {
    const kind = faultKinds.find((each) => operationsOf({ [each]: fault[each] } as Fault));
    const written = fault.token?.revoke ? "token: { revoke: true }" : kind;
    const where = acting.length === 1 ? `the operation ${acting[0]} only` : "a request that uses a token";
    found.push({ only: acting, because: `The fault \`${written}\` acts on ${where}` });
  }
  has("list", "list");
  has("page", "list");
  has("cursor", "list");
  has("form", "token");
  if (when.method !== undefined) found.push(ofMethod(when.method));
  if (fault.alter?.rows !== undefined) found.push({ only: ["list"], because: "Only the operation list has rows" });
  if (when.certificate === "none" && acts(fault, "among-checks")) {
    found.push({ only: ["token"], because: "Every other operation refuses a client without a certificate first" });
  }
  return found;
}

function ofMethod(method: "GET" | "POST"): Narrowing {
  const only = operationNames.filter((name) => operations[name].method === method);
  const verb = only.length === 1 ? "takes" : "take";
  return {
    only,
    because: `Only the operation${only.length === 1 ? "" : "s"} ${enumerated(only, "and")} ${verb} ${method}`,
  };
}

/** Before the handshake, the client is not known. */
function conflictInHandshake({ when, fault }: Rule): string | undefined {
  const { after: _after, duration: _duration, ...conditions } = when;
  const given = Object.entries(conditions).find(([, value]) => value !== undefined);
  const name = given?.[0] === "operations" ? "operation" : given?.[0];
  if (name !== undefined) return `In the handshake nothing is known of a request: leave out ${name}.`;
  if (fault.delay || fault.clock) return "A reset in the handshake cannot be combined with a delay or a clock.";
  return undefined;
}
