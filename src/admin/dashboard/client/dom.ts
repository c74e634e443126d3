import { type Child, flatten, presentAttributes, type Tree } from "../view/tree.js";

const svgTags = new Set(["svg", "path"]);

/** The attributes that an element was last given: those that are not wanted any more are taken away, and no others. */
const given = new WeakMap<Element, ReadonlyMap<string, string>>();

/** A tree as a node. Texts become text nodes, attributes are set by name: nothing is ever parsed. */
export function toDom(tree: Tree): Element {
  const { tag } = tree;
  const element = svgTags.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  setAttributes(element, tree);
  for (const child of flatten(tree.children)) element.append(typeof child === "string" ? child : toDom(child));
  return element;
}

/**
 * Makes an element's children those that are wanted, and changes as little as possible on the way: focus, selection, scroll
 * positions and what was typed stay. Elements with an id are found again by it, others by their place.
 */
export function patch(parent: Element, children: readonly Child[]): void {
  const named = new Map([...parent.children].filter(({ id }) => id !== "").map((element) => [element.id, element]));
  let at: ChildNode | null = parent.firstChild;
  for (const wanted of flatten(children)) {
    const node = reusable(wanted, at, named);
    if (!node) {
      parent.insertBefore(typeof wanted === "string" ? document.createTextNode(wanted) : toDom(wanted), at);
      continue;
    }
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
    update(node, wanted);
  }
  while (at) {
    const next: ChildNode | null = at.nextSibling;
    at.remove();
    at = next;
  }
}

function reusable(
  wanted: Tree | string,
  at: ChildNode | null,
  named: ReadonlyMap<string, Element>,
): ChildNode | undefined {
  if (typeof wanted === "string") return at?.nodeType === Node.TEXT_NODE ? at : undefined;
  const { id } = wanted.attributes;
  const candidate = id === undefined ? at : named.get(String(id));
  if (!(candidate instanceof Element) || candidate.localName !== wanted.tag) return undefined;
  return id === undefined && candidate.id !== "" ? undefined : candidate;
}

function update(node: ChildNode, wanted: Tree | string): void {
  if (typeof wanted === "string") {
    if (node.nodeValue !== wanted) node.nodeValue = wanted;
    return;
  }
  const element = node as Element;
  setAttributes(element, wanted);
  patch(element, wanted.children);
}

function setAttributes(element: Element, tree: Tree): void {
  const wanted = new Map(presentAttributes(tree));
  for (const [name, value] of wanted) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  for (const name of given.get(element)?.keys() ?? []) {
    if (!wanted.has(name)) element.removeAttribute(name);
  }
  given.set(element, wanted);
  // Once a person has chosen, the attribute no longer counts.
  if (element instanceof HTMLOptionElement) element.selected = wanted.has("selected") || element.selected;
}

/** An element of the shell. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/**
 * Changes what is in an element. Where that takes away what has the focus, another element gets it: never nothing, which begins at the
 * top again.
 */
export function keepFocus(within: Element, fallback: HTMLElement, change: () => void): void {
  const before = document.activeElement;
  // To ask whether something can be seen takes a layout, which is not worth it where the focus is elsewhere.
  const isWithin = before !== null && within.contains(before);
  change();
  if (isWithin && !(before.isConnected && before.checkVisibility())) fallback.focus();
}
