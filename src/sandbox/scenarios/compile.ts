import type { Condition, NamedValues, WantedValue } from "./condition.js";
import type { Expectation } from "./expectation.js";
import { type GivenFault, httpOf, needsBody, operationsOf } from "./fault.js";
import { compileFaults } from "./faults.js";
import type { Rule } from "./rule.js";
import type { ScenarioShape } from "./schema.js";
import { milliseconds } from "./schema-values.js";
import { TextPattern } from "./text-pattern.js";

type RuleShape = NonNullable<ScenarioShape["rules"]>[number];

/**
 * Makes a rule from its written form.
 * @param index its place among the rules, from 0
 */
export function compileRule(shape: RuleShape, index: number): Rule {
  const faults = compileFaults(shape.then);
  return {
    name: shape.name ?? `rule-${index + 1}`,
    when: compileCondition(shape.when, faults),
    share: shape.share ?? "client",
    skip: shape.skip,
    every: shape.every,
    limit: shape.limit ?? Number.POSITIVE_INFINITY,
    probability: shape.probability,
    faults,
    words: faults.map(({ fault, settings }) => fault.words(settings)).join(", and "),
    needsBody: faults.some(needsBody),
  };
}

/** Some faults make sense only on some operations, or on one version of HTTP. A rule need not name them. */
function compileCondition(when: RuleShape["when"], faults: readonly GivenFault[]): Condition {
  return {
    operations: when?.operation === undefined ? operationsOf(faults) : [when.operation].flat(),
    method: when?.method,
    http: when?.http ?? httpOf(faults),
    list: when?.list,
    client: when?.client,
    certificate: when?.certificate,
    page: when?.page,
    cursor: when?.cursor,
    query: compileValues(when?.query),
    headers: compileValues(when?.headers)?.map(([name, value]) => [name.toLowerCase(), value] as const),
    form: compileValues(when?.form),
    attempt: when?.attempt,
    after: when?.after === undefined ? undefined : milliseconds(when.after),
    duration: when?.for === undefined ? undefined : milliseconds(when.for),
  };
}

type ShapeOfValues = NonNullable<NonNullable<RuleShape["when"]>["query"]>;

function compileValues(values: ShapeOfValues | undefined): NamedValues | undefined {
  return values && Object.entries(values).map(([name, value]) => [name, compileValue(value)] as const);
}

function compileValue(value: ShapeOfValues[string]): WantedValue {
  if (typeof value !== "object") return value;
  return [value].flat().map((one) => (typeof one === "string" ? one : new TextPattern(one.like)));
}

/** Makes the expectation from its written form. */
export function compileExpectation({
  outcome,
  checks = [],
  exercises = [],
  needs = [],
  requests = {},
}: NonNullable<ScenarioShape["expect"]>): Expectation {
  return { outcome, checks, exercises, needs, requests };
}
