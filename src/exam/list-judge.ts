import { Finding } from "./finding.js";
import { type Judge, remember } from "./judge.js";
import { type ExchangeObservation, isAfter, type PageObservation, type RefusedAt } from "./observation.js";

/**
 * So many cursors of a client are remembered. About a cursor that is forgotten, nothing is decided.
 * @internal exported for tests
 */
export const mostCursors = 256;

/** A cursor that was answered well so often in one walk leads in a circle when it is sent once more. */
const mostReads = 2;

interface KnownCursor {
  readonly list: string;
  /** When it was first given to the client; undefined where that was not seen. */
  givenAt: number | undefined;
  /** How many walks may share it: at a frozen clock, walks side by side are given the same cursors. */
  walks: number;
  /** How often it was answered well in the walk. */
  reads: number;
  walk: number;
}

/** Checks `list.*`: how a client walks lists. */
export class ListJudge implements Judge {
  readonly #filters = new Finding("list.filters");
  readonly #cursor = new Finding("list.cursor");
  readonly #restart = new Finding("list.restart");
  readonly #pageSize = new Finding("list.page-size");
  readonly #emptyPage = new Finding("list.empty-page");
  readonly #loop = new Finding("list.loop");
  readonly #known = new Map<string, KnownCursor>();
  readonly #refused = new Map<string, RefusedAt>();
  /** Cursors of empty pages that were not sent yet, and the exchanges that they came with. */
  readonly #pending = new Map<string, number>();
  /** How many walks were started, by list. */
  readonly #walks = new Map<string, number>();

  exchange(observed: ExchangeObservation): void {
    const { page, list } = observed;
    if (page === undefined || list === undefined) return;
    this.#judgeRefusal(observed, page);
    if (page.cursor === undefined) this.#walks.set(list, (this.#walks.get(list) ?? 0) + 1);
    else this.#judgeCursor(observed, page.cursor, list);
    if (observed.ending === "delivered") this.#readAnswer(observed, page, list);
  }

  findings(): readonly Finding[] {
    return [this.#filters, this.#cursor, this.#restart, this.#pageSize, this.#empty(), this.#loop];
  }

  giveUp(): void {
    this.#pending.clear();
  }

  #judgeRefusal({ id, refusal, releasedAt }: ExchangeObservation, page: PageObservation): void {
    const kind = refusal?.kind === "list" ? refusal.code : undefined;
    if (kind === "INVALID_PAGE_SIZE")
      this.#pageSize.fail("A list request was refused because of its page size (INVALID_PAGE_SIZE).", [id]);
    // The page size is judged before everything else.
    else if (page.understood || kind !== undefined) this.#pageSize.exercise(id);
    if (page.cursor === undefined) return;
    if (kind === "CURSOR_FILTERS_CHANGED")
      this.#filters.fail("The filters beside a cursor were others than those of its walk (CURSOR_FILTERS_CHANGED).", [
        id,
      ]);
    else if (page.understood) this.#filters.exercise(id);
    if (kind === "INVALID_CURSOR") {
      if (!this.#isOldByMovedClock(page, releasedAt))
        this.#cursor.fail("A cursor was sent that the sandbox did not give out like this (INVALID_CURSOR).", [id]);
    } else if (page.understood || kind === "CURSOR_FILTERS_CHANGED") this.#cursor.exercise(id);
  }

  /** Ages are judged by elapsed real time: a clock that was moved is the sandbox's doing. */
  #isOldByMovedClock({ cursor, aged }: PageObservation, now: number): boolean {
    if (aged === undefined || cursor === undefined) return false;
    const givenAt = this.#known.get(cursor)?.givenAt;
    return givenAt === undefined || now - givenAt < aged;
  }

  #judgeCursor(observed: ExchangeObservation, cursor: string, list: string): void {
    const { id } = observed;
    const refused = this.#refused.get(cursor);
    if (refused !== undefined && isAfter(observed, refused))
      this.#restart.fail("A cursor was sent again after it had been refused.", [refused.id, id]);
    const empty = this.#pending.get(cursor);
    if (empty !== undefined) {
      this.#pending.delete(cursor);
      this.#emptyPage.exercise(empty);
    }
    const known = this.#known.get(cursor);
    if (known === undefined) return;
    const walk = this.#walks.get(list) ?? 0;
    if (known.walk !== walk) {
      known.walk = walk;
      known.reads = 0;
    }
    if (known.reads >= mostReads * Math.max(1, known.walks))
      this.#loop.fail("A cursor that had been answered well was sent a third time in one walk.", [id]);
  }

  #readAnswer(observed: ExchangeObservation, page: PageObservation, list: string): void {
    const { id, code, connection, releasedAt, overAt } = observed;
    const { cursor, rows, next } = page;
    if (cursor !== undefined && (code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED")) {
      this.#restart.exercise(id);
      if (!this.#refused.has(cursor))
        remember(this.#refused, cursor, { id, connection, releasedAt, overAt }, mostCursors);
    }
    if (rows === undefined) return;
    if (cursor !== undefined) {
      this.#loop.exercise(id);
      this.#cursorFacts(cursor, list).reads += 1;
    }
    if (next === undefined) return;
    const given = this.#cursorFacts(next, list);
    // A cursor that leads in a circle is given again by its own walk.
    const before = cursor === undefined ? undefined : this.#known.get(cursor);
    given.walks = cursor === undefined ? given.walks + 1 : Math.max(given.walks, before?.walks ?? 1);
    given.givenAt ??= releasedAt;
    if (rows === 0) remember(this.#pending, next, id, mostCursors);
  }

  #cursorFacts(cursor: string, list: string): KnownCursor {
    let known = this.#known.get(cursor);
    if (known === undefined) {
      known = { list, givenAt: undefined, walks: 0, reads: 0, walk: this.#walks.get(list) ?? 0 };
      remember(this.#known, cursor, known, mostCursors);
    }
    return known;
  }

  #empty(): Finding {
    const finding = new Finding("list.empty-page");
    finding.add(this.#emptyPage);
    for (const id of this.#pending.values())
      finding.fail("A page without rows had a cursor, and that cursor was never sent.", [id]);
    return finding;
  }
}
