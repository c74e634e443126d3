import fc from "fast-check";
import { expect, it } from "vitest";
import { operationNames } from "../../../src/sandbox/operations.js";
import type { Condition } from "../../../src/sandbox/scenarios/condition.js";
import { holds, type RequestFacts } from "../../../src/sandbox/scenarios/match.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import { RuleIndex } from "../../../src/sandbox/scenarios/rule-index.js";

const { rules } = await parseScenario("description: x\nrules:\n  - then: { error: NOT_FOUND }\n", "x", "x");
const [template] = rules;
if (!template) throw new Error("no rule");

function indexOf(conditions: readonly Condition[]) {
  return new RuleIndex(conditions.map((when) => ({ ...template, when })) as never);
}

function request(operation: RequestFacts["operation"], headers: ReadonlyMap<string, readonly string[]>): RequestFacts {
  return {
    operation,
    list: undefined,
    client: undefined,
    method: "GET",
    http: 1,
    presents: () => false,
    form: () => [],
    page: () => undefined,
    place: () => undefined,
    token: undefined,
    cursor: () => undefined,
    query: () => [],
    header: (name) => headers.get(name) ?? [],
    sendsAny: (names) => [...headers.keys()].some((name) => names.has(name)),
  };
}

const name = fc.constantFrom("x-a", "x-b", "x-c");
const condition: fc.Arbitrary<Condition> = fc.record({
  operations: fc.option(fc.uniqueArray(fc.constantFrom(...operationNames)), { nil: undefined }),
  headers: fc.option(fc.array(fc.tuple(name, fc.oneof(fc.boolean(), fc.constantFrom("one", "two")))), {
    nil: undefined,
  }),
});

it("finds every rule that matches, and keeps their order", () => {
  const sent = fc.dictionary(name, fc.array(fc.constantFrom("one", "two"), { minLength: 1 }));
  fc.assert(
    fc.property(fc.array(condition), fc.constantFrom(...operationNames), sent, (conditions, operation, headers) => {
      const facts = request(operation, new Map(Object.entries(headers)));
      const candidates = indexOf(conditions).candidates(facts);
      const holding = conditions.flatMap((when, place) => (holds(when, facts) ? [place] : []));
      expect(candidates.filter((place) => holds(conditions[place] as Condition, facts))).toEqual(holding);
      expect([...candidates]).toEqual([...candidates].sort((a, b) => a - b));
    }),
  );
});
