import { readdirSync, readFileSync } from "node:fs";
import type { ComponentChildren } from "preact";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/html.js";
import { snippetFacts } from "../../../src/admin/dashboard/view/environment-file.js";
import { Explanation } from "../../../src/admin/dashboard/view/explanation.js";
import { offset, span, took, visible } from "../../../src/admin/dashboard/view/format.js";
import { HighlightedJson, HighlightedYaml } from "../../../src/admin/dashboard/view/highlight.js";
import { readEnvironment } from "../../../src/base/text/environment.js";

const unescaped = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

const textOf = (view: ComponentChildren): string => unescaped(toHtml(view).replaceAll(/<[^>]+>/g, ""));

const tokens = (view: ComponentChildren): (readonly [string, string])[] =>
  [...toHtml(view).matchAll(/<span class="tok-(\w+)">([^<]*)/g)].map(([, name = "", text = ""]) => [
    name,
    unescaped(text),
  ]);

describe("highlighted YAML", () => {
  const folder = new URL("../../../scenarios/", import.meta.url);
  it.each(readdirSync(folder).filter((name) => name.endsWith(".yaml")))("is the same text: %s", (name) => {
    const text = readFileSync(new URL(name, folder), "utf8");
    expect(textOf(HighlightedYaml({ text }))).toBe(text);
  });

  it("distinguishes keys, values and comments", () => {
    const lines = HighlightedYaml({
      text: '# note\na-b: { c: [1, 2.5ms, true], d: "x: y" } # end\n- e: INVALID_CURSOR\n',
    });
    expect(tokens(lines).filter(([name]) => name !== "mark")).toEqual([
      ["comment", "# note"],
      ["key", "a-b"],
      ["key", "c"],
      ["number", "1"],
      ["number", "2.5ms"],
      ["word", "true"],
      ["key", "d"],
      ["string", '"x: y"'],
      ["comment", "# end"],
      ["key", "e"],
      ["constant", "INVALID_CURSOR"],
    ]);
  });

  it("treats a block of text as text", () => {
    const lines = HighlightedYaml({ text: "a: >-\n  b: not a key\n  1 # no comment\nc: 1\n" });
    expect(tokens(lines).filter(([name]) => name !== "mark")).toEqual([
      ["key", "a"],
      ["string", "  b: not a key"],
      ["string", "  1 # no comment"],
      ["key", "c"],
      ["number", "1"],
    ]);
  });

  it("marks the lines with problems", () => {
    const html = toHtml(HighlightedYaml({ text: "a: 1\nb: 2\n", problemLines: new Set([2]) }));
    expect(html.match(/yaml-line[^"]*/g)).toEqual(["yaml-line", "yaml-line problem"]);
  });
});

describe("highlighted JSON", () => {
  it("is the same text, split into tokens", () => {
    const text = '{\n  "a": ["b: \\"c\\"", -1.5e3, null]\n}';
    expect(textOf(HighlightedJson({ text }))).toBe(text);
    expect(tokens(HighlightedJson({ text })).filter(([name]) => name !== "mark")).toEqual([
      ["key", '"a"'],
      ["string", '"b: \\"c\\""'],
      ["number", "-1.5e3"],
      ["word", "null"],
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
    expect([took(0.42), took(12.3), took(1204)]).toEqual(["0.4 ms", "12 ms", "1.20 s"]);
  });

  it("begin with what happened, and shorten thumbprints", () => {
    const thumbprint = "Ayilh4RB5mWa8chiPBq04OSs9gGe6acpd1sGDHtj8hs";
    const html = toHtml(Explanation({ text: `It has ${thumbprint}. Send \`X\`.` }));
    expect(html).toBe(`<b>It has <code title="${thumbprint}">Ayilh4RB5mWa…</code>.</b> Send <code>X</code>.`);
  });
});

describe("a client.env", () => {
  it("is read with any quoting of its values", () => {
    const variables = readEnvironment(
      "# note\nSANDBOX_URL=https://localhost:1\nSANDBOX_A='it'\\''s'\nSANDBOX_B=\"x y\"\n",
    );
    expect([...variables]).toEqual([
      ["SANDBOX_URL", "https://localhost:1"],
      ["SANDBOX_A", "it's"],
      ["SANDBOX_B", "x y"],
    ]);
    expect(snippetFacts(variables, [])).toBeUndefined();
  });
});
