import fc from "fast-check";
import { expect, it } from "vitest";
import { operationNames } from "../../../src/sandbox/operations.js";
import { holds } from "../../../src/sandbox/scenarios/match.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import type { RequestFacts } from "../../../src/sandbox/scenarios/request-facts.js";

function request(operation: RequestFacts["operation"], headers: ReadonlyMap<string, readonly string[]>): RequestFacts {
  return {
    operation,
    list: operation === "list" ? "payments" : undefined,
    client: undefined,
    method: operation === "token" ? "POST" : "GET",
    http: 1,
    isReused: false,
    presents: () => false,
    form: () => [],
    page: () => (operation === "list" ? 1 : undefined),
    place: () => undefined,
    token: operation === "token" ? "first" : undefined,
    cursor: () => (operation === "list" ? false : undefined),
    query: () => [],
    header: (name) => headers.get(name) ?? [],
    sendsAny: (names) => [...headers.keys()].some((name) => names.has(name)),
  };
}

const name = fc.constantFrom("x-a", "x-b", "x-c");
const condition = fc.record(
  {
    operation: fc.uniqueArray(fc.constantFrom(...operationNames), { minLength: 1 }),
    method: fc.constantFrom("GET", "POST"),
    headers: fc.dictionary(name, fc.oneof(fc.boolean(), fc.constantFrom("one", "two"))),
    form: fc.constant({ scope: false }),
    token: fc.constantFrom("first", "renewal"),
    page: fc.constantFrom(1, 2),
    cursor: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** The rules with these conditions, without those that cannot stand together. */
async function scenarioWith(conditions: readonly object[]) {
  const act = "then";
  const ruleOf = (when: object) => ({ when, [act]: { error: "NOT_FOUND" } });
  const parse = (rules: readonly object[]) => parseScenario(JSON.stringify({ description: "x", rules }), "x", "x");
  const possible = await Promise.all(
    conditions.map((when) =>
      parse([ruleOf(when)]).then(
        () => [ruleOf(when)],
        () => [],
      ),
    ),
  );
  return parse([{ [act]: { delay: "1ms" } }, ...possible.flat()]);
}

it("finds every rule that matches, and keeps their order", async () => {
  const sent = fc.dictionary(name, fc.array(fc.constantFrom("one", "two"), { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { maxLength: 8 }),
      fc.constantFrom(...operationNames),
      sent,
      async (conditions, operation, headers) => {
        const { rules, index } = await scenarioWith(conditions);
        const facts = request(operation, new Map(Object.entries(headers)));
        const candidates = index.candidates(facts);
        // A condition of the token request, such as `form: { scope: false }`, makes its rule one for that operation.
        const holding = rules.flatMap(({ when, operations }, place) =>
          operations.includes(operation) && holds(when, facts) ? [place] : [],
        );
        expect(candidates.filter((place) => holds(rules[place]?.when ?? [], facts))).toEqual(holding);
        expect([...candidates]).toEqual([...candidates].sort((a, b) => a - b));
      },
    ),
    { numRuns: 50 },
  );
});

it("leaves out rules for other operations, whichever condition or fault says so", async () => {
  const rules = [
    "{ when: { operation: list }, then: { error: NOT_FOUND } }",
    "{ when: { page: 2 }, then: { error: NOT_FOUND } }",
    "{ when: { list: payments }, then: { error: NOT_FOUND } }",
    "{ when: { cursor: true }, then: { error: NOT_FOUND } }",
    "{ when: { form: { scope: read } }, then: { error: NOT_FOUND } }",
    "{ when: { token: first }, then: { error: NOT_FOUND } }",
    "{ when: { method: POST }, then: { error: NOT_FOUND } }",
    "{ then: { page: { rows: 1 } } }",
    "{ then: { token: { tokenType: mac } } }",
    "{ when: { headers: { X-Try: one } }, then: { error: NOT_FOUND } }",
  ];
  const text = `description: x\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`;
  const { index } = await parseScenario(text, "x", "x");
  expect(index.candidates(request("ping", new Map()))).toEqual([]);
  expect(index.candidates(request("token", new Map()))).toEqual([4, 5, 6, 8]);
  expect(index.candidates(request("list", new Map()))).toEqual([0, 1, 2, 3, 7]);
});
