import { forgetOldest, remember } from "../../base/remember.js";
import type { ExchangeObservation, PageObservation } from "../observation.js";
import { requestOf } from "./same-request.js";

/**
 * How many cursors, and how many unfinished walks and lost pages, of a client are remembered. A forgotten one is not
 * judged.
 */
export const mostCursors = 256;

/** One walk, or several that cannot be distinguished: at a stopped clock, walks get the same cursors. */
export interface Walk {
  readonly number: number;
  /** The number of walks. */
  count: number;
}

/** A cursor that was delivered. */
export interface GivenCursor {
  walk: Walk;
  /** When the client got it last. */
  givenAt: number;
  /** Where it leads, once it was sent: a unique text if the sandbox does not know. */
  place: string | undefined;
  /** The path and the filters of its walk. */
  readonly filters: string;
  /** The cursor of the page that it came with: undefined for a first page. */
  page: string | undefined;
  /** Whether it came in a next link without the filters of the walk. */
  readonly losesFilters: boolean;
  /** The number of its page in the walk: the first one has 0. */
  readonly depth: number;
}

/** What a walk has to do next. */
export interface Unfinished {
  /** The walk: its path and its filters. */
  readonly walk: string;
  /** The exchange that says so. */
  readonly id: number;
}

/**
 * The walks of a client through lists. A walk is the chain of its cursors: a page may be read again, by the same worker
 * or another one, as long as the chain goes on from one of its readings.
 */
export class Walks {
  private readonly given = new Map<string, GivenCursor>();
  private count = 0;
  /** By the cursor of a page: none of the cursors that it was delivered with was sent yet. */
  readonly cursors = new Map<string, Unfinished>();
  /** By method and target: requested, and never delivered. */
  readonly pages = new Map<string, Unfinished>();
  /** By walk: the refusal of its cursor, after which it was not begun again. */
  readonly refused = new Map<string, Unfinished>();
  /** Every cursor that was sent: one that leads in a circle needs not be sent again. */
  private readonly sent = new Set<string>();
  /** Every page, by its cursor, from which a walk went on. */
  private readonly continued = new Set<string>();
  /** When a page was last delivered, by method and target. */
  private readonly delivered = new Map<string, number>();
  /** The cursors of last pages of at least two, by walk: each is a walk that came to its end. */
  private readonly ends = new Map<string, readonly string[]>();

  /** What is known about a cursor; undefined if it was not delivered, or is forgotten. */
  of(cursor: string | undefined): GivenCursor | undefined {
    return cursor === undefined ? undefined : this.given.get(cursor);
  }

  /** How many walks came to their ends, by path and filters. */
  whole(): ReadonlyMap<string, number> {
    return new Map([...this.ends].map(([walk, cursors]) => [walk, cursors.length]));
  }

  /** Remembers an exchange that all checks have judged. */
  after(observed: ExchangeObservation): void {
    const { page } = observed;
    if (page === undefined) return;
    const { cursor } = page;
    const known = this.of(cursor);
    if (known !== undefined) known.place ??= page.place ?? (page.rows === undefined ? undefined : cursor);
    // HEAD has no rows.
    if (observed.method === "GET") this.#read(observed, page);
    if (observed.ending === "delivered" && page.rows !== undefined && page.next !== undefined)
      this.#give(page.next, observed, page, known);
  }

  giveUp(): void {
    for (const map of [this.cursors, this.pages, this.refused]) map.clear();
  }

  #read(observed: ExchangeObservation, page: PageObservation): void {
    const { id, arrivedAt, releasedAt, expected } = observed;
    const { cursor, walk } = page;
    if (cursor === undefined) this.refused.delete(walk);
    else this.#follow(cursor);
    // An error that was provoked on purpose needs no continuation.
    if (expected !== undefined) return;
    if (isRefusedCursor(observed)) {
      // What is no cursor of a walk has none to begin again.
      const own = this.of(cursor)?.filters;
      if (own !== undefined) remember(this.refused, own, { walk: own, id }, mostCursors);
      return;
    }
    const key = requestOf(observed);
    if (observed.ending === "delivered" && page.rows !== undefined) {
      this.pages.delete(key);
      remember(this.delivered, key, releasedAt, mostCursors);
      // A walk that begins again reads everything again.
      if (cursor === undefined)
        for (const [lost, { walk: its }] of this.pages) if (its === walk) this.pages.delete(lost);
      if (page.next === undefined) this.#end(page);
      return;
    }
    // What was delivered meanwhile was asked for twice, or given up before. A cursor leads to the same page each time.
    const deliveredAt = this.delivered.get(key);
    if (!isLost(observed) || (deliveredAt !== undefined && (cursor !== undefined || deliveredAt >= arrivedAt))) return;
    remember(this.pages, key, { walk, id }, mostCursors);
  }

  #end({ cursor, walk }: PageObservation): void {
    const known = this.ends.get(walk) ?? [];
    if (cursor === undefined || known.includes(cursor)) return;
    remember(this.ends, walk, [...known, cursor].slice(-mostCursors), mostCursors);
  }

  #follow(cursor: string): void {
    this.sent.add(cursor);
    forgetOldest(this.sent, mostCursors);
    const page = this.of(cursor)?.page;
    if (page === undefined) return;
    this.cursors.delete(page);
    this.continued.add(page);
    forgetOldest(this.continued, mostCursors);
  }

  #give(next: string, observed: ExchangeObservation, page: PageObservation, from: GivenCursor | undefined): void {
    const { id, releasedAt, expected } = observed;
    const { cursor, walk: filters, rows, losesFilters = false } = page;
    const known = this.given.get(next);
    if (known === undefined) {
      const walk = from?.walk ?? this.#newWalk();
      const depth = cursor === undefined ? 1 : (from?.depth ?? Number.NaN) + 1;
      const given = { walk, givenAt: releasedAt, place: undefined, filters, page: cursor, losesFilters, depth };
      remember(this.given, next, given, mostCursors);
    } else {
      known.givenAt = releasedAt;
      known.page = cursor;
      if (from === undefined) known.walk.count += 1;
      else if (known.walk !== from.walk) this.#join(known.walk, from.walk);
    }
    // A client may read the first page only. `list.empty-page` and `list.loop` judge the others. A client that lost a
    // page requests it again, and gets another cursor.
    const isJudged = cursor !== undefined && rows !== 0 && !this.sent.has(next) && !this.continued.has(cursor);
    if (isJudged && expected === undefined && observed.method === "GET")
      remember(this.cursors, cursor, { walk: filters, id }, mostCursors);
  }

  /** From here on, two walks cannot be distinguished. */
  #join(walk: Walk, other: Walk): void {
    walk.count += other.count;
    for (const known of this.given.values()) if (known.walk === other) known.walk = walk;
  }

  #newWalk(): Walk {
    this.count += 1;
    return { number: this.count, count: 1 };
  }
}

/**
 * Whether a page is missing that a repetition could bring. A refusal that is permanent is for the outcome of a drill.
 */
function isLost({ ending, status }: ExchangeObservation): boolean {
  // An answer with 2xx is something else than a page here, such as a page of HTML.
  return ending !== "delivered" || status < 400 || status >= 500 || [401, 408, 429].includes(status);
}

/** Whether the client got a refusal of a cursor (§7). */
export function isRefusedCursor({ ending, code }: ExchangeObservation): boolean {
  return ending === "delivered" && (code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED");
}
