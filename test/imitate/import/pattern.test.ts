import fc from "fast-check";
import { expect, it } from "vitest";
import { RegularExpressionError } from "../../../src/base/text/regular-expression.js";
import { ofPattern } from "../../../src/imitate/import/pattern.js";
import { sampleOf } from "../../../src/imitate/sample.js";

it.each([
  "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$",
  "^tr_[a-zA-Z0-9]{14}$",
  "^\\d{1,13}$|^\\d{1,13}\\.\\d{1,5}$",
  "^(EUR|GBP)-[0-9]+$",
  "^[^-]?x$|^y$",
  "^[^A-Za-z]{3}$",
  "^\\_[\\w-]{2}$",
  "^\\p{Lu}{2}é$",
  "^\\+?[1-9]\\d{6,14}$",
  "[a-f\\d]{4}(-[a-f\\d]{2}){2}",
  "^.{1,35}$",
  "^a?b*c+$",
  "^[\\w.-]+@[\\w-]+\\.example$",
])("the texts generated from %s match it", (pattern) => {
  const generator = ofPattern(pattern, {});
  for (const index of [0, 1, 499])
    expect(String(sampleOf(generator, index))).toMatch(new RegExp(pattern, pattern.includes("\\p") ? "u" : ""));
});

it.each([
  ["(a", "is not valid: Unterminated group"],
  ["a)", "is not valid: Unmatched ')'"],
  ["[a", "is not valid: Unterminated character class"],
  ["*", "is not valid: Nothing to repeat"],
  ["(a)\\1", 'has a back reference, "\\\\1", at character 4'],
  ["(?=a)b", 'has a look-ahead, "(?=a)", at character 1'],
  ["(?<!a)b", 'has a look-behind, "(?<!a)", at character 1'],
  ["\\ba", 'has "\\\\b", of which no value can be made'],
  ["[^\\x20-\\x7e]", 'has "[^\\\\x20-\\\\x7e]", which matches no printable character of ASCII'],
  ["a{1000}", "describes values of more than 200 characters"],
  ["x{1000000}", "describes values of more than 200 characters"],
  ["(a{150}){150}", "describes values of more than 200 characters"],
  ["(((ab){9999}){9999}){9999}", "describes values of more than 200 characters"],
  [`${"(".repeat(40)}a${"){9}".repeat(40)}`, "describes values of more than 200 characters"],
  ["x".repeat(201), "describes values of more than 200 characters"],
  ["x".repeat(1001), "is longer than 1000 characters"],
])("%s is not used, and the reason is known", (pattern, reason) => {
  expect(() => ofPattern(pattern, {})).toThrow(reason);
});

it("any pattern is read, or refused with a reason", () => {
  const parts = fc.constantFrom(
    ..."abz09(){}[]|^$.*+?,:=!<>-\\",
    "\\d",
    "\\w",
    "(?:",
    "{2}",
    "{0,9}",
    "[^a]",
    "\\p{L}",
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (pattern) => {
      try {
        sampleOf(ofPattern(pattern.join(""), {}));
      } catch (error) {
        expect(error).toBeInstanceOf(RegularExpressionError);
      }
    }),
    { numRuns: 500 },
  );
});
