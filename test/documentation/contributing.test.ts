import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sources } from "./imports.js";
import { root } from "./markdown.js";
import { changed, isMade, contributing as page, recipes } from "./recipes.js";

it("only src/sandbox/operations.ts lists the operations", () => {
  const lists = sources().filter((file) =>
    /"token",\s*"ping"|"ping",\s*"list"|token: \{ method/.test(readFileSync(join(root, "src", file), "utf8")),
  );
  expect(lists).toEqual(["sandbox/operations.ts"]);
});

it("nothing in src/ is drawn by Math.random: a replay would not repeat it", () => {
  const drawing = sources().filter((file) => readFileSync(join(root, "src", file), "utf8").includes("Math.random"));
  expect(drawing).toEqual([]);
});

it("the single test file that it runs exists", () => {
  const [, file = ""] = /npx vitest run (\S+)/.exec(page.text) ?? [];
  expect(existsSync(join(root, file)), file).toBe(true);
});

it.each([
  ["test/sandbox/assumptions.test.ts", "const provocations:"],
  ["src/sandbox/api/token.ts", "markInjected"],
  ["src/sandbox/scenarios/draw.ts", "export function draw("],
])("%s contains the text that it names: %s", (file, text) => {
  expect(readFileSync(join(root, file), "utf8")).toContain(text);
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

it("there is a recipe for an operation, a fault and an assumption", () => {
  expect(recipes().map(({ title }) => title.split(":")[0])).toEqual([
    "Add an operation",
    "Add a fault",
    "Add an assumption",
  ]);
});

/** The source files of the tests, except for the bench, which measures. */
const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:ts|mjs)$/.test(file) && !file.startsWith("bench"))
  .map((file) => join("test", file));

it.each([
  ["is repeated when it fails", /\bretry: *\d+ *[,}]|vi\.wait/],
  [
    "asserts how fast something is",
    /performance\.now\(\)[^;]*toBeLess|(?:duration|elapsed|endedAt|\bat)\)\.toBeLess|cpuUsage/i,
  ],
  ["has its own time-out, except for those of test/support/patience.ts", /\}, \d[\d_]{3,}\);$|\btimeout: *\d/m],
])("no test %s", (_what, pattern) => {
  const files = ["vitest.config.ts", "vitest.browser.config.ts", ...tests];
  const found = files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(found.filter((file) => !file.endsWith("contributing.test.ts"))).toEqual([]);
});
