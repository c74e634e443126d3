import { setImmediate as nextTurn } from "node:timers/promises";
import { suggest } from "../../base/text/nearest.js";
import { printable } from "../../base/text/printable.js";
import { inOrder } from "../../base/yaml/document.js";
import { type FileProblem, mostProblems } from "../../base/yaml/problem.js";
import { beginsWalk } from "./condition.js";
import { covers, operationsFor } from "./coverage.js";
import { actsAt, actsOnHandshake } from "./fault.js";
import { readScenario } from "./parse.js";
import type { Rule } from "./rule.js";
import type { Scenario } from "./scenario.js";

/** A suspicious rule, by its place and the key that the message is about. */
interface SuspiciousRule {
  readonly index: number;
  readonly key: "when" | "then" | "probability" | undefined;
  /** The key below it, if it is about one. */
  readonly member?: "list";
  readonly message: string;
}

/** The text of a scenario, and the result of its review. */
export interface ReviewedScenario {
  /** Undefined if there are problems. */
  readonly scenario: Scenario | undefined;
  /** Why it cannot be used. */
  readonly problems: readonly FileProblem[];
  /** What makes no sense although it can be used: rules that can never act. Older scenarios may have such rules. */
  readonly warnings: readonly FileProblem[];
}

/**
 * Reads the text of a scenario and looks for rules that can never act, also if other parts are wrong.
 * @param file the name of the text in problems
 * @param lists the names of the lists that there are; undefined where they are not known
 * @throws FileError when it is not YAML, or too large
 */
export async function reviewScenario(
  text: string,
  name: string,
  file: string,
  lists: readonly string[] | undefined,
): Promise<ReviewedScenario> {
  const { yaml, rules, problems, scenario } = await readScenario(text, name, file);
  await nextTurn();
  const warnings = [...reviewRules(rules, lists), ...unreadRules(yaml.value, rules, lists)]
    .slice(0, mostProblems)
    .map(({ index, key, member, message }) => ({
      file,
      ...(member ? yaml.place(["rules", index, "when", member]) : yaml.place(["rules", index], key)),
      message: printable(message),
    }));
  return { scenario, problems, warnings: inOrder(warnings) };
}

/**
 * The rules that can never act.
 * @param rules undefined for one that cannot be read
 * @param lists the names of the lists that there are; undefined where they are not known
 * @internal exported for its test, which tries every condition
 */
export function reviewRules(rules: readonly (Rule | undefined)[], lists?: readonly string[]): SuspiciousRule[] {
  const suspicious: SuspiciousRule[] = [];
  const before = { handshake: [] as Rule[], request: [] as Rule[] };
  const leadsBack = rules.some(
    (rule) => !rule || rule.faults.some(({ fault, settings }) => fault.leadsBack?.(settings)),
  );
  for (const [index, rule] of rules.entries()) {
    if (!rule) continue;
    const idle = idleness(rule, lists, leadsBack);
    const earlier = before[actsOnHandshake(rule.faults) ? "handshake" : "request"];
    const covering = idle ? undefined : earlier.find(({ when }) => covers(when, rule.when));
    if (idle) suspicious.push({ index, ...idle });
    else if (covering) suspicious.push({ index, key: undefined, message: shadowedBy(covering) });
    else if (actsAlways(rule)) earlier.push(rule);
  }
  return suspicious;
}

/** Rules that cannot be read may also name a list that does not exist. */
function unreadRules(
  value: unknown,
  rules: readonly (Rule | undefined)[],
  lists: readonly string[] | undefined,
): SuspiciousRule[] {
  return rules.flatMap((rule, index) => {
    if (rule) return [];
    const list: unknown = Object(Object(Object(Object(value).rules)[index]).when).list;
    const finding = typeof list === "string" ? unknownList(list, lists) : undefined;
    return finding ? [{ index, ...finding }] : [];
  });
}

function shadowedBy({ name }: Rule): string {
  return `The rule ${JSON.stringify(name)} comes before this one and acts on all its requests; this rule would never act.`;
}

/** @param leadsBack whether a cursor may lead to the first page of a walk */
function idleness(
  { when, probability, faults }: Rule,
  lists: readonly string[] | undefined,
  leadsBack: boolean,
): Omit<SuspiciousRule, "index"> | undefined {
  const unknown = unknownList(when.list, lists);
  if (unknown) return unknown;
  if (probability === 0) return { key: "probability", message: "With probability 0 this rule would never act." };
  if (when.duration === 0) return { key: "when", message: "A window of 0s has no instant; this rule would never act." };
  if (when.certificate === "none" && needsToken(faults) && !operationsFor(when).includes("token")) {
    const message = "Without a certificate a client is refused before this; this rule would never act.";
    return { key: "when", message };
  }
  if (beginsWalk(when) && when.cursor === true && !leadsBack) {
    return {
      key: "when",
      message:
        "The first page of a walk is requested without a cursor; this rule would never act. Only the fault `page: { cursor: … }`, which no rule here has, leads back to it.",
    };
  }
  const [message] = faults.flatMap(({ fault, settings }) => fault.neverActs?.(settings, when) ?? []);
  return message === undefined ? undefined : { key: "then", message };
}

function unknownList(
  list: string | undefined,
  lists: readonly string[] | undefined,
): Omit<SuspiciousRule, "index"> | undefined {
  if (list === undefined || !lists || lists.includes(list)) return undefined;
  const message = `There is no list ${JSON.stringify(list)}; this rule would never act. ${suggest(list, lists)}`;
  return { key: "when", member: "list", message };
}

/**
 * Whether no part of a fault acts before certificate, token and scope were accepted. `conflicts.ts` refuses those that
 * act among these checks.
 */
function needsToken(faults: Rule["faults"]): boolean {
  return actsAt(faults, "on-answer") && !actsAt(faults, "always");
}

function actsAlways({ from, skip, every, limit, probability }: Rule): boolean {
  return from === undefined && skip === 0 && every === 1 && limit === Number.POSITIVE_INFINITY && probability === 1;
}
