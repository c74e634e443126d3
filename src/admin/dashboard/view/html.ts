import { escapeMarkup } from "../../../base/text/markup.js";
import { type Child, flatten, presentAttributes, type Tree } from "./tree.js";

const voidTags = new Set(["br", "hr", "img", "input", "link", "meta", "wbr"]);

/** A tree as HTML text. */
export function toHtml(child: Child): string {
  return flatten([child])
    .map((node) => (typeof node === "string" ? escapeMarkup(node) : element(node)))
    .join("");
}

function element(tree: Tree): string {
  const attributes = presentAttributes(tree).map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`);
  const open = `<${tree.tag}${attributes.join("")}>`;
  return voidTags.has(tree.tag) ? open : `${open}${tree.children.map(toHtml).join("")}</${tree.tag}>`;
}
