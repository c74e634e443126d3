import { forgetOldest, remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation, PageObservation } from "./observation.js";
import { requestOf } from "./same-request.js";

/** How many unfinished walks, lost pages and pages of a client are remembered. A forgotten one is not judged. */
const most = 128;

/** If a walk is begun again this many times in a row after a refusal of its cursor, it has no limit. */
const tooManyBeginnings = 6;

/** The checks of a client that has finished. */
const finishedOnly = ["list.complete", "list.lost-page", "list.begun-again"] as const;

/** What a walk has to do next. */
interface Unfinished {
  /** The walk: its path and its filters. */
  readonly walk: string;
  /** The exchange that says so. */
  readonly id: number;
}

/** How often a walk was begun again, and why. */
interface Beginnings {
  readonly count: number;
  /** The refusal after which it has to begin again. */
  readonly refused: number | undefined;
}

/** What is pending: each counts as a failure if the client says that it has finished. */
interface Pending {
  /** By the cursor of a page: none of the cursors that it was delivered with was sent yet. */
  readonly cursors: Map<string, Unfinished>;
  /** By method and target: requested, and never delivered. */
  readonly pages: Map<string, Unfinished>;
  /** By walk: the refusal of its cursor, after which it was not begun again. */
  readonly refused: Map<string, Unfinished>;
}

/**
 * Checks `list.complete`, `list.lost-page`, `list.begun-again` and `list.restarts`: whether a walk comes to its end.
 * The first three are judged only if the client has finished: one that reports an error may leave a walk at any page.
 */
export class WalkJudge implements Judge {
  private readonly complete = new Finding("list.complete");
  private readonly lost = new Finding("list.lost-page");
  private readonly begunAgain = new Finding("list.begun-again");
  private readonly restarts = new Finding("list.restarts");
  private readonly pending: Pending = { cursors: new Map(), pages: new Map(), refused: new Map() };
  /** Every cursor that was delivered, with what it came with, and the cursor of its page. */
  private readonly given = new Map<string, Unfinished & { readonly page: string | undefined }>();
  /** Every cursor that was sent: one that leads in a circle needs not be sent again. */
  private readonly sent = new Set<string>();
  /** Every page, by its cursor, from which a walk went on. */
  private readonly continued = new Set<string>();
  /** When a page was last delivered, by method and target. */
  private readonly delivered = new Map<string, number>();
  private readonly beginnings = new Map<string, Beginnings>();

  exchange(observed: ExchangeObservation): void {
    const { page } = observed;
    // HEAD has no rows.
    if (page === undefined || observed.method !== "GET") return;
    if (page.cursor === undefined) this.#begin(observed, page);
    else this.#follow(page.cursor);
    // An error that was provoked on purpose needs no continuation.
    if (observed.expected !== undefined) return;
    if (isRefusedCursor(observed)) this.#refuse(observed, page);
    else this.#readPage(observed, page);
  }

  findings(isFinished: boolean): readonly Finding[] {
    if (!isFinished) return [...finishedOnly.map((id) => new Finding(id)), this.restarts];
    const { cursors, pages, refused } = this.pending;
    // Whatever else is wrong with a walk explains that its last cursor was not sent.
    const explained = new Set([...pages.values(), ...refused.values()].map(({ walk }) => walk));
    const left = [...cursors.values()].filter(({ walk }) => !explained.has(walk));
    return [
      this.complete.withPending(ids(left), "A walk ended although its last page had a cursor, which was never sent."),
      this.lost.withPending(ids(pages.values()), "A page of a list failed, and was never delivered."),
      this.begunAgain.withPending(
        ids(refused.values()),
        "A cursor was refused, and the list was never begun again with the same filters.",
      ),
      this.restarts,
    ];
  }

  giveUp(): void {
    for (const map of Object.values(this.pending)) map.clear();
  }

  #begin({ id }: ExchangeObservation, { walk }: PageObservation): void {
    const refused = this.pending.refused.get(walk);
    if (refused !== undefined) this.begunAgain.exercise(refused.id);
    this.pending.refused.delete(walk);
    const { count = 0, refused: after } = this.beginnings.get(walk) ?? {};
    if (after === undefined) return;
    this.restarts.exercise(id);
    if (count + 1 >= tooManyBeginnings)
      this.restarts.fail(`A walk was begun again ${count + 1} times in a row after its cursor was refused.`, [
        after,
        id,
      ]);
    remember(this.beginnings, walk, { count: count + 1, refused: undefined }, most);
  }

  #follow(cursor: string): void {
    this.sent.add(cursor);
    forgetOldest(this.sent, most);
    const page = this.given.get(cursor)?.page;
    if (page === undefined) return;
    const pending = this.pending.cursors.get(page);
    if (pending !== undefined) this.complete.exercise(pending.id);
    this.pending.cursors.delete(page);
    this.continued.add(page);
    forgetOldest(this.continued, most);
  }

  #refuse({ id }: ExchangeObservation, { walk: asked, cursor }: PageObservation): void {
    // The filters of the walk, if they are not those of the request. What is no cursor of a walk has none to begin
    // again.
    const walk = cursor === undefined ? asked : this.given.get(cursor)?.walk;
    if (walk === undefined) return;
    const count = this.beginnings.get(walk)?.count ?? 0;
    remember(this.beginnings, walk, { count, refused: id }, most);
    if (cursor !== undefined) remember(this.pending.refused, walk, { walk, id }, most);
  }

  #readPage(observed: ExchangeObservation, page: PageObservation): void {
    const { id, arrivedAt, releasedAt } = observed;
    const key = requestOf(observed);
    const isPage = observed.ending === "delivered" && page.rows !== undefined;
    if (isPage) {
      const lost = this.pending.pages.get(key);
      if (lost !== undefined) this.lost.exercise(lost.id);
      this.pending.pages.delete(key);
      remember(this.delivered, key, releasedAt, most);
      if (page.cursor === undefined) this.#forgetPages(page.walk);
      this.#give(observed, page);
      return;
    }
    // What was delivered meanwhile was asked for twice, or given up before.
    if (!isLost(observed) || (this.delivered.get(key) ?? Number.NEGATIVE_INFINITY) >= arrivedAt) return;
    remember(this.pending.pages, key, { walk: page.walk, id }, most);
  }

  /** A walk that begins again reads everything again. */
  #forgetPages(walk: string): void {
    for (const [key, lost] of this.pending.pages)
      if (lost.walk === walk) {
        this.lost.exercise(lost.id);
        this.pending.pages.delete(key);
      }
  }

  #give({ id }: ExchangeObservation, { walk, cursor, next, rows }: PageObservation): void {
    if (next === undefined) {
      this.beginnings.delete(walk);
      return;
    }
    remember(this.given, next, { walk, id, page: cursor }, most);
    // A client may read the first page only. `list.empty-page` and `list.loop` judge the others. A client that lost a
    // page requests it again, and gets another cursor.
    const isJudged = cursor !== undefined && rows !== 0 && !this.sent.has(next) && !this.continued.has(cursor);
    if (isJudged) remember(this.pending.cursors, cursor, { walk, id }, most);
  }
}

/**
 * Whether a page is missing that a repetition could bring. A refusal that is permanent is for the outcome of a drill.
 */
function isLost({ ending, status }: ExchangeObservation): boolean {
  // An answer with 2xx is something else than a page here, such as a page of HTML.
  return ending !== "delivered" || status < 400 || status >= 500 || [401, 408, 429].includes(status);
}

function isRefusedCursor({ ending, code }: ExchangeObservation): boolean {
  return ending === "delivered" && (code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED");
}

function ids(unfinished: Iterable<Unfinished>): readonly number[] {
  return [...unfinished].map(({ id }) => id);
}
