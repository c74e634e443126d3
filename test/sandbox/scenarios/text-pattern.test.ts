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

  it("compares each character of a hostile text only a few times", () => {
    const pattern = new TextPattern(`*${"a".repeat(400)}b*${"a".repeat(400)}c`);
    let reads = 0;
    const text = new Proxy(new String("a".repeat(60_000)), {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1;
        const value = Reflect.get(target, key);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    expect(pattern.matches(`${"a".repeat(400)}c`)).toBe(false);
    expect(new TextPattern(`*${"a".repeat(400)}b*`).matches(text as unknown as string)).toBe(false);
    expect(reads).toBeLessThan(4 * 60_000);
  });
});
