import { render } from "preact";
import { thousands } from "../../../base/text/numbers.js";
import { parseQuery, sortingOf } from "../../../sandbox/journal/query.js";
import type { JournalPage } from "../view/data.js";
import { type OutcomeChoice, outcomeIn } from "../view/query-text.js";
import { newCount, shownCount } from "../view/search.js";
import { ListLine } from "../view/shell.js";
import { byId, keepFocus } from "./dom.js";
import { hiddenUpTo } from "./hidden.js";

/** The numbers above the list: how many entries match, by outcome, and how many wait. */
export class Numbers {
  /** Whether a screen reader reads the next numbers, because the user has changed the query. */
  #isAwaited = false;

  /** Another query starts. */
  ask(query: string): void {
    this.#isAwaited = true;
    const chosen = outcomeIn(query);
    for (const button of outcomeButtons())
      button.setAttribute("aria-pressed", String(button.dataset["outcome"] === chosen));
  }

  /** @param waiting the entries that are newer than the list; undefined if there are none */
  show(query: string, page: JournalPage, waiting: JournalPage | undefined): void {
    for (const button of outcomeButtons()) {
      const count = button.querySelector(".count");
      if (count) count.textContent = thousands(page.counts[button.dataset["outcome"] as OutcomeChoice]);
    }
    const count = shownCount(page.total, page.kept);
    const state = {
      count,
      waiting: waiting && newCount(waiting.total, waiting.counts, outcomeIn(query)),
      isHiding: hiddenUpTo(page.run) > 0,
      sorting: sortingOf(parseQuery(query)),
    };
    const line = byId("list-state");
    keepFocus(line, byId("list"), () => render(<ListLine {...state} />, line));
    if (this.#isAwaited) byId("announcement").textContent = `${count} requests`;
    this.#isAwaited = false;
  }
}

function outcomeButtons(): Iterable<HTMLElement> {
  return document.querySelectorAll<HTMLElement>("[data-outcome]");
}
