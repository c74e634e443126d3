import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { generated, scenarioJsonSchema } from "../../scripts/generate-scenarios.js";
import { readScenarioFolder, scenarioNameOf } from "../../src/scenarios/folder.js";
import { builtInScenarios } from "../../src/scenarios/library.js";
import { parseScenario } from "../../src/scenarios/parse.js";
import { parseYaml } from "../../src/yaml/document.js";

const root = process.cwd();
const texts = await generated(root);
const page = readFileSync(join(root, "docs/scenarios.md"), "utf8");
const { files } = await readScenarioFolder(builtInScenarios);

/** Every key that the schema knows, wherever it stands. */
function keysOf(schema: unknown): Set<string> {
  const keys = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    if ("properties" in node) for (const key of Object.keys(node.properties as object)) keys.add(key);
    Object.entries(node).forEach(([key, member]) => {
      if (key !== "examples") visit(member);
    });
  };
  visit(schema);
  return keys;
}

const keys = keysOf(scenarioJsonSchema());

describe("npm run generate", () => {
  it("has been run since the schema of scenarios was changed", () => {
    const file = readFileSync(join(root, "scenarios/scenario.schema.json"), "utf8");
    // Biome formats the file, so that its text is not the generator's.
    expect(JSON.parse(file)).toEqual(JSON.parse(texts.get("scenarios/scenario.schema.json") ?? ""));
  });

  it("has been run since docs/scenarios.md or a built-in scenario was changed", () => {
    expect(page).toBe(texts.get("docs/scenarios.md"));
  });
});

describe("scenario.schema.json", () => {
  // Editors check with the published schema, the sandbox with its own.
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

describe("docs/scenarios.md", () => {
  it("has every key", () => {
    for (const key of keys) expect(page).toMatch(new RegExp(`\`([\\w$]+\\.)*${key.replace("$", "\\$")}\``));
  });

  it("has every built-in scenario, and none that is not there", () => {
    const linked = [...page.matchAll(/^\| \[`([\w-]+)`\]\(\.\.\/scenarios\/\1\.yaml\)/gm)].map(([, name]) => name);
    expect(linked).toEqual(files.map(scenarioNameOf).sort());
  });

  it("has examples that work", async () => {
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
    const scenarios = blocks.filter((text) => text.includes("description:"));
    const faults = blocks.filter((text) => text.startsWith("then:")).flatMap((text) => text.trim().split("\n"));
    expect([scenarios.length, faults.length > 10]).toEqual([1, true]);
    for (const text of [...scenarios, ...faults.map((fault) => `description: x\nrules:\n  - ${fault}\n`)])
      await expect(parseScenario(text, "example", "example")).resolves.toMatchObject({ rules: [{}] });
  });

  it("links to what is there", () => {
    for (const [, target = ""] of page.matchAll(/\]\((\.\.\/[^)#]+)\)/g))
      expect(() => readFileSync(join(root, "docs", target))).not.toThrow();
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .trim()
        .replaceAll(" ", "-"),
    );
    for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor);
  });
});

describe("everything.yaml", () => {
  it("shows every key", () => {
    const text = readFileSync(join(builtInScenarios, "everything.yaml"), "utf8");
    for (const key of keys) expect(text).toMatch(new RegExp(`(^|[\\s{#])(- )?${key.replace("$", "\\$")}[:=]`, "m"));
  });
});
