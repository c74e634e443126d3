import type { List } from "../lists/list.js";
import { type Page, takePage } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";

/** Estimated bytes that the pages of a list may take: about fifty pages of a hundred rows. */
const maximumBytes = 1024 * 1024;

/** Estimated bytes of a page besides its key and its rows. */
const overhead = 600;
const overheadPerRow = 16;

/**
 * The pages of a list that were made recently. A page depends only on its query, and tests request the same few pages
 * repeatedly. Writing a hundred rows costs more than the rest of the work for a request.
 */
export class PageCache {
  readonly #list: List;
  readonly #pages = new Map<string, Page>();
  #bytes = 0;

  constructor(list: List) {
    this.#list = list;
  }

  /** The page for a query: as `takePage`, without a shift. */
  take(query: ListQuery): Page {
    const key = keyOf(query);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = takePage(this.#list, query);
    this.#add(key, page);
    return page;
  }

  #add(key: string, page: Page): void {
    this.#pages.set(key, page);
    this.#bytes += sizeOf(key, page);
    for (const [oldest, known] of this.#pages) {
      if (this.#bytes <= maximumBytes) break;
      this.#pages.delete(oldest);
      this.#bytes -= sizeOf(oldest, known);
    }
  }
}

/** An empty page counts as well: a client that polls for new rows causes one with each request. */
function sizeOf(key: string, { json, count }: Page): number {
  return overhead + key.length + json.length + overheadPerRow * count;
}

/**
 * Everything that a page depends on. Texts that a client sent follow their length, so that different queries have
 * different keys. JSON would take as long as the rest of the work for a short page.
 */
function keyOf({ anchor, position, page, pageSize, from, to, filters, pathParameters }: ListQuery): string {
  let key = `${anchor} ${position} ${page} ${pageSize}`;
  if (from) key += ` from ${from.ms} ${sized(from.rest)}`;
  if (to) key += ` to ${to.ms} ${sized(to.rest)}`;
  for (const { field, value } of filters) key += ` ${sized(field)} ${sized(value)}`;
  for (const value of pathParameters) key += ` / ${sized(value)}`;
  return key;
}

function sized(text: string): string {
  return `${text.length}:${text}`;
}
