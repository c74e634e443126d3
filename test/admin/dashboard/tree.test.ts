import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/view/html.js";
import { h } from "../../../src/admin/dashboard/view/tree.js";

describe("a tree as HTML", () => {
  it("escapes texts in elements and in attributes", () => {
    const html = toHtml(h("p", { title: `"'><i>`, hidden: true, lang: undefined }, "<b>&", [1, null, false], h("br")));
    expect(html).toBe('<p title="&quot;&#39;&gt;&lt;i&gt;" hidden="">&lt;b&gt;&amp;1<br></p>');
  });

  it("has only the markup of the tree, whatever the texts are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, title) => {
        const html = toHtml(h("p", { title }, text));
        expect(html.match(/[<>]/g)).toHaveLength(4);
        expect(html.match(/"/g)).toHaveLength(2);
      }),
    );
  });

  it("never makes a script, an inline style, a handler or a link to another site", () => {
    for (const tree of [
      h("script", { src: "/x.js" }),
      h("p", { onclick: "x" }),
      h("p", { style: "x" }),
      h("a", { href: "javascript:x" }),
      h("a", { href: "//attacker.test" }),
      h("a", { href: "/\\attacker.test" }),
      h("a", { href: "https://attacker.test" }),
      h("form", { action: "https://attacker.test" }),
    ]) {
      expect(() => toHtml(tree)).toThrow("The dashboard does not write");
    }
    expect(toHtml(h("a", { href: "#/requests" }))).toBe('<a href="#/requests"></a>');
    expect(toHtml(h("a", { href: "/ca.pem" }))).toBe('<a href="/ca.pem"></a>');
  });
});
