import { type Sorting, termText } from "../../../sandbox/journal/query.js";
import type { JournalPage } from "../view/data.js";
import { requestsHash } from "../view/parts.js";
import { type OutcomeChoice, withTerms } from "../view/query-text.js";
import { AllHidden, type ConnectionState, NothingFound } from "../view/shell.js";
import { get, remove } from "./api.js";
import { DetailPanel } from "./detail-panel.js";
import { byId, keepFocus, type Paint } from "./dom.js";
import { download } from "./download.js";
import { Feed, type News } from "./feed.js";
import { FirstSteps } from "./first-steps.js";
import { hiddenUpTo, hideUpTo, onHidden } from "./hidden.js";
import { JournalReader } from "./journal-reader.js";
import { distanceOf, toTheEnd } from "./list-keys.js";
import { OverviewReader } from "./overview-reader.js";
import { RequestList } from "./request-list.js";
import { beside, go, type Route, routeOf } from "./router.js";
import { ofRow, Rows, rowKey } from "./rows.js";
import { SearchField } from "./search-field.js";
import { seenValues } from "./seen.js";
import type { Store } from "./store.js";
import { Toolbar } from "./toolbar.js";

/** How long a hidden page continues to follow the journal, in milliseconds. */
const hiddenTime = 60_000;

/** The page of requests: query, overview, list and details. It keeps them up to date. */
export class RequestsView {
  readonly list: RequestList;
  readonly #rows = new Rows(document.body.dataset["run"]);
  readonly #reader: JournalReader;
  readonly #search: SearchField;
  readonly #overview: OverviewReader;
  readonly #toolbar: Toolbar;
  readonly detail: DetailPanel;
  readonly #feed = new Feed((news) => this.#onNews(news));
  readonly #store: Store;
  readonly #paint: Paint;
  readonly #say: (text: string) => void;
  #query: string | undefined;
  #isTyping = false;
  #page: JournalPage | undefined;
  /** The entries that are newer than the list while it is held. */
  #waiting: JournalPage | undefined;
  #paused = false;
  #connection: ConnectionState = "connecting";
  readonly #firstSteps = new FirstSteps(() => this.#showEmpty());

  constructor(store: Store, paint: Paint, say: (text: string) => void) {
    this.#store = store;
    this.#paint = paint;
    this.#toolbar = new Toolbar(paint);
    this.#say = say;
    this.list = new RequestList(this.#rows, {
      more: () => void this.#reader.more(),
      moved: () => {
        if (this.#waiting && !this.#isHeld) this.#reader.bring();
      },
    });
    this.#reader = new JournalReader(this.#rows, {
      isHeld: () => this.#isHeld,
      changed: (page, waiting) => this.#onPage(page, waiting),
    });
    this.#overview = new OverviewReader(
      paint,
      (from, to) => this.#look(withTerms(this.query, ["from", "to"], [termText("from", from), termText("to", to)])),
      () => !document.hidden && !byId("requests").hidden,
    );
    this.#search = new SearchField({
      query: (text, isTyping) => {
        this.#look(text, this.#isTyping);
        this.#isTyping = isTyping;
      },
      seen: (key) => seenValues(key, this.#rows.entries, this.#overview.shown),
      leave: () => byId("list").focus(),
    });
    this.detail = new DetailPanel(this.#rows, store, paint, (key) => this.list.mark(key));
    byId("list").addEventListener("click", ({ target, ctrlKey, metaKey }) => {
      const row = (target as Element).closest(".row");
      if (!row) return;
      if (ctrlKey || metaKey) this.detail.compareWith(row.id);
      else this.#choose(row.id);
    });
    byId("list").addEventListener("keydown", (event) => this.#onKey(event));
    byId<HTMLDialogElement>("emptying").addEventListener("close", ({ target }) => {
      if ((target as HTMLDialogElement).returnValue === "empty")
        void remove("/requests").catch((error) => say(String(error)));
      // The browser restores the focus, but not to an element that no longer exists.
      if (document.activeElement === document.body) byId("query").focus();
    });
    onHidden(() => this.#askAgain());
  }

  start(): void {
    this.#feed.follow();
    let timer: ReturnType<typeof setTimeout> | undefined;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => this.#feed.rest(), hiddenTime);
      else {
        this.#feed.follow();
        this.#reader.news();
      }
    });
  }

  /** Writes everything again, because the zone of its instants has changed. */
  repaint(): void {
    this.list.show();
    this.detail.repaint();
    this.#overview.repaint();
  }

  /** The text of the current query. */
  get query(): string {
    return this.#query ?? "";
  }

  /** Shows the query and the entry of an address. */
  async arrive({ parts, query: asked, run = this.#rows.run }: Route): Promise<void> {
    const [first = ""] = parts;
    const chosen = /^[rh]\d{1,15}$/.test(first) ? first : undefined;
    // A link to a request does not change the query.
    const query = asked ?? (chosen === undefined ? "" : this.query);
    byId("nav-requests").setAttribute("href", requestsHash(query));
    const key = chosen === undefined ? undefined : rowKey(chosen, run, this.#rows.run);
    this.list.choose(key);
    if (query !== this.#query) {
      this.#query = query;
      this.#search.show(query);
      this.#toolbar.ask(query);
      this.list.scrollToTop();
      this.#askAgain();
    }
    await this.detail.show(key, parts.slice(1));
  }

  /** Shows another tab of the details. */
  showTab(tab: string): void {
    const { parts } = routeOf(location.hash);
    go(beside("requests", parts[0] ?? "", ...(tab === "why" ? [] : [tab])), true);
  }

  /** Downloads the entries that match the query. */
  export(format: string): void {
    download(`/journal/export?${new URLSearchParams({ format, ...(this.query !== "" && { q: this.query }) })}`);
  }

  /** Closes the details. */
  close(): void {
    // When the field loses the focus, a query that is being typed becomes part of the address, but not yet of `query`.
    byId("list").focus();
    go(requestsHash(routeOf(location.hash).query ?? this.query));
  }

  showAll(): void {
    this.#look("");
    this.#search.focus();
  }

  chooseOutcome(outcome: OutcomeChoice): void {
    this.#look(withTerms(this.#search.text, ["outcome"], outcome === "all" ? [] : [termText("outcome", outcome)]));
  }

  sortBy(sorting: Sorting): void {
    const terms = sorting === "time" ? [] : [termText("sort", sorting)];
    this.#look(withTerms(this.#search.text, ["sort"], terms));
  }

  showAllTimes(): void {
    this.#look(withTerms(this.query, ["from", "to"], []));
    this.#search.focus();
  }

  pause(paused: boolean): void {
    this.#paused = paused;
    this.#toolbar.pause(paused);
    this.#showConnection();
    if (!paused) this.#reader.bring();
  }

  /** Shows the entries that have arrived while the list was held. */
  bring(): void {
    this.list.scrollToTop();
    byId("list").focus();
    this.#reader.bring();
  }

  /** Hides all present entries, in this browser. */
  async hide(): Promise<void> {
    const { run, items } = await get<JournalPage>("/journal?pageSize=1");
    hideUpTo(run, items[0]?.order ?? 0);
    this.#askAgain();
  }

  showAgain(): void {
    hideUpTo(this.#rows.run ?? "", 0);
    byId("list").focus();
    this.#askAgain();
  }

  /** Asks for confirmation before the journal is emptied for all users. */
  empty(): void {
    const dialog = byId<HTMLDialogElement>("emptying");
    dialog.returnValue = "";
    dialog.showModal();
  }

  get #isHeld(): boolean {
    return this.#paused || this.list.isHeld;
  }

  /**
   * Goes to the address of another query; the choice stays.
   * @param replace leaves the current address out of the history
   */
  #look(query: string, replace = false): void {
    const chosen = this.list.chosen;
    const { key, run } = chosen === undefined ? { key: undefined, run: undefined } : ofRow(chosen, this.#rows.run);
    go(requestsHash(query, key, run, this.detail.tab), replace);
  }

  #choose(row: string): void {
    const { key, run } = ofRow(row, this.#rows.run);
    go(requestsHash(this.query, key, run, this.detail.tab), !byId("detail").hidden);
  }

  #askAgain(): void {
    this.#waiting = undefined;
    const after = hiddenUpTo(this.#rows.run);
    this.#reader.ask(this.query, after);
    this.#overview.ask(this.query, after);
  }

  #onNews(news: News): void {
    if (news.kind === "connection") {
      this.#connection = news.state;
      this.#showConnection();
    } else if (news.kind === "cleared") {
      this.#rows.clear();
      this.list.show();
      this.#askAgain();
      this.#say("The journal was emptied.");
    } else if (!document.hidden) this.#reader.news();
  }

  #onPage(page: JournalPage, waiting: JournalPage | undefined): void {
    if (this.#page && this.#page.run !== page.run) this.#onRestart(this.#page.run);
    this.#page = page;
    this.#waiting = waiting && waiting.total > 0 ? waiting : undefined;
    if (!waiting) this.list.show();
    this.#toolbar.show(this.query, page, this.#waiting);
    this.#showEmpty();
  }

  /** The chosen entry belongs to the previous start of the sandbox. Its number now belongs to another request. */
  #onRestart(before: string): void {
    const { chosen } = this.list;
    if (chosen !== undefined) {
      const key = rowKey(chosen, before, this.#rows.run);
      this.list.choose(key);
      this.detail.keepAs(key);
    }
    byId("announcement").textContent = "The sandbox was started again.";
    // The hidden entries had numbers of the previous start.
    this.#askAgain();
  }

  #showEmpty(): void {
    const empty = byId("empty");
    const isEmpty = this.#rows.items.length === 0;
    const content =
      this.query !== "" ? <NothingFound /> : hiddenUpTo(this.#rows.run) > 0 ? <AllHidden /> : this.#firstSteps.show();
    keepFocus(empty, byId("query"), () => {
      empty.hidden = !isEmpty;
      if (isEmpty) this.#paint(content, empty);
    });
  }

  #showConnection(): void {
    const before = this.#store.state.connection;
    const connection = this.#paused && this.#connection !== "lost" ? "paused" : this.#connection;
    if (before === connection) return;
    this.#store.set({ connection });
    if (connection === "lost") byId("announcement").textContent = "The sandbox cannot be reached.";
    else if (before === "lost") byId("announcement").textContent = "The sandbox can be reached again.";
  }

  async #move(distance: number): Promise<void> {
    const { chosen } = this.list;
    if (distance === toTheEnd) await this.#reader.rest();
    // The user may have moved on meanwhile.
    if (this.list.chosen !== chosen) return;
    const row = this.list.neighbour(distance);
    if (row !== undefined) this.#choose(row);
  }

  #onKey(event: KeyboardEvent): void {
    const distance = distanceOf(event.key);
    if (distance !== undefined) {
      event.preventDefault();
      void this.#move(distance);
    } else if (event.key === "Enter" || event.key === "ArrowRight") byId("detail").focus();
  }
}
