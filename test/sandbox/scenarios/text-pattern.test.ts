import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextPattern } from "../../../src/sandbox/scenarios/text-pattern.js";

describe("a pattern with *", () => {
  it.each([
    ["INV-*", ["INV-", "INV-7", "INV-*"], ["INV", "xINV-7", ""]],
    ["*.pdf", [".pdf", "a.pdf"], ["a.pdf.exe"]],
    ["a*b*c", ["abc", "axbxc", "abbcc", "abcbc"], ["ab", "acb", "abcd"]],
    ["*", ["", "anything"], []],
    ["**a**", ["a", "bab"], ["b", ""]],
    ["aa*aa", ["aaaa", "aaxaa"], ["aa", "aaa"]],
    ["*abab*abc", ["ababcabababc", "abababc"], ["ababc"]],
    ["exact", ["exact"], ["exactly", "Exact"]],
    ["", [""], ["x"]],
    [".+*", [".+", ".+x"], ["xx"]],
  ])("%s", (pattern, fitting, others) => {
    for (const text of fitting) expect([text, new TextPattern(pattern).matches(text)]).toEqual([text, true]);
    for (const text of others) expect([text, new TextPattern(pattern).matches(text)]).toEqual([text, false]);
  });

  it("is equivalent to a regular expression", () => {
    const letters = fc.stringMatching(/^[ab]{0,12}$/);
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), letters, (pieces, text) => {
        const expected = new RegExp(`^${pieces.join(".*")}$`).test(text);
        expect(new TextPattern(pieces.join("*")).matches(text)).toBe(expected);
      }),
    );
  });

  // A regular expression would not finish these.
  it.each([
    `${"*a".repeat(60)}*b`,
    `*${"a".repeat(400)}b*${"a".repeat(400)}c`,
    `*${"a".repeat(400)}b*`,
    `${`*${"a".repeat(20)}b`.repeat(40)}*`,
  ])("does not block on a hostile text: %s", (pattern) => {
    const text = "a".repeat(60_000);
    expect(new TextPattern(pattern).matches(text)).toBe(false);
    expect(new TextPattern(pattern.replaceAll("b", "a").replaceAll("c", "a")).matches(text)).toBe(true);
  });
});
