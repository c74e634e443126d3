import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import config from "../../vitest.config.js";
import { root } from "./markdown.js";

const files = readdirSync(`${root}/test`, { recursive: true, encoding: "utf8" }).map((file) => `test/${file}`);

/** Each alternative of a pattern with braces. */
function alternatives(pattern: string): readonly string[] {
  const [braces, names] = /\{(.*?)\}/.exec(pattern) ?? [];
  return braces === undefined ? [pattern] : (names as string).split(",").map((name) => pattern.replace(braces, name));
}

function matches(pattern: string, file: string): boolean {
  const parts = { "**/": "(?:.*/)?", "*": "[^/]*", ".": "\\." };
  const expression = pattern.replaceAll(/\*\*\/|\*|\./g, (part) => parts[part as keyof typeof parts]);
  return new RegExp(`^${expression}$`).test(file);
}

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[] };
}

// A folder that is renamed would leave its tests out without a word.
it.each(config.test?.projects as readonly Project[] as Project[])(
  "the project $test.name finds files for each of its patterns",
  ({ test }) => {
    const patterns = test.include.flatMap(alternatives);
    expect(patterns.filter((pattern) => !files.some((file) => matches(pattern, file)))).toEqual([]);
  },
);
