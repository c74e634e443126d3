import { parseDuration } from "../text/duration.js";
import { FileError, type FileProblem, parseYaml, validateYaml } from "../yaml/document.js";
import { mostProblems } from "../yaml/problem.js";
import { longestDelay, scenarioDefaults, scenarioLimits } from "./defaults.js";
import type { Condition, ConnectionFault, Delay, Fault, Rule } from "./definition.js";
import { RuleIndex } from "./rule-index.js";
import type { Scenario } from "./scenario.js";
import type { ScenarioShape } from "./schema.js";

/**
 * Reads a scenario.
 * @param name how it is called: the name of its file, without the ending
 * @param file how problems call the text
 * @throws FileError with line and column of everything that is wrong
 */
export async function parseScenario(text: string, name: string, file: string): Promise<Scenario> {
  const yaml = await parseYaml(text, file, scenarioLimits);
  const { scenarioSchema } = await import("./schema.js");
  const shape = validateYaml(yaml, file, scenarioSchema);
  const rules = (shape.rules ?? []).map(compileRule);
  const problems: FileProblem[] = [];
  const note = (index: number, key: string, message: string) =>
    problems.push({ file, ...yaml.place(["rules", index], key), message });
  const names = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    if (problems.length >= mostProblems) break;
    if (names.has(rule.name))
      note(index, "name", `Two rules are called "${rule.name}"; Sandbox-Fault could not tell them apart.`);
    names.add(rule.name);
    const conflict = conflictIn(rule);
    if (conflict) note(index, "when", conflict);
    if (rule.fault.delay?.kind === "uniform" && rule.fault.delay.min > rule.fault.delay.max) {
      note(index, "then", "The delay's min is longer than its max.");
    }
  }
  if (problems.length > 0) throw new FileError(problems);
  return {
    name,
    description: shape.description.trim(),
    rules,
    index: new RuleIndex(rules),
    serverCertificate: shape.server?.certificate,
  };
}

/** A rule that could never act is a mistake that its writer would look for at length. */
function conflictIn({ when, fault }: Rule): string | undefined {
  const { operation } = when;
  const onList = [
    when.list !== undefined && "list",
    when.page !== undefined && "page",
    when.cursor !== undefined && "cursor",
  ].find(Boolean);
  if (onList && operation !== undefined && operation !== "list") {
    return `Only the operation list has a ${onList}, and this rule is for ${operation}; it would never act.`;
  }
  if (fault.token && (onList || (operation !== undefined && operation !== "token"))) {
    return "The fault `token` acts on the operation token only; this rule would never act.";
  }
  if (fault.page && operation !== undefined && operation !== "list") {
    return "The fault `page` acts on the operation list only; this rule would never act.";
  }
  return undefined;
}

type RuleShape = NonNullable<ScenarioShape["rules"]>[number];
type FaultShape = RuleShape["then"];

/** A lognormal delay without a bound would now and then last for minutes. */
const longestTail = 20;

function compileRule(shape: RuleShape, index: number): Rule {
  const fault = compileFault(shape.then);
  return {
    name: shape.name ?? `rule-${index + 1}`,
    when: compileCondition(shape.when, fault),
    skip: shape.skip,
    every: shape.every,
    limit: shape.limit ?? Number.POSITIVE_INFINITY,
    probability: shape.probability,
    fault,
  };
}

/** Some faults make sense on one operation only, which need not be said. */
function compileCondition(when: RuleShape["when"], fault: Fault): Condition {
  const implied = fault.token ? "token" : fault.page ? "list" : undefined;
  const query = when?.query && Object.entries(when.query);
  const headers =
    when?.headers && Object.entries(when.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...when, operation: when?.operation ?? implied, query, headers };
}

/** Every key is there, so that none is forgotten; what a rule does not do is undefined. */
function compileFault(shape: FaultShape): { readonly [Kind in keyof Required<Fault>]: Fault[Kind] } {
  const { error, respond, rateLimit, token, page } = shape;
  return {
    delay: shape.delay === undefined ? undefined : compileDelay(shape.delay),
    error:
      typeof error === "string"
        ? { code: error, message: undefined, headers: {} }
        : error && { code: error.code, message: error.message, headers: error.headers ?? {} },
    respond: respond && compileResponse(respond),
    connection: shape.connection === undefined ? undefined : compileConnection(shape.connection),
    rateLimit: rateLimit && { limit: rateLimit.limit, per: milliseconds(rateLimit.per) },
    token: token && {
      expiresIn: token.expiresIn === undefined ? undefined : milliseconds(token.expiresIn),
      otherCertificate: token.certificate === "other",
      tokenType: token.tokenType,
    },
    page: page && {
      insert: page.insert ?? 0,
      remove: page.remove ?? 0,
      duplicate: page.duplicate ?? 0,
      empty: page.empty ?? false,
      deadEnd: page.deadEnd ?? false,
    },
  };
}

function compileDelay(shape: NonNullable<FaultShape["delay"]>): Delay {
  if (typeof shape === "string") return { kind: "fixed", duration: milliseconds(shape) };
  if ("min" in shape) return { kind: "uniform", min: milliseconds(shape.min), max: milliseconds(shape.max) };
  const median = milliseconds(shape.median);
  const max = shape.max === undefined ? Math.min(median * longestTail, longestDelay) : milliseconds(shape.max);
  return { kind: "lognormal", median, sigma: shape.sigma, max };
}

function compileConnection(shape: NonNullable<FaultShape["connection"]>): ConnectionFault {
  if (typeof shape === "object") return { kind: shape.kind, duration: milliseconds(shape.duration) };
  if (shape === "hang" || shape === "drip") return { kind: shape, duration: milliseconds(scenarioDefaults[shape]) };
  return { kind: shape };
}

function compileResponse(shape: NonNullable<FaultShape["respond"]>): Fault["respond"] {
  const { body, headers = {} } = shape;
  const isText = typeof body === "string" || body === undefined;
  const typed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const contentType =
    typed || body === undefined ? {} : { "Content-Type": isText ? "text/plain; charset=utf-8" : "application/json" };
  return {
    status: shape.status,
    headers: { ...contentType, ...headers },
    body: isText ? (body ?? "") : JSON.stringify(body),
  };
}

/** The schema has made sure that it is a duration. */
function milliseconds(text: string): number {
  return parseDuration(text) ?? 0;
}
