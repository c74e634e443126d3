import fc from "fast-check";
import { h } from "preact";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/html.js";

describe("a view as HTML", () => {
  it("escapes texts in elements and in attributes", () => {
    const html = toHtml(
      h("p", { title: `"'><i>`, hidden: true, lang: undefined }, "<b>&", [1, null, false], h("br", null)),
    );
    expect(html).toBe(`<p title="&quot;'>&lt;i>" hidden>&lt;b>&amp;1<br/></p>`);
  });

  it("has only the markup of the view, whatever the texts are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ minLength: 1 }), (text, title) => {
        const html = toHtml(h("p", { title }, text));
        expect(html.match(/</g)).toHaveLength(2);
        expect(html.match(/"/g)).toHaveLength(2);
      }),
    );
  });

  it("never has a script, an inline style, a handler or a link to another site", () => {
    const views: [tag: string, attributes: Record<string, unknown>, text?: string][] = [
      ["script", { src: "//attacker.test" }],
      ["script", {}, "alert(1)"],
      ["p", { onclick: "x" }],
      ["p", { style: "x" }],
      ["p", { dangerouslySetInnerHTML: { __html: "<b>" } }],
      ["a", { href: "javascript:x" }],
      ["a", { href: "//attacker.test" }],
      ["a", { href: "/\\attacker.test" }],
      ["a", { href: "https://attacker.test" }],
      ["form", { action: "https://attacker.test" }],
    ];
    for (const [tag, attributes, text] of views) {
      expect(() => toHtml(h(tag, attributes, text)), tag).toThrow("The dashboard does not write");
    }
    expect(toHtml(h("a", { href: "#/requests" }, "x"))).toBe('<a href="#/requests">x</a>');
    expect(toHtml(h("a", { href: "/ca.pem" }, "x"))).toBe('<a href="/ca.pem">x</a>');
    expect(toHtml(h("button", { type: "button", onClick: () => {} }))).toBe('<button type="button"></button>');
  });
});
