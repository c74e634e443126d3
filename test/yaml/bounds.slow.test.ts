import { describe, expect, it } from "vitest";
import { scenarioLimits } from "../../src/scenarios/defaults.js";
import { parseScenario } from "../../src/scenarios/parse.js";
import { configurationLimits, parseYaml } from "../../src/yaml/document.js";
import { problemsOf } from "./problems.js";
import { worstTexts } from "./worst-texts.js";

// More of bounds.test.ts: texts as large as permitted.

describe("a scenario", () => {
  it.each(Object.entries(worstTexts))("of %s has few problems told, each in few words", async (_kind, make) => {
    // About as many tokens as permitted, where a character or two are one.
    const problems = await problemsOf(parseScenario(make(scenarioLimits.characters / 8), "x", "x"));
    expect(problems.length).toBeLessThanOrEqual(20);
    for (const { message } of problems) {
      expect(message.length).toBeLessThan(1000);
      expect(message).not.toMatch(/\p{C}/u);
    }
  });
});

describe("limits", () => {
  const list = (items: number) => `[${"1,".repeat(items)}]`;

  it("characters and tokens of a configuration", async () => {
    const { characters, tokens } = configurationLimits;
    expect(await problemsOf(parseYaml(`# ${"x".repeat(characters - 2)}`, "f", configurationLimits))).toEqual([]);
    expect(await problemsOf(parseYaml(`# ${"x".repeat(characters - 1)}`, "f", configurationLimits))).toEqual([
      { file: "f", line: 1, column: 1, message: `The file is larger than ${characters} characters.` },
    ]);
    // An item is two tokens at least: its text and its comma.
    const [problem] = await problemsOf(parseYaml(list(tokens / 2), "f", configurationLimits));
    expect(problem?.message).toMatch(new RegExp(`^The file has more than ${tokens} tokens: `));
    expect(await problemsOf(parseYaml(list(tokens / 4), "f", configurationLimits))).toEqual([]);
  });
});
