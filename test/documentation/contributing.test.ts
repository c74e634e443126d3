import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./markdown.js";
import { changed, isMade, contributing as page, recipes } from "./recipes.js";

it("the single test file that it runs exists", () => {
  const [, file = ""] = /npx vitest run ([\w./-]+)/.exec(page.text) ?? [];
  expect(existsSync(join(root, file)), file).toBe(true);
});

describe.each(recipes())("$title", ({ changes }) => {
  it.each(changes)("line $line: $path has the lines to change, or is already changed", (change) => {
    if (isMade(change) || change.kind === "file") return;
    expect(changed(readFileSync(join(root, change.path), "utf8"), change)).not.toBe("");
  });

  /** The parts of blocks that only add lines. */
  const additions = changes
    .filter(({ kind }) => kind === "diff")
    .flatMap((change) => change.text.split("\n@@\n").map((text) => ({ ...change, text })))
    .filter(({ text }) => !/^-/m.test(text));

  it.each(additions)(
    "line $line: the addition to $path still fits after it was made: others add there as well",
    (one) => {
      const text = readFileSync(join(root, one.path), "utf8");
      expect(changed(changed(text, one), one)).not.toBe("");
    },
  );
});

it("there is a recipe for each part that is often added", () => {
  expect(recipes().map(({ title }) => title.split(":")[0])).toEqual([
    "Add an operation",
    "Add a fault",
    "Add an error code",
    "Add an assumption",
    "Add a page to the dashboard",
    "Add a column to the list of requests",
  ]);
});
