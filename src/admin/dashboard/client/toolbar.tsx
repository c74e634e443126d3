import { parseQuery, sortingOf } from "../../../sandbox/journal/query.js";
import type { JournalPage } from "../view/data.js";
import { outcomeIn } from "../view/query-text.js";
import { newCount, SearchTools, shownCount } from "../view/search.js";
import { ListLine } from "../view/shell.js";
import { byId, keepFocus, type Paint } from "./dom.js";
import { hiddenUpTo } from "./hidden.js";

/** What is above the list: the tools, and how many entries match, by outcome, and how many wait. */
export class Toolbar {
  readonly #paint: Paint;
  #query = "";
  #page: JournalPage | undefined;
  #isPaused = false;
  /** Whether a screen reader reads the next numbers, because the user has changed the query. */
  #isAwaited = false;

  constructor(paint: Paint) {
    this.#paint = paint;
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
  }

  /** Another query starts. */
  ask(query: string): void {
    this.#isAwaited = true;
    this.#query = query;
    this.#show();
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#show();
  }

  /** @param waiting the entries that are newer than the list; undefined if there are none */
  show(query: string, page: JournalPage, waiting: JournalPage | undefined): void {
    this.#query = query;
    this.#page = page;
    this.#show();
    const count = shownCount(page.total, page.kept);
    const line = byId("list-state");
    keepFocus(line, byId("list"), () =>
      this.#paint(
        <ListLine
          count={count}
          waiting={waiting && newCount(waiting.total, waiting.counts, outcomeIn(query))}
          isHiding={hiddenUpTo(page.run) > 0}
          sorting={sortingOf(parseQuery(query))}
        />,
        line,
      ),
    );
    if (this.#isAwaited) byId("announcement").textContent = `${count} requests`;
    this.#isAwaited = false;
  }

  #show(): void {
    this.#paint(
      <SearchTools outcome={outcomeIn(this.#query)} counts={this.#page?.counts} isPaused={this.#isPaused} />,
      byId("filter"),
    );
  }
}
