import { sameFilters } from "../lists/cursor.js";
import { detachString } from "../lists/detach-string.js";
import { type EnvelopeContent, isAscii } from "../lists/envelope.js";
import type { List } from "../lists/list.js";
import { type Page, takePage } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";

/** What the kept pages of a list may take, in bytes by estimate: some fifty pages of a hundred rows. */
const mostBytes = 1024 * 1024;

/** Bytes that a page takes besides its key, its rows and their ordinals. */
const constant = 600;
const perRow = 8;

/** A page that was made lately. Its number is that of the query that it was made for, which need not be that of others. */
export class CachedPage {
  /** Whether its rows are ASCII, so that they have as many bytes as characters. */
  readonly ascii: boolean;
  /** What a body is made of. Whoever keeps it does not keep the ordinals of the rows. */
  readonly content: EnvelopeContent;
  /** Where the next page begins: `Page.next`. */
  readonly next: number | undefined;
  #issued:
    | (Pick<ListQuery, "clientId" | "page" | "sent"> & { readonly cursor: string; readonly now: number })
    | undefined;

  constructor({ json, count, pageSize, total, next }: Page) {
    this.content = { json, count, pageSize, total };
    this.next = next;
    this.ascii = isAscii(json);
  }

  /**
   * The cursor that was issued last, where one that is issued now would hold the same: it is for the same client, walk and page, and in
   * the same millisecond. Bounds and filters of one page may have been sent in other words, which a cursor remembers.
   * @param now milliseconds since the epoch
   */
  cursorFor({ clientId, page, sent }: ListQuery, now: number): string | undefined {
    const issued = this.#issued;
    if (issued?.now !== now) return undefined;
    const same = issued.clientId === clientId && issued.page === page && sameFilters(issued.sent, sent);
    return same ? issued.cursor : undefined;
  }

  /** Remembers a cursor that is issued now. */
  issued(cursor: string, { clientId, page, sent }: ListQuery, now: number): void {
    this.#issued = { cursor, clientId, page, sent, now };
  }
}

/**
 * The pages of a list that were made lately. What is on a page depends on its query alone, and tests ask for the same few pages over
 * and over; to write a hundred rows costs more than everything else that is done for a request.
 */
export class PageCache {
  readonly #list: List;
  readonly #pages = new Map<string, CachedPage>();
  #bytes = 0;

  constructor(list: List) {
    this.#list = list;
  }

  /** How many pages are kept. */
  get size(): number {
    return this.#pages.size;
  }

  /** The page that a query asks for: as `takePage`, without a shift. */
  take(query: ListQuery): CachedPage {
    const key = keyOf(query);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = new CachedPage(takePage(this.#list, query));
    // The key is put together from parts of the request.
    this.#remember(detachString(key), page);
    return page;
  }

  #remember(key: string, page: CachedPage): void {
    this.#pages.set(key, page);
    this.#bytes += sizeOf(key, page);
    for (const [oldest, known] of this.#pages) {
      if (this.#bytes <= mostBytes) break;
      this.#pages.delete(oldest);
      this.#bytes -= sizeOf(oldest, known);
    }
  }
}

/** An empty page takes room as well: whoever asks again and again for what is new gets one each time. */
function sizeOf(key: string, { content }: CachedPage): number {
  return constant + key.length + content.json.length + perRow * content.count;
}

/**
 * All that a page depends on, but its number. Texts that a client sent stand behind their length, so that none can pass for another; as
 * JSON, they would take as long as all the rest of a short page.
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
