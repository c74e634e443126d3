import type { ComponentChildren } from "preact";

/** Shows a view in an element of the shell. */
export type Paint = (view: ComponentChildren, element: Element) => void;

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
