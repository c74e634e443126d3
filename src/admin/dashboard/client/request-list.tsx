import { render } from "preact";
import { DividerRow, RequestRow, rowLines } from "../view/request-row.js";
import { byId } from "./dom.js";
import { Positions } from "./positions.js";
import type { Rows } from "./rows.js";

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
  /** The heights of a row of one line and of one with a reason, in pixels. */
  #heights: readonly [number, number] = [29, 46];
  #positions = new Positions([]);
  #chosen: string | undefined;
  #marked: string | undefined;
  #isHovered = false;
  #isScheduled = false;

  constructor(rows: Rows, listener: ListListener) {
    this.#rows = rows;
    this.#listener = listener;
    // The rows of the server, which Preact does not know.
    this.#element.replaceChildren();
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

  /** Marks a row for a comparison; undefined for none. */
  mark(key: string | undefined): void {
    this.#marked = key;
    this.#render();
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
    const { items, cursor } = this.#rows;
    const { scrollTop, clientHeight } = this.#element;
    const first = this.#positions.at(scrollTop - margin);
    const end = Math.min(this.#positions.at(scrollTop + clientHeight + margin) + 1, items.length);
    const shown = items.slice(first, end);
    const count = cursor === undefined ? items.length : undefined;
    render(
      items.length > 0 && (
        <>
          <Space height={this.#positions.top(first)} />
          {shown.map((item, index) =>
            item.kind === "divider" ? (
              <DividerRow key={item.key} divider={item} />
            ) : (
              <RequestRow
                key={item.key}
                item={item}
                isChosen={item.key === this.#chosen}
                isMarked={item.key === this.#marked}
                place={{ position: first + index + 1, count }}
              />
            ),
          )}
          <Space height={this.#positions.height - this.#positions.top(end)} />
        </>
      ),
      this.#element,
    );
    const active = shown.find(({ key }) => key === this.#chosen)?.key;
    if (active === undefined) this.#element.removeAttribute("aria-activedescendant");
    else this.#element.setAttribute("aria-activedescendant", active);
    if (items.length > 0 && scrollTop + clientHeight > this.#positions.height - nearEnd) this.#listener.more();
  }
}

/** The space of the rows without an element. The height is set by the script: the policy allows no inline style. */
function Space({ height }: { readonly height: number }) {
  return <li role="presentation" style={{ height: `${height}px` }} />;
}
