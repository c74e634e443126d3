import type { CursorPayload } from "../lists/cursor.js";
import type { List } from "../lists/list.js";
import { type Page, rowsOf, takePage, withRows } from "../lists/page.js";
import { continuation, type ListQuery } from "../lists/query.js";
import type { PageFault } from "./definition.js";

/** A page as a fault makes it, and whether it differs from the correct page. */
export interface FaultyPage {
  readonly page: Page;
  readonly acted: boolean;
}

/** The page of a query under a fault. */
export function takeFaultyPage(list: List, query: ListQuery, fault: PageFault): FaultyPage {
  const { insert = 0, remove = 0, duplicate, empty, deadEnd, rows } = fault;
  const page = takePage(list, query);
  if (empty) return { page: { ...withRows(page, []), ordinals: [], next: query.position }, acted: true };
  if (deadEnd) {
    // The empty page after it has no cursor: otherwise a walk would not end.
    const acted = page.next === undefined && page.count > 0;
    return { page: acted ? { ...page, next: list.dataset.count } : page, acted };
  }
  if (duplicate !== undefined) return duplicateRows(list, query, Math.min(duplicate, Math.floor(query.pageSize / 2)));
  if (rows !== undefined && rows < page.count) {
    const short = takePage(list, { ...query, pageSize: rows });
    return { page: { ...short, pageSize: query.pageSize }, acted: true };
  }
  const shifted = takePage(list, query, remove - insert);
  return { page: shifted, acted: shifted.ordinals[0] !== page.ordinals[0] };
}

/**
 * What the cursor of a page holds under a fault that leads in a circle.
 * @param sent the cursor that the request sent
 */
export function circularCursor(
  query: ListQuery,
  sent: string | undefined,
  leadsTo: "same" | "first",
  now: number,
): string | CursorPayload {
  // The same text again, so that a client can notice.
  if (leadsTo === "same" && sent !== undefined) return sent;
  return { ...continuation(query, 0, now), page: 1 };
}

/** The page keeps its size, so the last rows move to the next page. */
function duplicateRows(list: List, query: ListQuery, duplicate: number): FaultyPage {
  const page = takePage(list, { ...query, pageSize: query.pageSize - duplicate });
  const rows = rowsOf(list, query, page);
  const repeated = rows.slice(0, duplicate).flatMap((row) => [row, row]);
  return {
    page: { ...withRows(page, [...repeated, ...rows.slice(duplicate)]), pageSize: query.pageSize },
    acted: repeated.length > 0,
  };
}
