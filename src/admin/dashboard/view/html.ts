import { type Child, flatten, presentAttributes, type Tree } from "./tree.js";

const voidTags = new Set(["br", "hr", "img", "input", "link", "meta", "wbr"]);

/** A tree as HTML text. */
export function toHtml(child: Child): string {
  return flatten([child])
    .map((node) => (typeof node === "string" ? escapeText(node) : element(node)))
    .join("");
}

function element(tree: Tree): string {
  const attributes = presentAttributes(tree).map(([name, value]) => ` ${name}="${escapeText(value)}"`);
  const open = `<${tree.tag}${attributes.join("")}>`;
  return voidTags.has(tree.tag) ? open : `${open}${tree.children.map(toHtml).join("")}</${tree.tag}>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}
