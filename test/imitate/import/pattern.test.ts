import { expect, it } from "vitest";
import { sampleOf } from "../../../src/imitate/import/fields.js";
import { ofPattern } from "../../../src/imitate/import/pattern.js";

it.each([
  "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$",
  "^tr_[a-zA-Z0-9]{14}$",
  "^\\d{1,13}$|^\\d{1,13}\\.\\d{1,5}$",
  "^(EUR|GBP)-[0-9]+$",
  "^[^-]?x$|^y$",
  "^\\+?[1-9]\\d{6,14}$",
  "[a-f\\d]{4}(-[a-f\\d]{2}){2}",
  "^.{1,35}$",
  "^a?b*c+$",
  "^[\\w.-]+@[\\w-]+\\.example$",
])("the text generated from %s matches it", (pattern) => {
  for (const unique of [true, false]) {
    const generator = ofPattern(pattern, unique);
    if (pattern.startsWith("^[^")) expect(generator).toBeUndefined();
    else if (generator?.type === "choice")
      for (const value of generator.values) expect(value).toMatch(new RegExp(pattern));
    else expect(String(sampleOf(generator ?? expect.fail("no generator")))).toMatch(new RegExp(pattern));
  }
});

it.each(["(a", "a)", "[a", "a{2", "*", "\\1", "a{1000}", "(a{150}){150}", `${"(".repeat(50)}a`])(
  "%s is ignored",
  (pattern) => {
    expect(ofPattern(pattern, false)).toBeUndefined();
  },
);
