import type { JournalItem, JournalPage } from "../api.js";
import type { Divider, Item } from "./request-list.js";

/** A page of the journal, newest first, and where the next one begins. */
export type EntryPage = Pick<JournalPage, "run" | "items" | "nextCursor">;

/** How many entries are kept until the user scrolls down to more. */
const mostFollowed = 500;

/** How many entries of earlier runs are kept. */
const mostOld = 200;

/** The content of the list: the newest pages of the journal, the chosen entry, and entries from before a restart. */
export class Rows {
  #run = "";
  /** Newest first. No entry that matches the query is missing between them. */
  #entries: readonly JournalItem[] = [];
  #cursor: string | undefined;
  /** The chosen entry, if it is older than `#entries`. */
  #pinned: JournalItem | undefined;
  #chosen: string | undefined;
  #old: readonly Item[] = [];

  /** @param page the newest one */
  constructor(page: EntryPage) {
    this.replace(page);
  }

  /** All rows, in order. */
  get items(): readonly Item[] {
    return [...this.#entries, ...(this.#pinned ? [gap, this.#pinned] : []), ...this.#old];
  }

  /** The entries of this run, without the pinned one. */
  get entries(): readonly JournalItem[] {
    return this.#entries;
  }

  /** The id of the start of the sandbox that the entries belong to. */
  get run(): string {
    return this.#run;
  }

  /** Where the next page begins. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** The place of the newest entry, wherever it is in the list; 0 without entries. */
  get newest(): number {
    return this.#entries.reduce((most, { order }) => Math.max(most, order), 0);
  }

  find(key: string): JournalItem | undefined {
    const item = this.items.find((candidate) => candidate.key === key);
    return item?.kind === "divider" ? undefined : item;
  }

  /** The key of the row this many rows after another one; of the first or last one if there are fewer. */
  neighbour(key: string | undefined, distance: number): string | undefined {
    const keys = this.items.flatMap((item) => (item.kind === "divider" ? [] : [item.key]));
    const known = key === undefined ? -1 : keys.indexOf(key);
    const at = known >= 0 ? known : distance > 0 ? -1 : 0;
    return keys[Math.min(Math.max(at + distance, 0), keys.length - 1)];
  }

  /** Keeps an entry as long as it is chosen, even if others are removed. */
  choose(key: string | undefined): void {
    this.#chosen = key;
    if (this.#pinned?.key !== key) this.#pinned = undefined;
  }

  /** Replaces everything with the newest page of a query. */
  replace(page: EntryPage): void {
    this.#startRun(page.run);
    this.#entries = page.items;
    this.#cursor = page.nextCursor;
    this.#pin(undefined);
  }

  /** Puts the newest page on top of the present entries. If there is a gap, only the chosen one of these is kept. */
  renew(page: EntryPage): void {
    const newest = this.#entries[0]?.order ?? 0;
    const fresh = page.items.filter(({ order }) => order > newest);
    const meets = fresh.length < page.items.length || page.nextCursor === undefined;
    if (page.run === this.#run && meets && this.#entries.length > 0) this.#join(page, fresh);
    else {
      // After a restart, it is among the old rows.
      const chosen = page.run === this.#run ? this.#kept() : undefined;
      this.replace(page);
      this.#pin(chosen);
    }
  }

  #join(page: EntryPage, fresh: readonly JournalItem[]): void {
    const again = new Map(page.items.map((entry) => [entry.key, entry]));
    const chosen = this.#kept();
    // The duration of an answer is known later than the rest.
    const entries = [...fresh, ...this.#entries.map((entry) => again.get(entry.key) ?? entry)];
    this.#entries = entries.slice(0, mostFollowed);
    const last = this.#entries.at(-1);
    if (last && entries.length > mostFollowed) this.#cursor = String(last.order);
    this.#pin(chosen);
  }

  /** Adds the next page. */
  append(page: EntryPage): void {
    if (page.run !== this.#run) return;
    const chosen = this.#kept();
    this.#entries = [...this.#entries, ...page.items];
    this.#cursor = page.nextCursor;
    this.#pin(chosen);
  }

  /** Drops everything: the journal was emptied. */
  clear(): void {
    this.#entries = [];
    this.#cursor = undefined;
    this.#pinned = undefined;
    this.#old = [];
  }

  #kept(): JournalItem | undefined {
    return this.#chosen === undefined ? undefined : this.find(this.#chosen);
  }

  #pin(chosen: JournalItem | undefined): void {
    const isShown =
      chosen === undefined ||
      this.#entries.some(({ key }) => key === chosen.key) ||
      this.#old.some(({ key }) => key === chosen.key);
    this.#pinned = isShown ? undefined : chosen;
  }

  /** After a restart, the present rows become old. Numbers begin at 1 again, so the keys of old rows are changed. */
  #startRun(run: string): void {
    const before = this.#run;
    this.#run = run;
    if (before === "" || before === run) return;
    const left = this.items.flatMap((item) =>
      item.kind === "divider" ? [] : [{ ...item, key: oldKey(item.key, before) }],
    );
    this.#old = left.length === 0 ? [] : [{ ...restart, key: oldKey("restart", before) }, ...left.slice(0, mostOld)];
    this.#pinned = undefined;
  }
}

const gap: Divider = { kind: "divider", key: "gap", text: "Further back" };

const restart: Divider = {
  kind: "divider",
  key: "restart",
  text: "The sandbox was started again. It no longer has the entries below.",
};

function oldKey(key: string, run: string): string {
  return isOld(key) ? key : `old-${run}-${key}`;
}

/** Whether a row belongs to an earlier run. */
function isOld(rowKey: string): boolean {
  return rowKey.startsWith("old-");
}

/** The key of the row of an entry of a run. Different runs use the same numbers for different entries. */
export function rowKey(key: string, run: string, present: string): string {
  return run === present ? key : oldKey(key, run);
}

/** The entry and the run of the key of a row. */
export function ofRow(rowKey: string, present: string): { readonly key: string; readonly run: string } {
  const [, run, key] = /^old-(.+)-([rh]\d+)$/.exec(rowKey) ?? [];
  return run === undefined || key === undefined ? { key: rowKey, run: present } : { key, run };
}
