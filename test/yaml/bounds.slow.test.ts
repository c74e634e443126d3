import { describe, it } from "vitest";
import { scenarioLimits } from "../../src/scenarios/defaults.js";
import { configurationLimits } from "../../src/yaml/document.js";
import { expectFewProblems, expectLimits } from "./bounded.js";
import { worstTexts } from "./worst-texts.js";

// More of bounds.test.ts: texts as large as permitted.

describe("a scenario", () => {
  // About as many tokens as permitted, where a character or two are one.
  it.each(Object.entries(worstTexts))("of %s has few problems told, each in few words", (_kind, make) =>
    expectFewProblems(make(scenarioLimits.characters / 8)),
  );
});

describe("limits", () => {
  it("characters and tokens of a configuration", () => expectLimits(configurationLimits));
});
