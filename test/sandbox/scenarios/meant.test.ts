import { describe, expect, it } from "vitest";
import { FileError } from "../../../src/base/yaml/problem.js";
import { conditions } from "../../../src/sandbox/scenarios/conditions.js";
import type { Fault } from "../../../src/sandbox/scenarios/fault.js";
import { faults } from "../../../src/sandbox/scenarios/faults.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";

const act = "then";
const whole = (rule: unknown) => JSON.stringify({ description: "x", rules: [rule] });

/** The problems of a text, as `line:column message`. */
async function problems(text: string): Promise<string[]> {
  const error = await parseScenario(text, "test", "test.yaml").catch((thrown: unknown) => thrown);
  if (!(error instanceof FileError)) return [];
  return error.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const problemsOf = (rule: string) => problems(`description: x\nrules:\n  - ${rule}\n`);

/** The forms that a message gives. */
const formsIn = (message = "") => [...message.matchAll(/`([^`]*)`/g)].map(([, form = ""]) => form);

const connectionKinds =
  "reset, close, hang, dead, truncate, garbage, drip, stall, slowHeaders, goaway, closeAfterAnswer, untilClose";

describe("a form that was meant is given, ready to paste", () => {
  it("for a kind that is written as a key, with all kinds", async () => {
    expect(await problemsOf("then: { connection: { truncate: { after: 100 } } }")).toEqual([
      `3:25 rules[0].then.connection: give one of the kinds ${connectionKinds}. Write \`connection: { kind: truncate, after: 100 }\`.`,
    ]);
    expect(await problemsOf("then: { connection: { foo: 1 } }")).toEqual([
      `3:25 rules[0].then.connection: give one of the kinds ${connectionKinds}.`,
    ]);
  });

  it.each([
    // A kind.
    ["then: { connection: { truncate: 100 } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { hang: 10s } }", ["connection: { kind: hang, duration: 10s }"]],
    ["then: { connection: { type: truncate, after: 100 } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { after: 100 } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { kind: truncate, bytes: 100 } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { kind: trunkate, after: 100 } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { TRUNCATE: { After: 100 } } }", ["connection: { kind: truncate, after: 100 }"]],
    ["then: { connection: { slow_headers: { duration: 1s } } }", ["connection: { kind: slowHeaders, duration: 1s }"]],
    ["then: { connection: { kind: close } }", ["connection: close"]],
    ["then: { truncate: 100 }", ["then: { connection: { kind: truncate, after: 100 } }"]],
    ["then: { reset: true }", ["then: { connection: reset }", "then: { stream: reset }"]],
    ["then: reset", ["then: { connection: reset }", "then: { stream: reset }"]],
    ["then: [{ error: NOT_FOUND }, { delay: 1s }]", ["then: { error: NOT_FOUND, delay: 1s }"]],
    // An error.
    ["then: NOT_FOUND", ["then: { error: NOT_FOUND }"]],
    ["then: { error: { NOT_FOUND: { status: 500 } } }", ["error: { code: NOT_FOUND, status: 500 }"]],
    ["then: { error: { name: NOT_FOUND, status: 500 } }", ["error: { code: NOT_FOUND, status: 500 }"]],
    [
      "then: { error: { code: NOT_FOUND, retryAfter: { after: 5s } } }",
      ["error: { code: NOT_FOUND, retryAfter: { in: 5s } }"],
    ],
    ["then: { error: { code: NOT_FOUND, retryAfter: 5 } }", ["error: { code: NOT_FOUND, retryAfter: 5s }"]],
    // A value with a level too many, or one too few.
    ["then: { delay: { duration: 500ms } }", ["delay: 500ms"]],
    ["then: { delay: 500 }", ["delay: 500ms"]],
    ["then: { clock: 301s }", ["clock: { advance: 301s }"]],
    ["then: { redirect: { status: 307 } }", ["redirect: 307"]],
    ["then: { respond: 503 }", ["respond: { status: 503 }"]],
    ["then: { page: 3 }", ["page: { insert: 3 }", "page: { remove: 3 }", "page: { duplicate: 3 }"]],
    ["then: { token: revoke }", ["token: { revoke: true }"]],
    ["then: { certificate: renew }", ["certificate: { renew: {} }"]],
    ["then: { certificate: { overlap: 10s } }", ["certificate: { renew: { overlap: 10s } }"]],
    ["then: { alter: { setNull: items.reference } }", ["alter: { setNull: [ items.reference ] }"]],
    ["{ when: ping, then: { delay: 1s } }", ["when: { operation: ping }"]],
    ["{ when: { cursor: { present: true } }, then: { delay: 1s } }", ["cursor: true"]],
    ["{ when: { page: { number: 2 } }, then: { delay: 1s } }", ["page: 2"]],
    ["{ when: { after: 10 }, then: { delay: 1s } }", ["after: 10s", "after: 10ms"]],
    // A key in a wrong place.
    ["{ operation: ping, client: demo, then: { delay: 1s } }", ["when: { operation: ping, client: demo }"]],
    ["{ when: { client: demo }, operation: ping, then: { delay: 1s } }", ["when: { client: demo, operation: ping }"]],
    ["{ page: 2, then: { delay: 1s } }", ["when: { page: 2 }"]],
    ["{ from: { after: 10s }, then: { delay: 1s } }", ["when: { after: 10s }"]],
    ["{ when: { limit: 1, operation: ping }, then: { delay: 1s } }", ["limit: 1"]],
    ["{ when: { error: NOT_FOUND }, then: { delay: 1s } }", ["then: { delay: 1s, error: NOT_FOUND }"]],
    ["{ when: { operation: ping, then: { error: NOT_FOUND } } }", ["then: { error: NOT_FOUND }"]],
    ["then: { error: NOT_FOUND, limit: 1 }", ["limit: 1"]],
    ["then: { error: NOT_FOUND, operation: ping }", ["when: { operation: ping }"]],
    ["then: { error: { code: NOT_FOUND, delay: 1s } }", ["then: { error: { code: NOT_FOUND }, delay: 1s }"]],
  ])("%s", async (rule, forms) => {
    const found = await problemsOf(rule);
    expect(found).toHaveLength(1);
    expect(formsIn(found[0])).toEqual(forms);
  });

  it.each([
    [
      "when: { operation: ping }\nthen: { error: NOT_FOUND }\n",
      "rules: [ { when: { operation: ping }, then: { error: NOT_FOUND } } ]",
    ],
    ["operation: ping\nerror: NOT_FOUND\n", "rules: [ { when: { operation: ping }, then: { error: NOT_FOUND } } ]"],
    ["rules: { then: { delay: 1s } }\n", "rules: [ { then: { delay: 1s } } ]"],
    ["server: expired\n", "server: { certificate: expired }"],
    ["client: { validFor: 20d }\n", "client: { certificate: { validFor: 20d } }"],
    ["expect: fails\nrules: [{ then: { delay: 1s } }]\n", "expect: { outcome: fails }"],
    ["expect: { ping: { max: 2 } }\nrules: [{ then: { delay: 1s } }]\n", "expect: { requests: { ping: { max: 2 } } }"],
    ["expect: { checks: token.form }\nrules: [{ then: { delay: 1s } }]\n", "expect: { checks: [ token.form ] }"],
  ])("for a part of the file: %s", async (text, form) => {
    const found = await problems(`description: x\n${text}`);
    expect(found).toHaveLength(1);
    expect(formsIn(found[0])).toEqual([form]);
  });

  it("not for a misspelt key, whose name is enough, nor where nothing fits", async () => {
    expect(await problemsOf("{ when: { Operations: ping }, then: { delays: 1s } }")).toEqual([
      '3:15 Unknown key "Operations" in rules[0].when. Did you mean "operation"?',
      '3:43 Unknown key "delays" in rules[0].then. Did you mean "delay"?',
    ]);
    for (const rule of ["then: { page: { insert: 1, remove: 1 } }", "then: { error: 503 }", "then: { connection: 5 }"])
      expect(formsIn((await problemsOf(rule))[0])).toEqual([]);
  });

  it("not if it is long, and in little time", async () => {
    const body = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`key${at}`, at]));
    const [found] = await problems(whole({ [act]: { respond: { state: 200, body } } }));
    expect(formsIn(found)).toEqual([]);
  });
});

const writtenFaults = (faults as readonly Fault[]).flatMap(({ name, under, examples }) =>
  examples.map((example) => [`${under ?? name}: ${JSON.stringify(example)}`, name, under, example] as const),
);

describe("each example of a fault in a wrong place or form leads to a rule that is accepted", () => {
  const pasted = async (rule: unknown) => {
    const [first] = await problems(whole(rule));
    const [form = ""] = formsIn(first);
    expect(form, first).not.toBe("");
    return problems(`description: x\nrules:\n  - ${form.startsWith(`${act}:`) ? form : `${act}: { ${form} }`}\n`);
  };

  it.each(writtenFaults)("%s", async (_title, name, under, example) => {
    // Beside `when`, not in `then`.
    expect(await pasted({ [under ?? name]: example })).toEqual([]);
    if (under === undefined) return;
    const { kind: _kind, ...keys } = example as { kind?: string };
    const settings = typeof example === "string" ? true : keys;
    expect(await pasted({ [act]: { [under]: { [name]: settings } } })).toEqual([]);
    expect(await pasted({ [act]: { [name]: settings } })).toEqual([]);
  });
});

it.each(
  conditions.flatMap(({ name, schema }) =>
    ((schema.meta()?.["examples"] ?? []) as unknown[]).map((each) => [name, each]),
  ),
)("the condition %s: %j beside `when` or in `then` leads to a rule that is accepted", async (name, example) => {
  for (const rule of [
    { [String(name)]: example, [act]: { delay: "1s" } },
    { [act]: { delay: "1s", [String(name)]: example } },
  ]) {
    const [first = ""] = await problems(whole(rule));
    // In `then`, some names are those of faults.
    if (!first.includes("Unknown key")) continue;
    const [form = ""] = formsIn(first);
    expect(await problemsOf(`{ ${form}, then: { delay: 1s } }`), first).toEqual([]);
  }
});
