import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { generated, scenarioJsonSchema } from "../../../scripts/generate-scenarios.js";
import { parseYaml } from "../../../src/base/yaml/document.js";
import { defaultLists } from "../../../src/sandbox/lists/settings.js";
import { readScenarioFolder, scenarioNameOf } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import { scenarioOfExample } from "../../support/scenario-example.js";

const lists = Object.keys(defaultLists);

/** In the examples of counts for each operation, one operation represents all. */
const isOfOtherOperation = (key: string) => /^expect\.requests\.(?!token\b)/.test(key);

const root = process.cwd();
const texts = await generated();
const page = readFileSync(join(root, "docs/reference/scenarios.md"), "utf8");
const { files } = await readScenarioFolder(builtInScenarios);

type Schema = ReturnType<typeof scenarioJsonSchema>;

/** Every key of the schema, with its parents: `rules.then.respond.body`. */
function keysOf({ properties = {}, anyOf = [], items }: Schema, below = ""): string[] {
  return [
    ...Object.entries(properties).flatMap(([key, member]) => [below + key, ...keysOf(member, `${below + key}.`)]),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((member) => keysOf(member, below)),
  ];
}

/** The keys of a value, in the same form as those of the schema. */
function keysIn(value: unknown, below = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => keysIn(member, below));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [below + key, ...keysIn(member, `${below + key}.`)]);
}

/** The examples of the schema, each as a line of a scenario. */
function exampleLines(): string[] {
  const { rules, ...ofFile } = scenarioJsonSchema().properties ?? {};
  const { when, then, ...ofRule } = rules?.items?.properties ?? {};
  const written = (members: Schema["properties"], parent?: string) =>
    Object.entries(members ?? {}).flatMap(([key, { examples = [] }]) =>
      examples.map((value) =>
        parent ? `${parent}: ${JSON.stringify({ [key]: value })}` : `${key}: ${JSON.stringify(value)}`,
      ),
    );
  return [
    ...written(ofFile),
    ...written(ofRule),
    ...written(when?.properties, "when"),
    ...written(then?.properties, "then"),
  ];
}

const keys = [...new Set(keysOf(scenarioJsonSchema()))];
const faults = keys.flatMap((key) => /^rules\.then\.(\w+)$/.exec(key)?.[1] ?? []);

describe("npm run generate", () => {
  it("has been run since the schema of scenarios was changed", () => {
    const file = readFileSync(join(root, "scenarios/scenario.schema.json"), "utf8");
    // Biome formats the file, so its text differs from the generator's.
    expect(JSON.parse(file)).toEqual(JSON.parse(texts.get("scenarios/scenario.schema.json") ?? ""));
  });
});

describe("scenario.schema.json", () => {
  // Editors use the published schema, the sandbox uses its own.
  const published = z.fromJSONSchema(scenarioJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);

  it.each(files.map(scenarioNameOf))("accepts %s", async (name) => {
    const yaml = await parseYaml(readFileSync(join(builtInScenarios, `${name}.yaml`), "utf8"), name);
    expect(published.safeParse(yaml.value).error).toBeUndefined();
  });

  it.each([
    "{ description: x, rules: [{ then: { delay: 5 } }] }",
    "{ description: x, rules: [{ then: { delay: 5sec } }] }",
    "{ description: x, rules: [{ then: { error: NOT_A_CODE } }] }",
    "{ description: x, rules: [{ then: { eror: NOT_FOUND } }] }",
    "{ description: x, rules: [{ when: { page: 0 }, then: { error: NOT_FOUND } }] }",
    "{ description: x, rules: [{ then: { error: NOT_FOUND, respond: { status: 200 } } }] }",
    "{ description: x, rules: [{ then: { error: NOT_FOUND, concurrency: { limit: 1 } } }] }",
    "{ description: x, rules: [{ then: { respond: { status: 200 }, alter: { status: 201 } } }] }",
    "{ description: x, rules: [{ limit: 1 }] }",
    "{ rules: [{ then: { error: NOT_FOUND } }] }",
    "{ description: x, server: { certificate: stale } }",
  ])("refuses %s", async (text) => {
    const { value } = await parseYaml(text, "test");
    expect(published.safeParse(value).success).toBe(false);
    await expect(parseScenario(text, "test", "test")).rejects.toThrow();
  });

  it("has a description for every key", () => {
    const without: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== "object" || node === null) return;
      if ("properties" in node) {
        for (const [key, member] of Object.entries(node.properties as Record<string, { description?: string }>))
          if (!member.description) without.push(`${path}.${key}`);
      }
      for (const [key, member] of Object.entries(node)) visit(member, `${path}.${key}`);
    };
    visit(scenarioJsonSchema(), "");
    expect(without).toEqual([]);
  });
});

describe("docs/reference/scenarios.md", () => {
  it("has every key", () => {
    for (const key of keys.map((path) => path.split(".").at(-1) as string))
      expect(page).toMatch(new RegExp(`\`[^\`\\n]*${key.replace("$", "\\$")}\\b[^\`\\n]*\``));
  });

  it("says for every fault when it acts", () => {
    const [, table = ""] = /^## When a fault acts\n([\s\S]*?)^## /m.exec(page) ?? [];
    const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`(\w+)(?::[^`]*)?`/g)].map(([, name = ""]) => name),
    );
    expect(faults.length).toBeGreaterThan(5);
    for (const fault of faults) expect(named).toContain(fault);
  });

  it("leads to a page that has every built-in scenario with an expectation, and no other", () => {
    const drills = readFileSync(join(root, "docs/reference/checks.md"), "utf8");
    const linked = [...drills.matchAll(/^- \[`([\w-]+)`\]\(\.\.\/\.\.\/scenarios\/\1\.yaml\)/gm)].map(
      ([, name]) => name,
    );
    const names = files.map(scenarioNameOf).filter((name) => name !== "everything");
    expect(linked.sort()).toEqual(names.sort());
  });
});

describe("the schema of scenarios", () => {
  it("has an example of every key", async () => {
    const lines = exampleLines();
    const shown = new Set(
      (await Promise.all(lines.map(async (line) => keysIn((await parseYaml(line, "example")).value)))).flat(),
    );
    const wanted = keys
      .filter((key) => !/^(\$schema|description|rules|rules\.(when|then))$/.test(key))
      .map((key) => key.replace(/^rules\./, ""));
    const free = /^when\.(query|headers|form)\.like$/;
    expect(wanted.filter((key) => !shown.has(key) && !free.test(key) && !isOfOtherOperation(key))).toEqual([]);
  });

  it.each(exampleLines())("has a valid example: %s", async (line) => {
    await parseScenario(scenarioOfExample(line), "example", "example", lists);
  });
});

describe("everything.yaml", () => {
  it("shows every key in its right place", async () => {
    const text = readFileSync(join(builtInScenarios, "everything.yaml"), "utf8");
    expect(text).toMatch(/^# .*\$schema=/);
    // These are in a comment, because they would hide the rest if they were active.
    const whole = text.replaceAll(/^( *)# (?:(?:server|client|expect):|- name: ).*\n(?:\1# {3}.*\n)+/gm, (block) =>
      block.replaceAll(/^( *)# /gm, "$1"),
    );
    const shown = ["$schema", ...keysIn((await parseYaml(whole, "everything")).value)];
    expect(keys.filter((key) => !shown.includes(key) && !isOfOtherOperation(key))).toEqual([]);
  });

  it("the comparison distinguishes a fault from a key of another fault with the same name", () => {
    const body: Schema = {};
    expect(keysOf({ properties: { body, respond: { properties: { body } } } })).toContain("body");
    expect(keysIn({ respond: [{ body: "x" }] })).toEqual(["respond", "respond.body"]);
  });
});
