import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { readScenarioFolder, scenarioNameOf } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import { reviewRules, reviewScenario } from "../../../src/sandbox/scenarios/review.js";

const lists = Object.keys(defaultLists);

/** The positions of the rules that can never act. */
async function idle(...rules: string[]): Promise<number[]> {
  const text = `description: x\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`;
  return reviewRules((await parseScenario(text, "test", "test")).rules, lists).map(({ index }) => index);
}

const then = "then: { error: NOT_FOUND }";
const when = (condition: string) => `{ when: ${condition}, ${then} }`;

describe("a rule is shadowed", () => {
  it.each([
    ["{}", "{ operation: ping }"],
    ["{}", "{}"],
    ["{ operation: [ping, list] }", "{ operation: list, page: 2 }"],
    ["{ operation: list }", "{ page: 2 }"],
    ["{ operation: list }", "{ list: payments, cursor: true }"],
    ["{ operation: token }", "{ form: { scope: read } }"],
    ["{ method: GET }", "{ operation: ping }"],
    ["{ operation: token }", "{ method: POST }"],
    ["{ headers: { A: true } }", "{ headers: { a: one, b: two } }"],
    ["{ query: { a: [x, y] } }", "{ query: { a: y } }"],
    ["{ query: { a: { like: x* } } }", "{ query: { a: [x1, x2] } }"],
    ["{ query: { a: { like: x* } } }", "{ query: { a: { like: x* } } }"],
    ["{ query: { a: false } }", "{ query: { a: false } }"],
    ["{ certificate: registered }", "{ client: demo }"],
    ["{ for: 30s }", "{ after: 10s, for: 20s }"],
    ["{ after: 5s }", "{ after: 10s }"],
    ["{ page: 1 }", "{ page: only }"],
    ["{ page: 1 }", "{ page: first, list: payments }"],
    ["{ operation: list }", "{ page: last }"],
    ["{ operation: token }", "{ token: renewal }"],
  ])("%s before %s", async (before, behind) => {
    expect(await idle(when(before), when(behind))).toEqual([1]);
  });

  it("by one of several, and is reported once", async () => {
    expect(
      await idle(when("{ operation: ping }"), when("{ operation: list }"), when("{ page: 2 }"), when("{}")),
    ).toEqual([2]);
  });
});

describe("page 1 with a cursor", () => {
  it("never occurs", async () => {
    expect(await idle(when("{ operation: list, page: 1, cursor: true }"))).toEqual([0]);
    expect(await idle(when("{ page: first, cursor: true }"), when("{ page: only, cursor: true }"))).toEqual([0, 1]);
  });

  it("occurs if a rule leads back to page 1", async () => {
    const back = "{ when: { page: 3 }, then: { page: { cursor: first } } }";
    expect(await idle(when("{ page: 1, cursor: true }"), back)).toEqual([]);
  });
});

it("an unknown list is found in every rule, whatever other problems there are", async () => {
  const text = [
    "rules:",
    "  - when: { list: paymants }",
    "    then: { error: NOT_FUOND }",
    "  - { when: { list: payuots }, then: { error: NOT_FOUND } }",
    "  - { when: { method: GET, operation: token }, then: { error: NOT_FOUND } }",
    "  - { name: all, then: { error: NOT_FOUND } }",
    "  - { name: behind, then: { error: NOT_FOUND } }",
    "",
  ].join("\n");
  const { scenario, problems, warnings } = await reviewScenario(text, "x", "x", lists);
  expect(scenario).toBeUndefined();
  expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
    "1 The key description is missing.",
    expect.stringMatching(/^3 .*NOT_FUOND/),
    expect.stringMatching(/^5 .*would never act/),
  ]);
  expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    '2:19 There is no list "paymants"; this rule would never act. Did you mean "payments"?',
    '4:21 There is no list "payuots"; this rule would never act. Did you mean "payouts"?',
    expect.stringMatching(/^7:5 The rule "all"/),
  ]);
});

describe("a rule for clients without a certificate never acts if they are refused first", () => {
  it.each([
    ["{ when: { certificate: none }, then: { page: { rows: 1 } } }", [0]],
    ["{ when: { certificate: none }, then: { token: { revoke: true } } }", [0]],
    ["{ when: { certificate: none, operation: [ping, list] }, then: { alter: { status: 500 } } }", [0]],
    ["{ when: { certificate: none, page: 1 }, then: { alter: { status: 500 } } }", [0]],
    ["{ when: { certificate: none }, then: { alter: { status: 500 } } }", []],
    ["{ when: { certificate: none }, then: { page: { rows: 1 }, delay: 1s } }", []],
    ["{ when: { certificate: none, operation: ping }, then: { alter: { status: 500 }, connection: truncate } }", []],
    ["{ when: { certificate: expired }, then: { page: { rows: 1 } } }", []],
  ])("%s", async (rule, places) => {
    expect(await idle(rule)).toEqual(places);
  });
});

describe("a rule is not shadowed", () => {
  it.each([
    ["{ operation: ping }", "{}"],
    ["{ operation: ping }", "{ operation: [ping, list] }"],
    ["{ page: 2 }", "{ page: 3 }"],
    ["{ page: first }", "{ page: 1 }"],
    ["{ page: 2 }", "{ page: middle }"],
    ["{ token: first }", "{ token: renewal }"],
    ["{ token: first }", "{ operation: token }"],
    ["{ query: { a: x } }", "{ query: { a: [x, y] } }"],
    ["{ query: { a: x } }", "{ query: { a: true } }"],
    ["{ query: { a: x } }", "{ query: { b: x } }"],
    ["{ query: { a: { like: x* } } }", "{ query: { a: { like: xy* } } }"],
    ["{ headers: { a: true } }", "{ headers: { a: false } }"],
    ["{ attempt: 1 }", "{}"],
    ["{ for: 30s }", "{}"],
    ["{ after: 1s }", "{ for: 2s }"],
    ["{ client: demo }", "{ client: other }"],
    ["{ certificate: expired }", "{ certificate: registered }"],
  ])("%s before %s", async (before, behind) => {
    expect(await idle(when(before), when(behind))).toEqual([]);
  });

  it.each(["skip: 1", "every: 2", "limit: 3", "probability: 0.5", "from: { page: 2 }"])(
    "by a rule that does not always act: %s",
    async (key) => {
      expect(await idle(`{ ${key}, ${then} }`, when("{}"))).toEqual([]);
    },
  );

  it("by several rules together", async () => {
    expect(await idle(when("{ method: POST }"), when("{ method: GET }"), when("{}"))).toEqual([]);
  });

  it("by a rule for the handshake, or the reverse", async () => {
    const handshake = "{ then: { connection: { kind: reset, when: handshake } } }";
    expect(await idle(handshake, when("{}"))).toEqual([]);
    expect(await idle(when("{}"), handshake)).toEqual([]);
    expect(await idle(handshake, handshake)).toEqual([1]);
  });
});

it.each([
  `{ probability: 0, ${then} }`,
  when("{ for: 0s }"),
  "{ when: { page: 1 }, then: { page: { insert: 2 } } }",
  "{ when: { page: only }, then: { page: { insert: 2 } } }",
  "{ when: { page: middle }, then: { page: { deadEnd: true } } }",
])("never acts: %s", async (rule) => {
  expect(await idle(rule)).toEqual([0]);
});

it("the built-in scenarios have no warnings", async () => {
  for (const file of (await readScenarioFolder(builtInScenarios)).files)
    expect(await reviewScenario(readFileSync(file, "utf8"), scenarioNameOf(file), file, lists)).toMatchObject({
      problems: [],
      warnings: [],
    });
});

it("a thousand rules are reviewed, and the number of reported findings is limited", async () => {
  const rules = Array.from({ length: 1000 }, (_, at) => `  - { when: { page: ${(at % 500) + 1} }, ${then} }`);
  const text = `description: x\nrules:\n${rules.join("\n")}\n`;
  const found = await reviewScenario(text, "x", "x", lists).catch((error) => ({ warnings: error.problems }));
  expect(found.warnings.length).toBeLessThanOrEqual(20);
});

it("a shadowed rule never decides", async () => {
  // The basis of the review, for queries: if the narrow condition matches, the wide one matches as well.
  const { holds } = await import("../../../src/sandbox/scenarios/match.js");
  const { covers } = await import("../../../src/sandbox/scenarios/coverage.js");
  const { TextPattern } = await import("../../../src/sandbox/scenarios/text-pattern.js");
  const text = fc.stringMatching(/^[ab]{0,3}$/);
  const value = fc.oneof(
    fc.boolean(),
    text,
    fc.array(
      fc.oneof(
        text,
        fc.stringMatching(/^[ab*]{0,3}$/).map((source) => new TextPattern(source)),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  );
  const condition = fc.record({ query: fc.array(fc.tuple(fc.constantFrom("x", "y"), value), { maxLength: 2 }) });
  const sent = fc.dictionary(fc.constantFrom("x", "y"), fc.array(text, { minLength: 1, maxLength: 2 }));
  fc.assert(
    fc.property(condition, condition, sent, (wide, narrow, query) => {
      const facts = { operation: "ping", query: (name: string) => query[name] ?? [] } as never;
      if (covers(wide, narrow) && holds(narrow, facts)) expect(holds(wide, facts)).toBe(true);
    }),
  );
});
