import { expect, it } from "vitest";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { upload } from "./upload.js";

/** A scenario with this many characters. */
function scenarioOf(characters: number): string {
  const text = "description: x\nrules: [{ then: { delay: 1s } }]\n";
  return `${text}#${"x".repeat(characters - text.length - 2)}\n`;
}

it("the total number of characters of uploads is limited; an upload replaces another one with its name", async () => {
  const library = await ScenarioLibrary.open({ builtIn: "/nonexistent", folder: undefined });
  const text = scenarioOf(125_000);
  for (let number = 1; number <= 64; number++) await upload(library, `large-${number}`, text);
  await upload(library, "large-1", text);
  await expect(upload(library, "further", text)).rejects.toThrow(
    "64 scenarios with 8,000,000 characters are uploaded already; delete some.",
  );
  library.forget("large-1");
  await upload(library, "further", text);
  expect(library.all().length).toBe(64);
});
