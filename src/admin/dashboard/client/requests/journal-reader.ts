import { isNewestFirst, orderOf, parseQuery } from "../../../../sandbox/journal/query.js";
import { ApiError, get, type JournalPage } from "../api.js";
import type { Rows } from "./rows.js";

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

/** Receives the answers. */
export interface ReaderListener {
  /** Whether the list must not move: then new entries are counted, and not shown. */
  isHeld(): boolean;
  /**
   * The numbers have changed, and the rows as well unless entries wait.
   * @param waiting those newer than the list
   */
  changed(page: JournalPage, waiting: JournalPage | undefined): void;
}

/** Fetches the entries of the list from the journal: one request at a time, at a limited rate. */
export class JournalReader {
  readonly #rows: Rows;
  readonly #listener: ReaderListener;
  #query = "";
  /** Entries up to this one are hidden in this browser. */
  #after = 0;
  /** What to fetch next. */
  #next: "nothing" | "news" | "newest" | "all" = "nothing";
  #isAsking = false;
  #notBefore = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The next page, while it is fetched: whether it was added. */
  #more: Promise<boolean> | undefined;
  /** Increases with every new query: answers to earlier ones are dropped. */
  #round = 0;

  constructor(rows: Rows, listener: ReaderListener) {
    this.#rows = rows;
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

  /** Adds all further pages. */
  async rest(): Promise<void> {
    while (await this.more(largestPage));
  }

  async #addPage(size: number): Promise<boolean> {
    const { cursor } = this.#rows;
    if (cursor === undefined) return false;
    const round = this.#round;
    try {
      const page = await this.#page({ cursor, pageSize: String(size) });
      // Meanwhile the list may have been replaced.
      if (round !== this.#round || this.#rows.cursor !== cursor) return false;
      this.#rows.append(page);
      this.#listener.changed(page, undefined);
      return true;
    } catch (error) {
      ignoreRefusal(error);
      return false;
    }
  }

  #want(what: "news" | "newest" | "all"): void {
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

  async #answer(what: "nothing" | "news" | "newest" | "all", round: number): Promise<void> {
    const { newest } = this.#rows;
    // A list that is sorted otherwise would move at any place.
    const isSorted = !isNewestFirst(orderOf(parseQuery(this.#query)));
    const isHeld = () => (isSorted || this.#listener.isHeld()) && newest > 0;
    if (what === "news" && isHeld()) {
      const [page, waiting] = await Promise.all([
        this.#page({ pageSize: "1" }),
        this.#page({ pageSize: "1", after: String(Math.max(newest, this.#after)) }),
      ]);
      if (round !== this.#round) return;
      // After a restart of the sandbox, the list is replaced even if it is held.
      if (page.run === this.#rows.run) return this.#listener.changed(page, waiting);
    }
    const page = await this.#page({});
    if (round !== this.#round) return;
    if (what === "all" || isSorted) this.#rows.replace(page);
    else if (what === "news" && isHeld() && page.run === this.#rows.run) {
      // Meanwhile the user has pointed at a row.
      return this.#want("news");
    } else this.#rows.renew(page);
    this.#listener.changed(page, undefined);
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
