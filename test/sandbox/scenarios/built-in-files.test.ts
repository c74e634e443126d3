import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readScenarioFolder, scenarioNameOf } from "../../../src/sandbox/scenarios/folder.js";
import { builtInScenarios } from "../../../src/sandbox/scenarios/library.js";
import { parseScenario } from "../../../src/sandbox/scenarios/parse.js";
import { firstSentence } from "../../../src/sandbox/scenarios/scenario.js";

const { files } = await readScenarioFolder(builtInScenarios);
const names = files.map(scenarioNameOf);

describe("each file", () => {
  it.each(files.map((file) => [basename(file), file] as const))("%s", async (name, file) => {
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=./scenario.schema.json");
    expect(text).not.toContain("\t");
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(130);
    const { description } = await parseScenario(text, scenarioNameOf(name), file);
    expect(firstSentence(description).length).toBeLessThanOrEqual(96);
    expect(description).toMatch(/ A correct client /);
  });

  it.each(names)("%s says what a correct client does, unless it shows everything", async (name) => {
    const text = readFileSync(join(builtInScenarios, `${name}.yaml`), "utf8");
    const { expectation } = await parseScenario(text, name, name);
    expect(expectation !== undefined).toBe(name !== "everything");
  });

  it("there is one for each code of §7, with its name", () => {
    const codes = [
      "VALIDATION_ERROR",
      "INVALID_CORRELATION_ID",
      "INVALID_PAGE_SIZE",
      "INVALID_CURSOR",
      "CURSOR_FILTERS_CHANGED",
      "EXAMPLE_ERROR",
    ];
    for (const code of codes) expect(names).toContain(code.toLowerCase().replaceAll("_", "-"));
  });

  it("is in the folder where the package finds it", () => {
    expect(builtInScenarios).toBe(join(process.cwd(), "scenarios"));
  });
});
