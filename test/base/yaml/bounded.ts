import { expect } from "vitest";
import { parseYaml, type YamlLimits } from "../../../src/base/yaml/document.js";
import { problemsOf } from "./problems.js";

// Checks for bounds.test.ts with small texts, and for bounds.night.test.ts with texts of the permitted size.

/** A flow list of this many items. */
export const listOf = (items: number): string => `[${"1,".repeat(items)}]`;

/** Expects exactly these limits of characters and tokens. */
export async function expectLimits(limits: YamlLimits): Promise<void> {
  const { characters, tokens } = limits;
  expect(await problemsOf(parseYaml(`# ${"x".repeat(characters - 2)}`, "f", limits))).toEqual([]);
  expect(await problemsOf(parseYaml(`# ${"x".repeat(characters - 1)}`, "f", limits))).toEqual([
    { file: "f", line: 1, column: 1, message: `The file is larger than ${characters} characters.` },
  ]);
  // An item is at least two tokens: its text and its comma.
  const [problem] = await problemsOf(parseYaml(listOf(tokens / 2), "f", limits));
  expect(problem?.message).toMatch(new RegExp(`^The file has more than ${tokens} tokens: `));
  expect(await problemsOf(parseYaml(listOf(tokens / 4), "f", limits))).toEqual([]);
}
