import type { SentFilters } from "../lists/cursor.js";
import { isAscii } from "../lists/envelope.js";
import type { List } from "../lists/list.js";
import { type Page, takePage } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";

/** Characters of rows that are kept for each list: some sixty pages of a hundred rows. */
const mostCharacters = 1024 * 1024;

/** A page that was made lately. Its number is that of the query that it was made for, which need not be that of others. */
export class KnownPage {
  /** Whether its rows are ASCII, so that they have as many bytes as characters. */
  readonly ascii: boolean;
  #cursor = "";
  #issuedAt = Number.NaN;
  #clientId = "";
  #number = 0;
  #sent: SentFilters = [];

  constructor(readonly page: Page) {
    this.ascii = isAscii(page.json);
  }

  /**
   * The cursor that was issued last, where one that is issued now would hold the same: it is for the same client, walk and page, and in
   * the same millisecond.
   * @param now milliseconds since the epoch
   */
  cursorFor({ clientId, page, sent }: ListQuery, now: number): string | undefined {
    const same = this.#issuedAt === now && this.#clientId === clientId && this.#number === page;
    return same && haveSameFilters(this.#sent, sent) ? this.#cursor : undefined;
  }

  /** Remembers a cursor that is issued now. */
  issued(cursor: string, { clientId, page, sent }: ListQuery, now: number): void {
    this.#cursor = cursor;
    this.#issuedAt = now;
    this.#clientId = clientId;
    this.#number = page;
    this.#sent = sent;
  }
}

/**
 * The pages of a list that were made lately. What is on a page depends on its query alone, and tests ask for the same few pages over
 * and over; to write a hundred rows costs more than everything else that is done for a request.
 */
export class PageMemory {
  readonly #list: List;
  readonly #pages = new Map<string, KnownPage>();
  #characters = 0;

  constructor(list: List) {
    this.#list = list;
  }

  /** The page that a query asks for: as `takePage`, without a shift. */
  take(query: ListQuery): KnownPage {
    const key = keyOf(query);
    const known = this.#pages.get(key);
    if (known) return known;
    const page = new KnownPage(takePage(this.#list, query));
    this.#remember(key, page);
    return page;
  }

  #remember(key: string, known: KnownPage): void {
    this.#pages.set(key, known);
    this.#characters += known.page.json.length;
    for (const [oldest, { page }] of this.#pages) {
      if (this.#characters <= mostCharacters) break;
      this.#pages.delete(oldest);
      this.#characters -= page.json.length;
    }
  }
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

/** Bounds and filters of one page may have been sent in other words, which a cursor remembers. */
function haveSameFilters(some: SentFilters, others: SentFilters): boolean {
  return (
    some.length === others.length &&
    some.every(([parameter, text], place) => parameter === others[place]?.[0] && text === others[place]?.[1])
  );
}
