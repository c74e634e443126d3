import { operationsIn } from "./combinations.js";
import { compileConditions } from "./conditions.js";
import { httpOf, needsBody } from "./fault.js";
import { compileFaults } from "./faults.js";
import type { Rule } from "./rule.js";
import type { ScenarioShape } from "./schema.js";

type RuleShape = NonNullable<ScenarioShape["rules"]>[number];

/**
 * Makes a rule from its written form.
 * @param index its place among the rules, from 0
 */
export function compileRule(shape: RuleShape, index: number): Rule {
  const faults = compileFaults(shape.then);
  // Some faults make sense only on one version of HTTP. A rule need not name it.
  const when = compileConditions({ http: httpOf(faults), ...shape.when });
  return {
    name: shape.name ?? `rule-${index + 1}`,
    when,
    bounds: Object.assign({}, ...when.map(({ condition, value }) => condition.bounds?.(value))),
    operations: operationsIn(when, faults),
    from: shape.from && compileConditions(shape.from),
    share: shape.share ?? "client",
    skip: shape.skip,
    every: shape.every,
    limit: shape.limit ?? Number.POSITIVE_INFINITY,
    probability: shape.probability,
    faults,
    words: faults.map(({ fault, settings }) => fault.words(settings)).join(", and "),
    idle: faults.map(({ fault }) => fault.idle).find((reason) => reason !== undefined),
    needsBody: faults.some(needsBody),
  };
}
