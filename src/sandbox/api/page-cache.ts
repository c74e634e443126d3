import { sameFilters } from "../lists/cursor.js";
import { detachString } from "../lists/detach-string.js";
import { type EnvelopeContent, isAscii } from "../lists/envelope.js";
import type { List } from "../lists/list.js";
import { type Page, takePage } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";

/** Estimated bytes that the pages of a list may take: about fifty pages of a hundred rows. */
const maximumBytes = 1024 * 1024;

/** Estimated bytes of a page besides its key and its rows. */
const overhead = 600;
const overheadPerRow = 8;

/** A page that was made recently. It has no page number: two walks may reach the same rows as different pages. */
export class CachedPage {
  /** Whether the rows are ASCII, and so have as many bytes as characters. */
  readonly ascii: boolean;
  /** What a body is made of, without the ordinals of the rows. */
  readonly content: EnvelopeContent;
  /** Where the next page begins: `Page.next`. */
  readonly next: number | undefined;
  #issued:
    | (Pick<ListQuery, "clientId" | "page" | "sent" | "begunAt"> & { readonly cursor: string; readonly now: number })
    | undefined;

  constructor({ json, count, pageSize, total, next }: Page) {
    this.content = { json, count, pageSize, total };
    this.next = next;
    this.ascii = isAscii(json);
  }

  /**
   * The cursor that was issued last, if a new one would have the same payload: for the same client, filters, page
   * number and start of the walk, in the same millisecond. Filters are compared as they were sent, because a cursor
   * holds the texts: two texts can mean one instant.
   * @param now milliseconds since the epoch
   */
  cursorFor({ clientId, page, sent, begunAt }: ListQuery, now: number): string | undefined {
    const issued = this.#issued;
    if (issued?.now !== now) return undefined;
    const same = issued.clientId === clientId && issued.page === page && issued.begunAt === begunAt;
    return same && sameFilters(issued.sent, sent) ? issued.cursor : undefined;
  }

  /** Remembers a cursor that is issued now. */
  issued(cursor: string, { clientId, page, sent, begunAt }: ListQuery, now: number): void {
    this.#issued = { cursor, clientId, page, sent, begunAt, now };
  }
}

/**
 * The pages of a list that were made recently. A page depends only on its query, and tests request the same few pages
 * repeatedly. Writing a hundred rows costs more than the rest of the work for a request.
 */
export class PageCache {
  readonly #list: List;
  readonly #pages = new Map<string, CachedPage>();
  #bytes = 0;

  constructor(list: List) {
    this.#list = list;
  }

  /**
   * Number of cached pages.
   * @internal exported for the test that pages are dropped, which no answer shows
   */
  get size(): number {
    return this.#pages.size;
  }

  /** The page for a query: as `takePage`, without a shift. */
  take(query: ListQuery): CachedPage {
    const key = keyOf(query);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = new CachedPage(takePage(this.#list, query));
    // The key has parts of the request.
    this.#add(detachString(key), page);
    return page;
  }

  #add(key: string, page: CachedPage): void {
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
function sizeOf(key: string, { content }: CachedPage): number {
  return overhead + key.length + content.json.length + overheadPerRow * content.count;
}

/**
 * Everything that a page depends on. Texts that a client sent follow their length, so that different queries have
 * different keys. JSON would take as long as the rest of the work for a short page.
 */
function keyOf({ anchor, position, pageSize, from, to, filters, pathParameters }: ListQuery): string {
  let key = `${anchor} ${position} ${pageSize}`;
  if (from) key += ` from ${from.ms} ${sized(from.rest)}`;
  if (to) key += ` to ${to.ms} ${sized(to.rest)}`;
  for (const { field, value } of filters) key += ` ${sized(field)} ${sized(value)}`;
  for (const value of pathParameters) key += ` / ${sized(value)}`;
  return key;
}

function sized(text: string): string {
  return `${text.length}:${text}`;
}
