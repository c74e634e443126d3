import { describe, it } from "vitest";
import { configurationLimits } from "../../../src/base/yaml/document.js";
import { scenarioLimits } from "../../../src/sandbox/scenarios/defaults.js";
import { expectFewProblems, expectLimits } from "./bounded.js";
import { worstTexts } from "./worst-texts.js";

// More of bounds.test.ts: texts of the permitted size.

describe("a scenario", () => {
  // About the permitted number of tokens, if a token is one or two characters.
  it.each(Object.entries(worstTexts))("of %s has few and short problems", (_kind, make) =>
    expectFewProblems(make(scenarioLimits.characters / 8)),
  );
});

describe("limits", () => {
  it("characters and tokens of a configuration", () => expectLimits(configurationLimits));
});
