import { expect, it } from "vitest";
import { toldOf } from "../../src/report/told-output.js";

it.each<[string, readonly string[], readonly string[]]>([
  ["from the first failure on", ["a", "not ok 3 - pays", "  expected 1"], ["not ok 3 - pays", "  expected 1"]],
  [
    "not from a test that passed",
    ["ok 1 - reports an error", "✔ fails clearly", "test_error PASSED", "E  TypeError: x"],
    ["E  TypeError: x"],
  ],
  ["not from a count of none", ["# fail 0", "0 errors", "no failures", "Failures: 0", "1 failed"], ["1 failed"]],
  [
    "the end, if nothing failed",
    Array.from({ length: 20 }, (_, index) => `${index}`),
    "12 13 14 15 16 17 18 19".split(" "),
  ],
  ["without codes and empty lines", ["", "\u001b[31m✗ pays\u001b[0m", "   ", "10 %\r100 %"], ["✗ pays", "100 %"]],
  ["the end of a long line", [`${"x".repeat(600)}end`], [`…${"x".repeat(497)}end`]],
])("what a command printed is told %s", (_, lines, told) => {
  expect(toldOf(lines)).toEqual(told);
});
