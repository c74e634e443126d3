import { type Entry, type Filter, noFilter, outcomeOf, passes } from "../view/entry.js";
import { requestRow } from "../view/request-row.js";
import { toDom } from "./dom.js";

/** How many entries are kept and shown. */
export const mostEntries = 1000;

/** The least time between two changes of the list, in milliseconds: more often nobody can read it. */
const restTime = 100;

/** How many entries pass, by outcome. */
export type Counts = Readonly<Record<Filter["outcome"], number>>;

/**
 * The list of requests. What arrives waits for the next frame, and goes in as one piece; what is too old goes out.
 * The browser leaves out the layout of rows that are out of sight (`content-visibility`).
 */
export class RequestList {
  readonly #element: HTMLElement;
  readonly #changed: () => void;
  /** Newest first. */
  #entries: Entry[] = [];
  readonly #keys = new Set<string>();
  /** Newest first, not in the list yet. */
  #waiting: Entry[] = [];
  #filter: Filter = noFilter;
  #chosen: string | undefined;
  #paused = false;
  #scheduled = false;
  #lastFlush = 0;

  /** @param changed told after each change of what is shown, or waits */
  constructor(element: HTMLElement, changed: () => void) {
    this.#element = element;
    this.#changed = changed;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** How many entries wait for the list to go on. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get shown(): number {
    return this.#element.childElementCount;
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
    this.#waiting.unshift(entry);
    if (this.#waiting.length > mostEntries) this.#waiting.length = mostEntries;
    if (this.#paused) this.#changed();
    else this.#schedule();
  }

  /** Shows these, newest first, and what has arrived since. */
  replace(entries: readonly Entry[]): void {
    this.#entries = [...entries];
    this.#keys.clear();
    for (const { key } of entries) this.#keys.add(key);
    this.#showAll();
    this.#schedule();
  }

  filterBy(filter: Filter): void {
    this.#filter = filter;
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
    const rest = restTime - (performance.now() - this.#lastFlush);
    if (rest <= 0) requestAnimationFrame(() => this.#flush());
    else setTimeout(() => requestAnimationFrame(() => this.#flush()), rest);
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#paused) return;
    this.#lastFlush = performance.now();
    const fresh = this.#waiting.filter(({ key }) => !this.#keys.has(key));
    this.#waiting = [];
    for (const { key } of fresh) this.#keys.add(key);
    this.#entries.unshift(...fresh);
    for (const { key } of this.#entries.splice(mostEntries)) {
      this.#keys.delete(key);
      document.getElementById(key)?.remove();
    }
    this.#element.prepend(this.#rows(fresh));
    this.#changed();
  }

  #showAll(): void {
    this.#element.replaceChildren(this.#rows(this.#entries));
    this.#changed();
  }

  #rows(entries: readonly Entry[]): DocumentFragment {
    const fragment = document.createDocumentFragment();
    const { outcome } = this.#filter;
    for (const entry of entries) {
      if (!passes(entry, this.#filter) || (outcome !== "all" && outcomeOf(entry) !== outcome)) continue;
      const row = toDom(requestRow(entry));
      if (entry.key === this.#chosen) row.setAttribute("aria-selected", "true");
      fragment.append(row);
    }
    return fragment;
  }
}
