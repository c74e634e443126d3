import type { List } from "../lists/list.js";
import { type Page, takePage } from "../lists/page.js";
import type { ListQuery } from "../lists/query.js";

/** Characters of rows that are kept for each list: some sixty pages of a hundred rows. */
const mostCharacters = 1024 * 1024;

/**
 * The pages of a list that were made lately. What is on a page depends on its query alone, and tests ask for the same few pages over
 * and over; to write a hundred rows costs more than everything else that is done for a request.
 */
export class PageMemory {
  readonly #list: List;
  readonly #pages = new Map<string, Page>();
  #characters = 0;

  constructor(list: List) {
    this.#list = list;
  }

  /** The page that a query asks for: as `takePage`, without a shift. */
  take(query: ListQuery): Page {
    const key = keyOf(query);
    const known = this.#pages.get(key);
    if (known) return { ...known, number: query.page };
    const page = takePage(this.#list, query);
    this.#remember(key, page);
    return page;
  }

  #remember(key: string, page: Page): void {
    this.#pages.set(key, page);
    this.#characters += page.json.length;
    for (const [oldest, { json }] of this.#pages) {
      if (this.#characters <= mostCharacters) break;
      this.#pages.delete(oldest);
      this.#characters -= json.length;
    }
  }
}

/** All that a page depends on, but its number. Texts that a client sent stand in JSON, so that none can pass for another. */
function keyOf({ anchor, position, pageSize, from, to, filters, pathParameters }: ListQuery): string {
  const place = `${anchor} ${position} ${pageSize}`;
  if (!from && !to && filters.length === 0 && pathParameters.length === 0) return place;
  const conditions = filters.flatMap(({ field, value }) => [field, value]);
  return place + JSON.stringify([from?.ms, from?.rest, to?.ms, to?.rest, conditions, pathParameters]);
}
