import { isNewestFirst, orderOf, parseQuery } from "../../../../sandbox/journal/query.js";
import { ApiError, get, type JournalPage } from "../api.js";
import { type Rows, rowsOf, withMore, withNewest } from "./rows.js";

/** How many entries a page has. */
const pageSize = 100;

/** How many a page has when all of them are fetched. */
const largestPage = 1000;

/** The minimum time between two requests, in milliseconds: a user cannot read faster updates. */
const restTime = 200;

/** How long to wait after a failure, in milliseconds. */
const retryTime = 2000;

/** After a slow answer, the next request waits this many times its duration: the sandbox has other work. */
const restFactor = 8;

/** What can be fetched; what is further back includes what is before it. */
const order = ["nothing", "news", "newest", "all"] as const;
type Wanted = (typeof order)[number];

/** Receives the answers. */
export interface ReaderListener {
  /** Whether no row may move: then new entries wait. */
  isHeld(): boolean;
  /** The rows, and the page with the numbers. */
  show(rows: Rows, page: JournalPage): void;
  /** @param newer those newer than the list */
  wait(newer: JournalPage): void;
}

/** Fetches the entries of the list from the journal: one request at a time, at a limited rate. */
export class JournalReader {
  rows: Rows;
  readonly #listener: ReaderListener;
  #query = "";
  /** Entries up to this one are hidden in this browser. */
  #after = 0;
  /** What to fetch next. */
  #next: Wanted = "nothing";
  #isAsking = false;
  #notBefore = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The next page, while it is fetched: whether it was added. */
  #more: Promise<boolean> | undefined;
  /** Increases with every new query: answers to earlier ones are dropped. */
  #round = 0;

  constructor(rows: Rows, listener: ReaderListener) {
    this.rows = rows;
    this.#listener = listener;
  }

  /** Starts another query at once. */
  ask(query: string, after: number): void {
    this.#query = query;
    this.#after = after;
    this.#round += 1;
    this.#notBefore = 0;
    this.#want("all");
  }

  /** There are new entries. */
  news(): void {
    this.#want("news");
  }

  /** Shows the newest entries, even if the list is held. */
  bring(): void {
    this.#notBefore = 0;
    this.#want("newest");
  }

  /**
   * Adds the next page, unless one is being fetched.
   * @returns whether it was added
   */
  more(size = pageSize): Promise<boolean> {
    this.#more ??= this.#addPage(size).finally(() => {
      this.#more = undefined;
    });
    return this.#more;
  }

  /** Adds all further pages, also those of rows that have replaced the present ones meanwhile. */
  async rest(): Promise<void> {
    for (let before: string | undefined; this.rows.cursor !== before; ) {
      before = this.rows.cursor;
      await this.more(largestPage);
    }
  }

  async #addPage(size: number): Promise<boolean> {
    const { cursor, run } = this.rows;
    if (cursor === undefined) return false;
    const round = this.#round;
    try {
      const page = await this.#page({ cursor, pageSize: String(size) });
      // Meanwhile the list may have been replaced.
      if (round !== this.#round || this.rows.cursor !== cursor || page.run !== run) return false;
      this.#show(withMore(this.rows, page), page);
      return true;
    } catch (error) {
      ignoreRefusal(error);
      return false;
    }
  }

  #want(what: Wanted): void {
    if (order.indexOf(what) > order.indexOf(this.#next)) this.#next = what;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isAsking || this.#next === "nothing") return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#askOnce(), Math.max(this.#notBefore - performance.now(), 0));
  }

  async #askOnce(): Promise<void> {
    const what = this.#next;
    const round = this.#round;
    this.#next = "nothing";
    this.#isAsking = true;
    const begun = performance.now();
    try {
      await this.#answer(what, round);
      const now = performance.now();
      this.#notBefore = round === this.#round ? now + Math.max(restTime, restFactor * (now - begun)) : 0;
    } catch (error) {
      ignoreRefusal(error);
      this.#notBefore = round === this.#round ? performance.now() + retryTime : 0;
      // The same again: news alone would mix the rows of two queries.
      if (round === this.#round && order.indexOf(what) > order.indexOf(this.#next)) this.#next = what;
    } finally {
      this.#isAsking = false;
      this.#schedule();
    }
  }

  async #answer(what: Wanted, round: number): Promise<void> {
    // A list that is sorted otherwise would move at any place.
    const isSorted = !isNewestFirst(orderOf(parseQuery(this.#query)));
    const newest = this.rows.items.reduce((most, { order }) => Math.max(most, order), this.#after);
    const waits = (page: JournalPage) =>
      what === "news" &&
      (isSorted || this.#listener.isHeld()) &&
      this.rows.items.length > 0 &&
      page.run === this.rows.run;
    if (what === "news" && (isSorted || this.#listener.isHeld())) {
      const newer = await this.#page({ pageSize: "1", after: String(newest) });
      if (round !== this.#round) return;
      if (waits(newer)) return this.#listener.wait(newer);
    }
    const page = await this.#page({});
    if (round !== this.#round) return;
    // Meanwhile the user has pointed at a row.
    if (waits(page)) return this.#want("news");
    this.#show(what === "all" || isSorted ? rowsOf(page) : withNewest(this.rows, page), page);
  }

  #show(rows: Rows, page: JournalPage): void {
    this.rows = rows;
    this.#listener.show(rows, page);
  }

  #page(more: Readonly<Record<string, string>>): Promise<JournalPage> {
    const query = new URLSearchParams({
      ...(this.#query === "" ? {} : { q: this.#query }),
      ...(this.#after === 0 ? {} : { after: String(this.#after) }),
      pageSize: String(pageSize),
      ...more,
    });
    return get<JournalPage>(`/journal?${query}`);
  }
}

/** The stream shows that the sandbox cannot be reached. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof TypeError || error instanceof ApiError)) throw error;
}
