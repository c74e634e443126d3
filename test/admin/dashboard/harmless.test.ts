import { h } from "preact";
import { expect, it } from "vitest";
import "../../../src/admin/dashboard/client/harmless.js";

it("the dashboard never makes a script, an inline style, a handler as text or a link to another site", () => {
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
    expect(() => h(tag, attributes, text), tag).toThrow("The dashboard does not write");
  }
  for (const href of ["#/requests", "/ca.pem"]) expect(() => h("a", { href }, "x")).not.toThrow();
  expect(() => h("button", { type: "button", onClick: () => {} }, "x")).not.toThrow();
});
