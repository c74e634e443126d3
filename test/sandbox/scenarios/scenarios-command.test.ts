import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scenarios } from "../../../src/cli/scenarios.js";
import { describeExpectation, describeRule } from "../../../src/sandbox/scenarios/describe-rule.js";
import { builtInScenarios, ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { firstSentence } from "../../../src/sandbox/scenarios/scenario.js";

let folder: string;
let printed: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "list-")));
  printed = "";
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function save(name: string, text: string): void {
  mkdirSync(join(folder, "scenarios"), { recursive: true });
  writeFileSync(join(folder, "scenarios", name), text);
}

const longName = "a-name-that-is-longer-than-any-column-would-be-wide";

describe("payments-sandbox scenarios", () => {
  it("lists every name with the first sentence of its description", async () => {
    await scenarios({}, { json: false });
    const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder: undefined });
    const text = printed.replaceAll(/\s+/g, " ");
    for (const { name, scenario } of library.all())
      expect(text).toContain(` ${name} ${firstSentence(scenario?.description ?? "")}`);
  });

  it("lists the user's own first, fits into 80 columns, and reports broken ones", async () => {
    save("mine.yaml", "description: Does mine. A correct client bears it.\nrules:\n  - then: { error: NOT_FOUND }\n");
    save("bad.yaml", "description: x\nrules:\n  - than: 1\n");
    save("slow.yaml", "description: Is slower still.\nrules:\n  - then: { delay: 20s }\n");
    save(`${longName}.yaml`, "description: Has a long name.\nrules:\n  - then: { delay: 1s }\n");
    await scenarios({}, { json: false });
    const lines = printed.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.slice(0, 8)).toEqual([
      "Yours, in scenarios/:",
      `  ${longName}`,
      `${" ".repeat(36)}Has a long name.`,
      `  ${"bad".padEnd(34)}✗ Unknown key "than" in rules[0]. Did you`,
      `${" ".repeat(36)}mean "then"?`,
      `  ${"mine".padEnd(34)}Does mine.`,
      `  ${"slow".padEnd(34)}Is slower still.`,
      "",
    ]);
    expect(lines[8]).toBe("Built in:");
    expect(lines.filter((line) => line.startsWith("  slow "))).toHaveLength(1);
  });

  it("--json is for machines", async () => {
    save("mine.yaml", "description: Does mine. Bears it.\nrules:\n  - { name: a, then: { error: NOT_FOUND } }\n");
    save("bad.yaml", "description: x\nrules:\n  - than: 1\n");
    await scenarios({}, { json: true });
    const list = JSON.parse(printed) as { name: string }[];
    expect(list.map(({ name }) => name)).toEqual([...list.map(({ name }) => name)].sort());
    expect(list.find(({ name }) => name === "mine")).toEqual({
      name: "mine",
      summary: "Does mine.",
      description: "Does mine. Bears it.",
      origin: "folder",
      file: join(folder, "scenarios", "mine.yaml"),
      rules: ["a"],
      problems: [],
    });
    expect(list.find(({ name }) => name === "bad")).toMatchObject({
      summary: null,
      problems: [`${join(folder, "scenarios", "bad.yaml")}:3:5: Unknown key "than" in rules[0]. Did you mean "then"?`],
    });
    expect(list.find(({ name }) => name === "hang")).toMatchObject({ origin: "built-in" });
  });
});

describe("payments-sandbox scenarios NAME", () => {
  it("explains one: description, expectation, rules and text, in 80 columns", async () => {
    await scenarios({}, { json: false }, "token-revoked");
    const lines = printed.split("\n");
    expect(lines[0]).toMatch(/^token-revoked, built in \(.*token-revoked\.yaml\)$/);
    expect(printed).toContain("The program of a correct client may succeed or fail. It passes token.refused.");
    expect(printed).toContain("  - revoked: page 3, once: the token is refused from now on.\n");
    expect(printed).toContain("    then: { token: { revoke: true } }\n");
  });

  it("--json is for machines", async () => {
    await scenarios({}, { json: true }, "outage");
    expect(JSON.parse(printed)).toMatchObject({
      name: "outage",
      expect: { outcome: "any", checks: [], exercises: [], requests: {} },
      explanation: ["every request, for 15 s from the activation: the error SERVICE_UNAVAILABLE."],
    });
  });

  it("has a description for every built-in rule and expectation", async () => {
    const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder: undefined });
    library.close();
    for (const { scenario } of library.all()) {
      const words = scenario?.rules.map(describeRule) ?? [];
      if (scenario?.expectation) words.push(describeExpectation(scenario.expectation));
      for (const text of words) expect(text).not.toMatch(/undefined|NaN|Infinity|: \.|, ,/);
    }
  });

  it("suggests similar names for an unknown one, and reports the problem of a broken one", async () => {
    await expect(scenarios({}, { json: false }, "outge")).rejects.toThrow(
      'There is no scenario "outge"; similar names: outage.',
    );
    save("bad.yaml", "description: x\nrules:\n  - than: 1\n");
    await scenarios({}, { json: false }, "bad");
    expect(printed).toMatch(/✗ .*bad\.yaml:3:5: Unknown\s+key "than"/);
  });
});

describe("characters that move a terminal's cursor, or change the direction of text", () => {
  const evil = "\u001b[2J \u202e \u009b31m \u200b";
  /** The characters are raw in comments, and escaped in other places. */
  const escaped = "\\e[2J \\u202E \\x9b31m \\u200b";
  const text = [
    `# \u202e\ttabbed`,
    `description: "Shows ${escaped} first. Then ${escaped}."`,
    "rules:",
    `  - when: { query: { "${escaped}": "${escaped}" } }`,
    `    then: { error: { code: NOT_FOUND, message: "${escaped}" } }`,
    `  - then: { token: { tokenType: "${escaped}" } }`,
    "",
  ].join("\r\n");

  it.each([
    [undefined, false],
    ["mine", false],
    [undefined, true],
    ["mine", true],
  ])("are shown as escapes: NAME %s, --json %s", async (name, json) => {
    save("mine.yaml", text);
    save("bad.yaml", `description: "${escaped}"\n"${escaped}": 1\n`);
    await scenarios({}, { json }, name);
    expect(printed.replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    if (json) {
      const parsed = JSON.parse(printed);
      const mine = name === undefined ? parsed.find((one: { name: string }) => one.name === "mine") : parsed;
      expect(mine.description).toBe(`Shows ${evil} first. Then ${evil}.`);
    } else {
      expect(printed.replaceAll(/\s+/g, " ")).toContain("Shows \\u{1b}[2J \\u{202e} \\u{9b}31m \\u{200b} first.");
      if (name !== undefined) expect(printed).toContain("\n# \\u{202e}\ttabbed\n");
    }
  });
});

describe("the first sentence", () => {
  it.each([
    ["One. Two.", "One."],
    ["One 1.5s later. Two.", "One 1.5s later."],
    ["Does it:\n  all of it! And more.", "Does it: all of it!"],
    ["No end", "No end"],
    ["", ""],
  ])("%j", (description, sentence) => {
    expect(firstSentence(description)).toBe(sentence);
  });
});
