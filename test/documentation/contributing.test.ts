import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sources } from "./imports.js";
import { root } from "./markdown.js";

const page = { path: "CONTRIBUTING.md", text: readFileSync(join(root, "CONTRIBUTING.md"), "utf8") };

it("nobody but src/scenarios/operation-name.ts lists the operations", () => {
  const lists = sources().filter((file) =>
    /"token",\s*"ping"|"ping",\s*"list"/.test(readFileSync(join(root, "src", file), "utf8")),
  );
  expect(lists).toEqual(["scenarios/operation-name.ts"]);
});

it("the test file that it runs alone is there", () => {
  const [, file = ""] = /npx vitest run (\S+)/.exec(page.text) ?? [];
  expect(existsSync(join(root, file)), file).toBe(true);
});

it.each([
  ["scenarios/everything.yaml", "rules:"],
  ["docs/scenarios.md", "## When a fault acts"],
  ["test/scenarios/built-in.test.ts", "const observations:"],
  ["test/assumptions.test.ts", "const provocations:"],
  ["test/assumptions.test.ts", "const alternatives:"],
  ["src/api/openapi/tags.ts", "export const tags ="],
])("%s has what it says: %s", (file, text) => {
  expect(page.text).toContain(file);
  expect(readFileSync(join(root, file), "utf8")).toContain(text);
});

/** What the tests are made of, but for the bench, which measures. */
const tests = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(?:ts|mjs)$/.test(file) && !file.startsWith("bench"))
  .map((file) => join("test", file));

it.each([
  ["is repeated when it fails", /\bretry: *\d+ *[,}]|vi\.wait/],
  [
    "asserts how fast something is",
    /performance\.now\(\)[^;]*toBeLess|(?:duration|elapsed|endedAt|\bat)\)\.toBeLess|cpuUsage/i,
  ],
  ["has a time-out of its own, but for those of test/support/patience.ts", /\}, \d[\d_]{3,}\);$|\btimeout: *\d/m],
])("no test %s", (_what, pattern) => {
  const files = ["vitest.config.ts", "vitest.browser.config.ts", ...tests];
  const found = files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(found.filter((file) => !file.endsWith("contributing.test.ts"))).toEqual([]);
});
