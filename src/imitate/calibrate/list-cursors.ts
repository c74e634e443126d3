import { type ListAsker, neverIssued, pageIn, type Query, type Sequence } from "./list-asker.js";
import { type DateFacts, inFormat, past } from "./list-dates.js";
import { cursorNamesOf, withShown } from "./list-names.js";
import { tellingSize } from "./list-sizes.js";
import { cursorInLink, cursorOf, goesOn, idOf, isLink, isOtherPage, numbersInLink, type Page } from "./page.js";
import { altered } from "./probe.js";

/** What is known about the cursors of a list. */
export interface CursorFacts {
  readonly name: string | undefined;
  /** A cursor that the service has issued, by itself or in a link. */
  readonly cursor: string | undefined;
  /** The page after the first, if it was seen while the name was searched. */
  readonly second: Page | undefined;
  /** Whether it is the id of the last row. */
  readonly isRow: boolean;
}

/** Finds the parameter of the cursor: with a cursor, with the id of a row, or with one that was never issued. */
export function* findCursor(asker: ListAsker, first: Page): Sequence<CursorFacts> {
  const issuing = asker.pages.find(({ page }) => cursorOf(page) !== undefined)?.page;
  const cursor = cursorOf(issuing);
  const hint = cursorInLink(issuing?.cursor ?? "")?.name ?? (issuing ?? first).cursorPath?.at(-1);
  const names = withShown(cursorNamesOf(asker.list), hint === undefined ? [] : [hint]);
  if (cursor !== undefined) {
    for (const [place, each] of names.entries()) {
      const seen = yield* asker.ask(`cursor.${place}`, "with the cursor of another page", { [each]: cursor });
      const page = pageIn(seen);
      const isOther = isOtherPage(page, issuing ?? first) && !asker.isRandom;
      if (isOther) return { name: each, cursor, second: cursor === cursorOf(first) ? page : undefined, isRow: false };
    }
  }
  const row = idOf(first.items.at(-1));
  if (cursor === undefined && goesOn(first) && row !== undefined) {
    for (const name of names) {
      const seen = yield* asker.ask(`cursor-row.${name}`, `with the id of the last row as ${name}`, {
        [name]: row,
      });
      const page = pageIn(seen);
      if (isOtherPage(page, first) && !asker.isRandom)
        return { name, cursor: undefined, second: undefined, isRow: true };
    }
  }
  // If a cursor leads nowhere, one name is enough to see whether a wrong cursor is refused.
  for (const name of cursor === undefined ? names : names.slice(0, 1)) {
    const query = { [name]: neverIssued };
    const seen = yield* asker.ask(`cursor-bad.${name}`, `with a ${name} that was never issued`, query);
    if (asker.isRefusedAsKnown(seen)) return { name, cursor, second: undefined, isRow: false };
  }
  return { name: undefined, cursor, second: undefined, isRow: false };
}

/** Usual names of the number of a page, and of the number of rows before it. */
const numberNames = ["page", "offset", "_page"] as const;

/** What is known about pages with numbers. */
export interface NumberFacts {
  /** The parameter with the number of a page, or of the rows before it. */
  readonly numberName: string | undefined;
  /** Whether a page with rows follows the first one, although nothing on that shows it. */
  readonly isFollowed: boolean;
}

/** Finds out whether pages have numbers, by the link to the next page or by usual names. The sandbox has cursors only. */
export function* findNumber(asker: ListAsker, first: Page, { name, cursor }: CursorFacts): Sequence<NumberFacts> {
  const [linked] = numbersInLink(first);
  if (linked !== undefined) return { numberName: linked, isFollowed: false };
  const isNumbered = name === undefined && cursor === undefined && first.items.length > 0 && !asker.isRandom;
  for (const each of isNumbered ? numberNames : []) {
    const number = each === "offset" ? String(first.items.length) : "2";
    const page = pageIn(yield* asker.ask(`number.${each}`, `with ${each}`, { [each]: number }));
    if (page !== undefined && (page.items.length < first.items.length || isOtherPage(page, first)))
      return { numberName: each, isFollowed: page.items.length > 0 && isOtherPage(page, first) };
  }
  return { numberName: undefined, isFollowed: false };
}

/** Requests with a cursor that a service refuses, or not. */
export function* probeCursor(
  asker: ListAsker,
  first: Page,
  { name, cursor, isRow }: CursorFacts,
  sizeName: string | undefined,
  dates: DateFacts | undefined,
): Sequence<void> {
  if (name === undefined) {
    const [usual] = cursorNamesOf(asker.list);
    yield* asker.ask("cursor-empty", "with an empty cursor", { [usual]: "" });
    return;
  }
  if (isRow) yield* asker.ask(`cursor-bad.${name}`, `with a ${name} that was never issued`, { [name]: neverIssued });
  if (cursor !== undefined) yield* asker.ask("cursor-tampered", "with an altered cursor", { [name]: altered(cursor) });
  yield* asker.ask("cursor-empty", "with an empty cursor", { [name]: "" });
  if (cursor !== undefined && sizeName !== undefined) {
    const size = String(tellingSize(first, asker) || 1);
    const query = { [name]: cursor, [sizeName]: size };
    yield* asker.ask("cursor-other-size", "with the cursor and another page size", query);
  }
  if (dates !== undefined && cursor !== undefined) {
    const query = { [name]: cursor, [dates.from]: inFormat(dates, past) };
    yield* asker.ask("cursor-other-filter", "with the cursor and a date that its request did not have", query);
  }
}

/** Most pages of a walk, and most rows of a page if a list is walked with a larger page size. */
const mostPages = 6;
const mostRowsOfPage = 100;

/**
 * Walks to the last page: with the usual page size, and if that takes too many requests, with a larger one.
 * @param largest the largest page size that was accepted
 * @returns the number of rows; undefined if the last page was not reached
 */
export function* walkToEnd(
  asker: ListAsker,
  first: Page,
  cursor: CursorFacts,
  size: { readonly name: string; readonly largest: number } | undefined,
): Sequence<number | undefined> {
  const count = yield* walk(asker, "page", first, cursor, {});
  if (size === undefined || count !== undefined) return count;
  const large = Math.min(size.largest, mostRowsOfPage);
  if (large <= first.items.length) return undefined;
  const query = { [size.name]: String(large) };
  const start = pageIn(yield* asker.ask("large.1", "with a large page size", query));
  if (start === undefined) return undefined;
  return yield* walk(asker, "large", start, { ...cursor, second: undefined }, query);
}

function* walk(
  asker: ListAsker,
  what: string,
  start: Page,
  { name, second }: CursorFacts,
  query: Query,
): Sequence<number | undefined> {
  let page = start;
  let count = page.items.length;
  for (let number = 2; number <= mostPages; number += 1) {
    if (!goesOn(page)) return count;
    const says = `the next page, number ${number}`;
    const [cursor, link] = [cursorOf(page), linkBelow(asker.list.target, page)];
    let next: Page | undefined;
    if (number === 2 && second !== undefined) next = second;
    else if (cursor !== undefined && name !== undefined)
      next = pageIn(yield* asker.ask(`${what}.${number}`, says, { ...query, [name]: cursor }));
    else if (cursor === undefined && link !== undefined)
      next = pageIn(yield* asker.ask(`${what}.${number}`, says, {}, { path: link }));
    // The same page again: the walk would have no end.
    if (!isOtherPage(next, page)) return undefined;
    page = next;
    count += page.items.length;
  }
  return goesOn(page) ? undefined : count;
}

/** The link to the next page as a path below the base URL; undefined if it leads somewhere else. */
function linkBelow(target: string, { cursor }: Page): string | undefined {
  if (cursor === undefined || !isLink(cursor)) return undefined;
  const { pathname, search } = new URL(cursor, `https://host${target}`);
  return pathname.endsWith(target) && search !== "" ? `${target}${search}` : undefined;
}
