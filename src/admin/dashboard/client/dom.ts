import { type Child, flatten, presentAttributes, type Tree } from "../view/tree.js";

const svgTags = new Set(["svg", "path"]);

/** The attributes that were last set on an element. Only these are removed when they are no longer wanted. */
const given = new WeakMap<Element, ReadonlyMap<string, string>>();

/** A tree as a node. Texts become text nodes, and attributes are set by name: nothing is parsed. */
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
 * Replaces the children of an element, with as few changes as possible: focus, selection, scroll positions and typed
 * text stay. Elements with an id are identified by it, others by their position.
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
  // Once the user has made a choice, browsers ignore the attribute.
  if (element instanceof HTMLOptionElement) element.selected = wanted.has("selected") || element.selected;
}

/** An element of the shell. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/**
 * Changes the content of an element. If the focused element disappears, `fallback` gets the focus: without it, the Tab
 * key would start again at the top of the page.
 */
export function keepFocus(within: Element, fallback: HTMLElement, change: () => void): void {
  const before = document.activeElement;
  // Checking the visibility needs a layout: skip it if the focus is elsewhere.
  const isWithin = before !== null && within.contains(before);
  change();
  if (isWithin && !(before.isConnected && before.checkVisibility())) fallback.focus();
}
