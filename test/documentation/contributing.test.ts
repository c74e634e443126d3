import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./markdown.js";
import { recipes, tryAll } from "./recipes.js";

const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

it("the single test file that it runs exists", () => {
  const [, file = ""] = /npx vitest run ([\w./-]+)/.exec(page) ?? [];
  expect(existsSync(join(root, file)), file).toBe(true);
});

it("the worked examples fit the files that they change", () => {
  expect(recipes().map(({ changes }) => changes.length > 4)).toEqual([true, true, true]);
  expect(tryAll).not.toThrow();
});
