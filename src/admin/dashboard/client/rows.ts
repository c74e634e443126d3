import type { Entry } from "../view/entry.js";

/** A line between entries that do not follow each other. */
interface Divider {
  readonly kind: "divider";
  readonly key: string;
  readonly text: string;
}

export type Item = Entry | Divider;

/** A page of the journal, newest first. */
export interface EntryPage {
  readonly run: string;
  readonly entries: readonly Entry[];
  /** Where the next page begins; undefined where this is the last one. */
  readonly nextCursor: string | undefined;
}

/** How many entries are kept while nobody scrolls down to more. */
const mostFollowed = 500;

/** How many entries of earlier runs are kept. */
const mostOld = 200;

/** What the list holds: the newest pages of the journal, the chosen entry wherever it is, and what came before a restart. */
export class Rows {
  #run: string | undefined;
  /** Newest first, without gaps in what matches the query. */
  #entries: readonly Entry[] = [];
  #cursor: string | undefined;
  /** Chosen, and further back than the entries. */
  #pinned: Entry | undefined;
  #chosen: string | undefined;
  #old: readonly Item[] = [];
  #items: readonly Item[] | undefined;

  /** @param run the start of the sandbox that answered the page; undefined where it is not known */
  constructor(run: string | undefined) {
    this.#run = run;
  }

  /** Everything in its order. */
  get items(): readonly Item[] {
    this.#items ??= [...this.#entries, ...(this.#pinned ? [gap, this.#pinned] : []), ...this.#old];
    return this.#items;
  }

  /** Those of this run that are shown in a row. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The id of the start of the sandbox that the entries are of; undefined before the first page. */
  get run(): string | undefined {
    return this.#run;
  }

  /** Where the next page begins. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  find(key: string): Entry | undefined {
    const item = this.items.find((candidate) => candidate.key === key);
    return item?.kind === "divider" ? undefined : item;
  }

  /** Keeps an entry, as long as it is chosen, whatever else goes. */
  choose(key: string | undefined): void {
    this.#chosen = key;
    if (this.#pinned?.key !== key) this.#pinned = undefined;
    this.#items = undefined;
  }

  /** Begins with the newest page of a query. */
  replace(page: EntryPage): void {
    this.#startRun(page.run);
    this.#entries = page.entries;
    this.#cursor = page.nextCursor;
    this.#pin(undefined);
  }

  /** Puts the newest page on top of what is there. Where both do not meet, what is there goes, but for what is chosen. */
  renew(page: EntryPage): void {
    const newest = this.#entries[0]?.order ?? 0;
    const fresh = page.entries.filter(({ order }) => order > newest);
    const meets = fresh.length < page.entries.length || page.nextCursor === undefined;
    if (page.run === this.#run && meets && this.#entries.length > 0) this.#join(page, fresh);
    else {
      // Of another run, it is among the old ones then.
      const chosen = page.run === this.#run ? this.#kept() : undefined;
      this.replace(page);
      this.#pin(chosen);
    }
  }

  #join(page: EntryPage, fresh: readonly Entry[]): void {
    const again = new Map(page.entries.map((entry) => [entry.key, entry]));
    const chosen = this.#kept();
    // How long an answer took is known later than the rest.
    const entries = [...fresh, ...this.#entries.map((entry) => again.get(entry.key) ?? entry)];
    this.#entries = entries.slice(0, mostFollowed);
    const last = this.#entries.at(-1);
    if (last && entries.length > mostFollowed) this.#cursor = String(last.order);
    this.#pin(chosen);
  }

  /** Adds the page that follows. */
  append(page: EntryPage): void {
    if (page.run !== this.#run) return;
    const chosen = this.#kept();
    this.#entries = [...this.#entries, ...page.entries];
    this.#cursor = page.nextCursor;
    this.#pin(chosen);
  }

  /** Drops everything: the journal was emptied. */
  clear(): void {
    this.#entries = [];
    this.#cursor = undefined;
    this.#pinned = undefined;
    this.#old = [];
    this.#items = undefined;
  }

  #kept(): Entry | undefined {
    return this.#chosen === undefined ? undefined : this.find(this.#chosen);
  }

  #pin(chosen: Entry | undefined): void {
    const isShown =
      chosen === undefined ||
      this.#entries.some(({ key }) => key === chosen.key) ||
      this.#old.some(({ key }) => key === chosen.key);
    this.#pinned = isShown ? undefined : chosen;
    this.#items = undefined;
  }

  /** What is there becomes old when the sandbox has started again: its numbers begin at 1 there, so its keys are changed. */
  #startRun(run: string): void {
    const before = this.#run;
    this.#run = run;
    if (before === undefined || before === run) return;
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
  text: "The sandbox was started again. It no longer has what is below.",
};

function oldKey(key: string, run: string): string {
  return isOld(key) ? key : `old-${run}-${key}`;
}

/** Whether a row is that of an earlier run. */
export function isOld(rowKey: string): boolean {
  return rowKey.startsWith("old-");
}

/** The key of the row of an entry of some run; an earlier run has given the same numbers to other entries. */
export function rowKey(key: string, run: string | undefined, present: string | undefined): string {
  return run === undefined || present === undefined || run === present ? key : oldKey(key, run);
}

/** The entry and the run that the key of a row stands for. */
export function ofRow(
  rowKey: string,
  present: string | undefined,
): { readonly key: string; readonly run: string | undefined } {
  const [, run, key] = /^old-(.+)-([rh]\d+)$/.exec(rowKey) ?? [];
  return run === undefined || key === undefined ? { key: rowKey, run: present } : { key, run };
}
