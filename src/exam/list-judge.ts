import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation, PageObservation } from "./observation.js";
import { type Answered, answeredBy, isSentAfter, type Sent } from "./sending.js";

/**
 * How many cursors of a client are remembered. A forgotten cursor is not judged.
 * @internal exported for tests of the bound
 */
export const mostCursors = 256;

/** How many places of walks are remembered that were answered successfully. */
const mostPlaces = 256;

/** If a place was answered successfully this many times in one walk, another request for it is a loop. */
const mostReads = 2;

/** One walk, or several that cannot be distinguished: at a stopped clock, walks get the same cursors. */
interface Walk {
  readonly number: number;
  /** The number of walks. */
  count: number;
}

interface KnownCursor {
  walk: Walk;
  /** When the client first got it; undefined if that was not observed. */
  readonly givenAt: number | undefined;
  /** Where it leads, once it was sent: a unique text if the sandbox does not know. */
  place: string | undefined;
}

/** How often a place was answered successfully, and the newest exchanges. */
interface Reads {
  readonly count: number;
  readonly newest: readonly number[];
}

/** Checks `list.*`: how a client walks lists. */
export class ListJudge implements Judge {
  private readonly filters = new Finding("list.filters");
  private readonly cursor = new Finding("list.cursor");
  private readonly restart = new Finding("list.restart");
  private readonly pageSize = new Finding("list.page-size");
  private readonly emptyPage = new Finding("list.empty-page");
  private readonly loop = new Finding("list.loop");
  private readonly known = new Map<string, KnownCursor>();
  private readonly refused = new Map<string, Answered>();
  /** Cursors of empty pages that were not sent yet, and the exchanges that they came with. */
  private readonly pending = new Map<string, number>();
  /** Successful answers, by walk and place. */
  private readonly reads = new Map<string, Reads>();
  private walks = 0;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    const { page } = observed;
    if (page === undefined) return;
    this.#judgeRefusal(observed, page);
    if (page.cursor !== undefined) this.#judgeCursor(observed, sent, page.cursor, page.place);
    if (observed.ending === "delivered") this.#readAnswer(observed, page);
  }

  findings(): readonly Finding[] {
    const pending = this.pending.values();
    const emptyPage = this.emptyPage.withPending(
      pending,
      "A page without rows had a cursor, and that cursor was never sent.",
    );
    return [this.filters, this.cursor, this.restart, this.pageSize, emptyPage, this.loop];
  }

  giveUp(): void {
    this.pending.clear();
  }

  #judgeRefusal({ id, refusal, releasedAt }: ExchangeObservation, page: PageObservation): void {
    const kind = refusal?.kind === "list" ? refusal.code : undefined;
    if (kind === "INVALID_PAGE_SIZE")
      this.pageSize.fail("A list request was refused because of its page size (INVALID_PAGE_SIZE).", [id]);
    // The page size is judged before everything else.
    else if (page.understood || kind !== undefined) this.pageSize.exercise(id);
    if (page.cursor === undefined) return;
    if (kind === "CURSOR_FILTERS_CHANGED")
      this.filters.fail("The filters sent with a cursor differ from those of its walk (CURSOR_FILTERS_CHANGED).", [id]);
    else if (page.understood) this.filters.exercise(id);
    if (kind === "INVALID_CURSOR") {
      if (!this.#isOldByMovedClock(page, releasedAt))
        this.cursor.fail("A cursor was sent that the sandbox did not issue in this form (INVALID_CURSOR).", [id]);
    } else if (page.understood || kind === "CURSOR_FILTERS_CHANGED") this.cursor.exercise(id);
  }

  /** Ages are judged by elapsed real time: the sandbox, not the client, moved the clock. */
  #isOldByMovedClock({ cursor, aged }: PageObservation, now: number): boolean {
    if (aged === undefined || cursor === undefined) return false;
    const givenAt = this.known.get(cursor)?.givenAt;
    return givenAt === undefined || now - givenAt < aged;
  }

  #judgeCursor(observed: ExchangeObservation, sent: Sent, cursor: string, place: string | undefined): void {
    const { id } = observed;
    const known = this.known.get(cursor);
    const refused = this.refused.get(cursor);
    // If several walks cannot be distinguished, another one may send the cursor for the first time.
    const isOfOne = known === undefined || known.walk.count === 1;
    if (refused !== undefined && isOfOne) {
      const isAgain = isSentAfter(observed, sent, refused);
      if (isAgain) this.restart.fail("A cursor was sent again after it had been refused.", [refused.id, id]);
      else if (isAgain === undefined) this.restart.withdraw(refused.id);
    }
    const empty = this.pending.get(cursor);
    if (empty !== undefined) {
      this.pending.delete(cursor);
      this.emptyPage.exercise(empty);
    }
    if (known === undefined) return;
    known.place ??= place;
    const reads = this.reads.get(keyOf(known));
    if (reads !== undefined && reads.count >= mostReads * known.walk.count)
      this.loop.fail(
        "The same place of a list was requested a third time in one walk, although it had been answered successfully.",
        [...reads.newest, id],
      );
  }

  #readAnswer(observed: ExchangeObservation, page: PageObservation): void {
    const { id, code } = observed;
    const { cursor, rows, next } = page;
    const isRefusal = code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED";
    if (isRefusal && cursor !== undefined && !this.refused.has(cursor)) {
      this.restart.exercise(id);
      remember(this.refused, cursor, answeredBy(observed), mostCursors);
    }
    if (rows === undefined) return;
    const walk = cursor === undefined ? undefined : this.#readPage(id, cursor, page.place);
    if (next !== undefined) this.#give(next, walk, observed, rows);
  }

  /**
   * Notes that a cursor was answered successfully.
   * @returns its walk
   */
  #readPage(id: number, cursor: string, place: string | undefined): Walk {
    this.loop.exercise(id);
    let known = this.known.get(cursor);
    if (known === undefined) {
      known = { walk: this.#newWalk(), givenAt: undefined, place };
      remember(this.known, cursor, known, mostCursors);
    }
    known.place ??= place ?? cursor;
    const key = keyOf(known);
    const { count = 0, newest = [] } = this.reads.get(key) ?? {};
    remember(this.reads, key, { count: count + 1, newest: [...newest, id].slice(-mostReads) }, mostPlaces);
    return known.walk;
  }

  /**
   * Notes that a page with a cursor was delivered.
   * @param walk undefined if the page began one
   */
  #give(next: string, walk: Walk | undefined, { id, releasedAt }: ExchangeObservation, rows: number): void {
    // At a stopped clock, a walk that starts again gets the same cursor, and may send it.
    this.refused.delete(next);
    const known = this.known.get(next);
    if (known === undefined) {
      const given = { walk: walk ?? this.#newWalk(), givenAt: releasedAt, place: undefined };
      remember(this.known, next, given, mostCursors);
    } else if (walk === undefined) known.walk.count += 1;
    else if (known.walk !== walk) this.#join(known.walk, walk);
    // A cursor that leads in a circle was sent before.
    if (rows === 0 && known?.place === undefined) remember(this.pending, next, id, mostCursors);
  }

  /** From here on, two walks cannot be distinguished. */
  #join(walk: Walk, other: Walk): void {
    walk.count += other.count;
    for (const known of this.known.values()) if (known.walk === other) known.walk = walk;
  }

  #newWalk(): Walk {
    this.walks += 1;
    return { number: this.walks, count: 1 };
  }
}

function keyOf({ walk, place }: KnownCursor): string {
  return `${walk.number} ${place}`;
}
