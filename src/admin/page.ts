const usualPageSize = 100;

/**
 * A page ends after this many characters of JSON, even if there are more entries. A page is made in one turn, and stays
 * in memory until its reader takes it.
 */
export const longestPage = 500_000;

/**
 * A page of the journal, or of another long list.
 * @param entries from the cursor on
 * @param pageSize maximum number of entries
 * @param numberOf the number of an entry; the cursor is the number of the last entry of the page
 */
export function readPage<Entry>(
  entries: Iterable<Entry>,
  pageSize = usualPageSize,
  chosen: (entry: Entry) => boolean,
  view: (entry: Entry) => unknown,
  numberOf: (entry: Entry) => number,
): { readonly items: readonly unknown[]; readonly nextCursor?: string } {
  const items: unknown[] = [];
  let length = 0;
  let last = 0;
  for (const entry of entries) {
    if (!chosen(entry)) continue;
    if (items.length === pageSize || length >= longestPage) return { items, nextCursor: String(last) };
    const item = view(entry);
    items.push(item);
    length += JSON.stringify(item).length;
    last = numberOf(entry);
  }
  return { items };
}

/**
 * A page of a list that is sorted otherwise. Its cursor is the number of entries before it.
 * @param entries all of them, in order
 */
export function sortedPage<Entry>(
  entries: readonly Entry[],
  { pageSize, cursor = 0 }: { readonly pageSize?: number | undefined; readonly cursor?: number | undefined },
  view: (entry: Entry) => unknown,
): { readonly items: readonly unknown[]; readonly nextCursor?: string } {
  const numbered = entries.slice(cursor).map((entry, index) => ({ entry, number: cursor + index + 1 }));
  return readPage(
    numbered,
    pageSize,
    () => true,
    ({ entry }) => view(entry),
    ({ number }) => number,
  );
}
