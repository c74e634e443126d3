import { type FileProblem, parseYaml } from "../yaml/document.js";
import { suggest } from "../yaml/issues.js";
import { mostProblems } from "../yaml/problem.js";
import { scenarioLimits } from "./defaults.js";
import type { Condition, NamedValues, Rule, WantedValue } from "./definition.js";
import { type OperationName, operationNames } from "./operation-name.js";
import { parseScenario } from "./parse.js";

/** What is odd about a rule, by its place and the key that it is about. */
interface Finding {
  readonly index: number;
  readonly key: "when" | "then" | "probability" | undefined;
  /** The key below it, where the finding is about one. */
  readonly member?: "list";
  readonly message: string;
}

/**
 * Checks the text of a scenario for what makes no sense although it can be read: rules that can never act, and rules that are shadowed
 * by another one. The sandbox takes such a file, because older ones may hold such rules.
 * @param lists the names of the lists that there are
 * @returns problems with line and column
 * @throws FileError when the scenario cannot be used at all
 */
export async function reviewScenarioText(
  text: string,
  name: string,
  file: string,
  lists: readonly string[],
): Promise<FileProblem[]> {
  const { rules } = await parseScenario(text, name, file);
  const findings = reviewRules(rules, lists).slice(0, mostProblems);
  if (findings.length === 0) return [];
  const yaml = await parseYaml(text, file, scenarioLimits);
  return findings.map(({ index, key, member, message }) => ({
    file,
    ...(member ? yaml.place(["rules", index, "when", member]) : yaml.place(["rules", index], key)),
    message,
  }));
}

/**
 * The rules that can never act.
 * @param lists the names of the lists that there are; undefined where they are not known
 * @internal exported for its test, which tries every condition
 */
export function reviewRules(rules: readonly Rule[], lists?: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const unconditional: Rule[] = [];
  for (const [index, rule] of rules.entries()) {
    const idle = idleness(rule, lists);
    const before = unconditional.find((other) => shadows(other, rule));
    if (idle) findings.push({ index, ...idle });
    else if (before) {
      const message = `The rule "${before.name}" stands before this one and acts on every request of it; this rule would never act.`;
      findings.push({ index, key: undefined, message });
    } else if (actsAlways(rule)) unconditional.push(rule);
  }
  return findings;
}

function idleness({ when, probability, fault }: Rule, lists?: readonly string[]): Omit<Finding, "index"> | undefined {
  if (when.list !== undefined && lists && !lists.includes(when.list)) {
    const message = `There is no list ${JSON.stringify(when.list)}; this rule would never act. ${suggest(when.list, lists)}`;
    return { key: "when", member: "list", message };
  }
  if (probability === 0) return { key: "probability", message: "With probability 0 this rule would never act." };
  if (when.duration === 0) return { key: "when", message: "A window of 0s has no instant; this rule would never act." };
  if (when.certificate === "none" && needsToken(fault) && !operationsFor(when).includes("token")) {
    const message = "Without a certificate a client is refused before this; this rule would never act.";
    return { key: "when", message };
  }
  if (when.page === 1 && fault.page && fault.page.insert > 0) {
    return {
      key: "then",
      message: "No page comes before page 1, so that nothing was inserted since; this rule would never act.",
    };
  }
  return undefined;
}

/** Whether nothing of a fault acts before certificate, token and scope were accepted. `conflicts.ts` has the faults that are not here. */
function needsToken({ page, token, alter, delay, clock, connection }: Rule["fault"]): boolean {
  return Boolean(page || token || alter) && !delay && !clock && !connection;
}

function actsAlways({ skip, every, limit, probability }: Rule): boolean {
  return skip === 0 && every === 1 && limit === Number.POSITIVE_INFINITY && probability === 1;
}

/** Whether one rule, which always acts, leaves nothing for another one behind it. */
function shadows(before: Rule, rule: Rule): boolean {
  return actsOnHandshake(before) === actsOnHandshake(rule) && covers(before.when, rule.when);
}

function actsOnHandshake({ fault: { connection } }: Rule): boolean {
  return connection?.kind === "reset" && "when" in connection;
}

/**
 * Whether a condition holds for every request for which another one does.
 * @internal exported for its test, which compares it with what holds
 */
export function covers(wide: Condition, narrow: Condition): boolean {
  const operations = operationsFor(narrow);
  return (
    operations.every((name) => operationsFor(wide).includes(name)) &&
    (wide.method === undefined || operations.every((name) => methodOf(name) === wide.method)) &&
    (wide.list === undefined || wide.list === narrow.list) &&
    (wide.client === undefined || wide.client === narrow.client) &&
    (wide.certificate === undefined ||
      wide.certificate === narrow.certificate ||
      (wide.certificate === "registered" && narrow.client !== undefined)) &&
    (wide.page === undefined || wide.page === narrow.page) &&
    (wide.cursor === undefined || wide.cursor === narrow.cursor) &&
    (wide.attempt === undefined || wide.attempt === narrow.attempt) &&
    coversWindow(wide, narrow) &&
    coversAll(wide.query, narrow.query) &&
    coversAll(wide.headers, narrow.headers) &&
    coversAll(wide.form, narrow.form)
  );
}

function methodOf(operation: OperationName): "GET" | "POST" {
  return operation === "token" ? "POST" : "GET";
}

/** The operations for which a condition can hold. */
function operationsFor({ operations, method, list, page, cursor, form }: Condition): readonly OperationName[] {
  return (operations ?? operationNames).filter((name) => {
    if (method !== undefined && methodOf(name) !== method) return false;
    if (form !== undefined && name !== "token") return false;
    return (list === undefined && page === undefined && cursor === undefined) || name === "list";
  });
}

function coversWindow(wide: Condition, narrow: Condition): boolean {
  const window = ({ after = 0, duration = Number.POSITIVE_INFINITY }: Condition) => [after, after + duration] as const;
  const [[from, to], [begin, end]] = [window(wide), window(narrow)];
  return from <= begin && to >= end;
}

function coversAll(wide: NamedValues | undefined, narrow: NamedValues | undefined): boolean {
  if (!wide) return true;
  const wanted = new Map(narrow);
  return wide.every(([name, value]) => {
    const other = wanted.get(name);
    return other !== undefined && coversValue(value, other);
  });
}

function coversValue(wide: WantedValue, narrow: WantedValue): boolean {
  if (typeof wide === "boolean") return wide ? narrow !== false : narrow === false;
  if (typeof narrow === "boolean") return false;
  return [narrow].flat().every((one) =>
    [wide].flat().some((other) => {
      if (typeof other === "string") return other === one;
      return typeof one === "string" ? other.matches(one) : other.source === one.source || other.source === "*";
    }),
  );
}
