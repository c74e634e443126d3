import { dividerRow, requestRow, rowLines } from "../view/request-row.js";
import { byId, toDom } from "./dom.js";
import { Positions } from "./positions.js";
import type { Item, Rows } from "./rows.js";

/** How far above and below the window rows are rendered, in pixels, so that scrolling does not show gaps. */
const margin = 400;

/** The next page is fetched when the distance to the last row is smaller than this, in pixels. */
const nearEnd = 1200;

export interface ListListener {
  /** The user scrolls near to the last row. */
  more(): void;
  /** `isHeld` may have changed. */
  moved(): void;
}

/** The list of requests on the screen. Only visible rows have an element. */
export class RequestList {
  readonly #element = byId("list");
  readonly #rows: Rows;
  readonly #listener: ListListener;
  readonly #shown = new Map<string, { readonly item: Item; readonly element: Element }>();
  /** They take the space of the rows without an element. */
  readonly #above = spacer();
  readonly #below = spacer();
  /** The heights of a row of one line and of one with a reason, in pixels. */
  #heights: readonly [number, number] = [29, 46];
  #positions = new Positions([]);
  #chosen: string | undefined;
  #isHovered = false;
  #isScheduled = false;

  constructor(rows: Rows, listener: ListListener) {
    this.#rows = rows;
    this.#listener = listener;
    this.#element.addEventListener("scroll", () => this.#schedule());
    this.#element.addEventListener("pointerenter", () => this.#hover(true));
    this.#element.addEventListener("pointerleave", () => this.#hover(false));
    this.#measureRows();
  }

  /** Whether the user points at a row, reads one, or has scrolled down: then no row may move. */
  get isHeld(): boolean {
    return this.#isHovered || this.#chosen !== undefined || this.#element.scrollTop > 0;
  }

  /** The key of the chosen row. */
  get chosen(): string | undefined {
    return this.#chosen;
  }

  /** Shows the current rows. */
  show(): void {
    this.#place();
    this.#render();
  }

  /** Writes all rows again. */
  repaint(): void {
    for (const { element } of this.#shown.values()) element.remove();
    this.#shown.clear();
    this.#render();
  }

  /** Goes to the newest entries. */
  scrollToTop(): void {
    this.#element.scrollTop = 0;
    this.#render();
  }

  choose(key: string | undefined): void {
    this.#chosen = key;
    this.#rows.choose(key);
    if (key !== undefined) requestAnimationFrame(() => this.#reveal(key));
    this.show();
  }

  /** The key of the row this many rows after the chosen one. */
  neighbour(distance: number): string | undefined {
    const keys = this.#rows.items.flatMap(({ kind, key }) => (kind === "divider" ? [] : [key]));
    const chosen = this.#chosen === undefined ? -1 : keys.indexOf(this.#chosen);
    const at = chosen >= 0 ? chosen : distance > 0 ? -1 : 0;
    return keys[Math.min(Math.max(at + distance, 0), keys.length - 1)];
  }

  #hover(isHovered: boolean): void {
    this.#isHovered = isHovered;
    this.#listener.moved();
  }

  /** Scrolls to a row. It is called after the panel has been placed next to the list. */
  #reveal(key: string): void {
    const index = this.#rows.items.findIndex((item) => item.key === key);
    if (index < 0 || key !== this.#chosen) return;
    const { scrollTop, clientHeight } = this.#element;
    this.#element.scrollTop = this.#positions.scrolledTo(index, scrollTop, clientHeight);
    this.#render();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#render();
      this.#listener.moved();
    });
  }

  /** Rows have two heights, which depend on the width of the list and the text size. Two empty rows measure them. */
  #measureRows(): void {
    const probes = [1, 2].map((lines) => {
      const probe = document.createElement("div");
      probe.className = `probe lines-${lines}`;
      probe.setAttribute("aria-hidden", "true");
      this.#element.after(probe);
      return probe;
    });
    const observer = new ResizeObserver(() => {
      const [one = 0, two = 0] = probes.map((probe) => probe.getBoundingClientRect().height);
      // On a hidden page, heights are 0.
      if (one === 0) return;
      const isChanged = one !== this.#heights[0] || two !== this.#heights[1];
      this.#heights = [one, two];
      this.show();
      // The list becomes narrower when the details open.
      if (isChanged && this.#chosen !== undefined) this.#reveal(this.#chosen);
    });
    for (const element of [...probes, this.#element]) observer.observe(element);
  }

  #place(): void {
    const [one, two] = this.#heights;
    this.#positions = new Positions(
      this.#rows.items.map((item) => (item.kind !== "divider" && rowLines(item) === 2 ? two : one)),
    );
  }

  #render(): void {
    const { items } = this.#rows;
    const { scrollTop, clientHeight } = this.#element;
    const first = this.#positions.at(scrollTop - margin);
    const end = Math.min(this.#positions.at(scrollTop + clientHeight + margin) + 1, items.length);
    const wanted = new Map(items.slice(first, end).map((item) => [item.key, item]));
    for (const [key, { item, element }] of this.#shown) {
      if (wanted.get(key) === item) continue;
      element.remove();
      this.#shown.delete(key);
    }
    if (items.length === 0) {
      this.#element.replaceChildren();
      return;
    }
    if (this.#shown.size === 0) this.#element.replaceChildren(this.#above, this.#below);
    let at = this.#above.nextElementSibling;
    let index = first;
    for (const item of wanted.values()) {
      const element = this.#elementOf(item, index);
      if (element === at) at = at.nextElementSibling;
      else this.#element.insertBefore(element, at);
      index += 1;
    }
    this.#above.style.height = `${this.#positions.top(first)}px`;
    this.#below.style.height = `${this.#positions.height - this.#positions.top(end)}px`;
    const active = this.#chosen !== undefined && this.#shown.has(this.#chosen) ? this.#chosen : undefined;
    if (active === undefined) this.#element.removeAttribute("aria-activedescendant");
    else this.#element.setAttribute("aria-activedescendant", active);
    if (scrollTop + clientHeight > this.#positions.height - nearEnd) this.#listener.more();
  }

  #elementOf(item: Item, index: number): Element {
    const { key } = item;
    const element =
      this.#shown.get(key)?.element ?? toDom(item.kind === "divider" ? dividerRow(item) : requestRow(item));
    this.#shown.set(key, { item, element });
    if (item.kind === "divider") return element;
    element.setAttribute("aria-selected", String(key === this.#chosen));
    element.setAttribute("aria-posinset", String(index + 1));
    element.setAttribute("aria-setsize", this.#rows.cursor === undefined ? String(this.#positions.count) : "-1");
    return element;
  }
}

function spacer(): HTMLElement {
  const element = document.createElement("li");
  element.setAttribute("role", "presentation");
  return element;
}
