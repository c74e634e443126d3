import { enumerated } from "../../base/text/enumerated.js";
import { isObject } from "../../base/text/json-object.js";
import { upperFirst } from "../../base/text/letters.js";
import { type OperationName, operationNames, operations } from "../operations.js";
import { beginsWalk, type Condition } from "./condition.js";
import { actsAt, actsOnHandshake, httpOf, type Narrowing, narrowings, writtenAs } from "./fault.js";
import type { Rule } from "./rule.js";
import { pageName } from "./words.js";

/**
 * Why a rule could never act; undefined if it could. Such a mistake would be hard to find, so the whole file is
 * refused.
 */
export function conflictIn(rule: Rule): string | undefined {
  const { when, from, faults } = rule;
  if (actsOnHandshake(faults)) return conflictInHandshake(rule);
  let left: readonly OperationName[] = when.operations ?? operationNames;
  for (const { only, because } of narrowingsOf(rule)) {
    const remaining = left.filter((name) => only.includes(name));
    if (remaining.length === 0) return `${because}, and this rule is for ${left.join(" and ")}; it would never act.`;
    left = remaining;
  }
  if (when.cursor === false && when.page !== undefined && !beginsWalk(when)) {
    return `${upperFirst(pageName(when.page))} of a walk is requested with a cursor; this rule would never act.`;
  }
  if (when.list !== undefined && from?.list !== undefined && when.list !== from.list) {
    return `The rule is for the list ${when.list} and begins with the list ${from.list}; it would never act.`;
  }
  if (when.certificate === "none" && when.client !== undefined) {
    return "Without a certificate there is no client; this rule would never act.";
  }
  const http = httpOf(faults);
  if (http !== undefined && when.http !== http) {
    const [written] = faults.filter(({ fault }) => fault.http === http).map(({ fault }) => writtenAs(fault));
    return `The fault \`${written}\` acts over HTTP/${http === 1 ? "1.1" : "2"} only, and this rule is for the other version; it would never act.`;
  }
  return undefined;
}

/** The operations for which a part of a rule makes sense. */
function narrowingsOf({ when, from, faults }: Rule): Pick<Narrowing, "only" | "because">[] {
  const found: Pick<Narrowing, "only" | "because">[] = [...narrowings(faults)];
  const has = (key: keyof Condition, only: OperationName) => {
    if (when[key] !== undefined || (from as Condition | undefined)?.[key] !== undefined)
      found.push({ only: [only], because: `Only the operation ${only} has a ${key}` });
  };
  has("list", "list");
  has("page", "list");
  has("cursor", "list");
  has("form", "token");
  has("token", "token");
  if (from?.operations)
    found.push({ only: from.operations, because: `It begins with ${from.operations.join(" or ")}` });
  if (when.method !== undefined) found.push(ofMethod(when.method));
  if (when.certificate === "none" && actsAt(faults, "among-checks")) {
    found.push({ only: ["token"], because: "Every other operation refuses a client without a certificate first" });
  }
  return found;
}

function ofMethod(method: "GET" | "POST"): Pick<Narrowing, "only" | "because"> {
  const only = operationNames.filter((name) => operations[name].method === method);
  const verb = only.length === 1 ? "takes" : "take";
  return {
    only,
    because: `Only the operation${only.length === 1 ? "" : "s"} ${enumerated(only, "and")} ${verb} ${method}`,
  };
}

/** Before the handshake, the client is not known. */
function conflictInHandshake({ when, from, faults }: Rule): string | undefined {
  const { after: _after, duration: _duration, ...conditions } = when;
  const given = Object.entries(conditions).find(([, value]) => value !== undefined);
  const name = given?.[0] === "operations" ? "operation" : given?.[0];
  if (from !== undefined) return "In the handshake nothing is known of a request: leave out from.";
  if (name !== undefined) return `In the handshake nothing is known of a request: leave out ${name}.`;
  if (faults.some(({ settings }) => isObject(settings) && settings["code"] !== undefined))
    return "In the handshake there is no stream yet: leave out code.";
  const others = faults.filter((given) => !actsOnHandshake([given])).map(({ fault }) => writtenAs(fault));
  return others.length === 0
    ? undefined
    : `A fault of the handshake cannot be combined with ${enumerated(others, "and")}: there is no request yet.`;
}
