import type { JournalItem, JournalPage } from "../api.js";

/** How many rows are kept until the user scrolls down to more. */
const mostFollowed = 500;

/** A page of the journal, and where the next one begins. */
export type EntryPage = Pick<JournalPage, "run" | "items" | "nextCursor">;

/** The rows of the list, in order. No entry that matches the query is missing between them. */
export interface Rows {
  /** The id of the start of the sandbox that the entries belong to. */
  readonly run: string;
  readonly items: readonly JournalItem[];
  /** Where the next page begins. */
  readonly cursor: string | undefined;
}

export function rowsOf({ run, items, nextCursor }: EntryPage): Rows {
  return { run, items, cursor: nextCursor };
}

/** The newest page above the present rows; the page alone if it does not meet them. */
export function withNewest(rows: Rows, page: EntryPage): Rows {
  const newest = rows.items[0]?.order ?? 0;
  const fresh = page.items.filter(({ order }) => order > newest);
  const meets = fresh.length < page.items.length || page.nextCursor === undefined;
  if (page.run !== rows.run || !meets || rows.items.length === 0) return rowsOf(page);
  const again = new Map(page.items.map((entry) => [entry.key, entry]));
  // The duration of an answer is known later than the rest.
  const items = [...fresh, ...rows.items.map((entry) => again.get(entry.key) ?? entry)].slice(0, mostFollowed);
  const isCut = items.length < fresh.length + rows.items.length;
  return { run: rows.run, items, cursor: isCut ? String(items.at(-1)?.order) : rows.cursor };
}

/** The next page below the present rows. */
export function withMore(rows: Rows, page: EntryPage): Rows {
  return { run: rows.run, items: [...rows.items, ...page.items], cursor: page.nextCursor };
}

/** The key of the row this many rows after another one; of the first or last one if there are fewer. */
export function neighbourOf({ items }: Rows, key: string | undefined, distance: number): string | undefined {
  const known = items.findIndex((item) => item.key === key);
  const at = known >= 0 ? known : distance > 0 ? -1 : 0;
  return items[Math.min(Math.max(at + distance, 0), items.length - 1)]?.key;
}
