import { type Entry, type Filter, noFilter, outcomeOf, passes } from "../view/entry.js";
import { requestRow } from "../view/request-row.js";
import { toDom } from "./dom.js";

/** How many entries are kept. */
export const mostEntries = 1000;

/** How many rows there are at first. More are made when somebody scrolls down to them. */
const rowsAtOnce = 120;

/** How near to the last row, in pixels, somebody must have scrolled for more to be made. */
const nearEnd = 600;

/** The least time between two changes of the list, in milliseconds: more often nobody can read it. */
const restTime = 100;

/** After a change that took long, the list rests this many times as long: most of the time is for the person. */
const restFactor = 4;

/** How many entries pass, by outcome. */
export type Counts = Readonly<Record<Filter["outcome"], number>>;

/** The list of requests. What arrives waits for the next frame, and goes in as one piece; what is too old goes out. */
export class RequestList {
  readonly #element: HTMLElement;
  readonly #changed: () => void;
  /** Newest first. */
  #entries: Entry[] = [];
  readonly #keys = new Set<string>();
  /** Oldest first, not in the list yet. */
  #waiting: Entry[] = [];
  #filter: Filter = noFilter;
  #chosen: string | undefined;
  #paused = false;
  /** How many of the entries that pass may have a row. */
  #mostRows = rowsAtOnce;
  /** Whether the list holds more than what the server painted. */
  #isFilled = false;
  #scheduled = false;
  #nextFlush = 0;

  /** @param changed told after each change of what is shown, or waits */
  constructor(element: HTMLElement, changed: () => void) {
    this.#element = element;
    this.#changed = changed;
    element.addEventListener("scroll", () => {
      if (element.scrollTop + element.clientHeight > element.scrollHeight - nearEnd) this.#grow();
    });
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** How many entries wait for the list to go on. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether there is any row. */
  get isEmpty(): boolean {
    return this.#element.childElementCount === 0;
  }

  counts(): Counts {
    const counts = { all: 0, success: 0, refused: 0, injected: 0, handshake: 0 };
    for (const entry of this.#entries) {
      if (!passes(entry, this.#filter)) continue;
      counts.all += 1;
      counts[outcomeOf(entry)] += 1;
    }
    return counts;
  }

  find(key: string): Entry | undefined {
    return this.#entries.find((entry) => entry.key === key);
  }

  add(entry: Entry): void {
    this.#waiting.push(entry);
    if (this.#waiting.length >= 2 * mostEntries) this.#waiting = this.#waiting.slice(-mostEntries);
    if (this.#paused) this.#changed();
    else this.#schedule();
  }

  /** Shows these, newest first, and what has arrived since. */
  replace(entries: readonly Entry[]): void {
    this.#entries = [...entries];
    this.#keys.clear();
    for (const { key } of entries) this.#keys.add(key);
    this.#showAll();
    // What the address led to; later on it is the person who scrolls.
    if (!this.#isFilled) this.#mark(this.#chosen, true);
    this.#isFilled = true;
    this.#schedule();
  }

  filterBy(filter: Filter): void {
    this.#filter = filter;
    this.#mostRows = rowsAtOnce;
    this.#showAll();
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    if (!paused) this.#schedule();
    this.#changed();
  }

  choose(key: string | undefined): void {
    this.#mark(this.#chosen, false);
    this.#chosen = key;
    this.#mark(key, true);
  }

  /** The key of the row that lies so many rows after the chosen one. */
  neighbour(distance: number): string | undefined {
    const rows = this.#element.children;
    const chosen = this.#chosen === undefined ? null : document.getElementById(this.#chosen);
    const at = chosen ? [...rows].indexOf(chosen) : distance > 0 ? -1 : 0;
    while (at + distance >= rows.length && this.#grow());
    return rows[Math.min(Math.max(at + distance, 0), rows.length - 1)]?.id;
  }

  #mark(key: string | undefined, chosen: boolean): void {
    const row = key === undefined ? null : document.getElementById(key);
    row?.setAttribute("aria-selected", String(chosen));
    if (chosen && row) {
      this.#element.setAttribute("aria-activedescendant", row.id);
      // Once the panel has taken its place beside the list.
      requestAnimationFrame(() => row.scrollIntoView({ block: "nearest" }));
    } else this.#element.removeAttribute("aria-activedescendant");
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#waiting.length === 0) return;
    this.#scheduled = true;
    const rest = this.#nextFlush - performance.now();
    if (rest <= 0) requestAnimationFrame(() => this.#flush());
    else setTimeout(() => requestAnimationFrame(() => this.#flush()), rest);
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#paused) return;
    const begun = performance.now();
    const fresh = this.#waiting.filter(({ key }) => !this.#keys.has(key)).reverse();
    this.#waiting = [];
    for (const { key } of fresh) this.#keys.add(key);
    this.#entries = [...fresh, ...this.#entries];
    for (const { key } of this.#entries.splice(mostEntries)) this.#keys.delete(key);
    this.#showFresh(fresh);
    this.#changed();
    // The layout of what was changed is part of the cost.
    void this.#element.offsetHeight;
    const now = performance.now();
    this.#nextFlush = now + Math.max(restTime, restFactor * (now - begun));
  }

  /** What somebody has scrolled down to does not go away under their eyes. */
  #showFresh(fresh: readonly Entry[]): void {
    const rows = this.#rows(fresh, this.#mostRows);
    const isAtTop = this.#element.scrollTop === 0;
    this.#mostRows = isAtTop ? rowsAtOnce : Math.min(this.#mostRows + rows.childElementCount, mostEntries);
    this.#element.prepend(rows);
    const { children } = this.#element;
    while (children.length > this.#mostRows) children[children.length - 1]?.remove();
    // Of those that are no longer kept.
    for (
      let row = this.#element.lastElementChild;
      row && !this.#keys.has(row.id);
      row = this.#element.lastElementChild
    ) {
      row.remove();
    }
  }

  #showAll(): void {
    this.#element.replaceChildren(this.#rows(this.#entries, this.#mostRows));
    this.#changed();
  }

  /** Makes more rows of what is kept. @returns whether there were any to make */
  #grow(): boolean {
    const shown = this.#element.childElementCount;
    if (shown < this.#mostRows) return false;
    this.#mostRows += rowsAtOnce;
    this.#element.append(this.#rows(this.#entries, rowsAtOnce, shown));
    return this.#element.childElementCount > shown;
  }

  /** Rows of the entries that pass, without the first so many, and no more than so many. */
  #rows(entries: readonly Entry[], most: number, skip = 0): DocumentFragment {
    const fragment = document.createDocumentFragment();
    const { outcome } = this.#filter;
    let left = skip;
    for (const entry of entries) {
      if (fragment.childElementCount === most) break;
      if (!passes(entry, this.#filter) || (outcome !== "all" && outcomeOf(entry) !== outcome)) continue;
      if (left > 0) {
        left -= 1;
        continue;
      }
      const row = toDom(requestRow(entry));
      if (entry.key === this.#chosen) row.setAttribute("aria-selected", "true");
      fragment.append(row);
    }
    return fragment;
  }
}
