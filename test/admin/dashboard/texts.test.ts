import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Line, tokensOf } from "../../../src/admin/dashboard/client/editor/highlight.js";
import { ago, offset, span, took, visible } from "../../../src/admin/dashboard/client/format.js";

const textOf = (lines: readonly Line[]) => lines.map((line) => line.map(([text]) => text).join("")).join("\n");

/** The tokens with a colour, except punctuation. */
const coloured = (text: string) => tokensOf(text).flatMap((line) => line.filter(([, name]) => !/^$|quiet/.test(name)));

describe("a highlighted text", () => {
  const folder = new URL("../../../scenarios/", import.meta.url);
  it.each(readdirSync(folder).filter((name) => name.endsWith(".yaml")))("is the same text: %s", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    expect(textOf(tokensOf(text))).toBe(text);
  });

  it("distinguishes keys, values and comments", () => {
    const text = '# note\na-b: { c: [1, 2.5ms], d: "x: y" } # end\ne: >-\n  f: not a key\n';
    expect(coloured(text)).toEqual([
      ["a-b", "tok-key"],
      ["c", "tok-key"],
      ["1", "tok-word"],
      ["2.5ms", "tok-word"],
      ["d", "tok-key"],
      ['"x: y"', "tok-string"],
      ["e", "tok-key"],
      [">-", "tok-string"],
      ["  f: not a key", "tok-word"],
    ]);
    expect(tokensOf(text)[0]).toEqual([["# note", "tok-quiet"]]);
  });

  it("can be JSON", () => {
    const text = '{\n  "a": ["b: \\"c\\"", -1.5e3, null]\n}';
    expect(textOf(tokensOf(text))).toBe(text);
    expect(coloured(text)).toEqual([
      ['"a"', "tok-key"],
      ['"b: \\"c\\""', "tok-string"],
      ["-1.5e3", "tok-word"],
      ["null", "tok-word"],
    ]);
  });
});

describe("texts for people", () => {
  it("show invisible characters", () => {
    expect(visible("a\u202eb\u0000c\u200bd\té\n")).toBe("a\\u{202e}b\\u{0}c\\u{200b}d\té\n");
  });

  it("write durations in their two largest units", () => {
    expect(span(301_000)).toBe("5 m 1 s");
    expect(span(86_400_000 * 395 + 3_600_000 * 23 + 59_000)).toBe("395 d 23 h");
    expect(span(3_600_000)).toBe("1 h");
    expect(span(3_601_000)).toBe("1 h");
    expect(span(400)).toBe("0 s");
    expect(offset(-300_000)).toBe("−5 m");
    expect([ago("2027-01-31T00:00:00Z", Date.parse("2027-01-31T00:00:03Z")), ago("2027-01-31T00:00:00Z", 0)]).toEqual([
      "3 s ago",
      "now",
    ]);
    expect([took(0.42), took(12.3), took(1204)]).toEqual(["0.4 ms", "12 ms", "1.20 s"]);
  });
});
