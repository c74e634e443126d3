import type { DatasetView } from "./dataset.js";
import type { EnvelopeContent } from "./envelope.js";
import type { List } from "./list.js";
import type { ListQuery } from "./query.js";
import { everyRow, noRow, type Selection } from "./selection.js";

/** One page of a walk. */
export interface Page extends EnvelopeContent {
  /** Ordinals of the rows: their places among all rows of the list, in the order of the walk. */
  readonly ordinals: readonly number[];
  /** Where the next page begins: the ordinal of the next matching row. `undefined` if there is none. */
  readonly next: number | undefined;
}

/**
 * The page that a query requests. Its cost depends on its rows, not on their place in the list. `boundFilterWork`
 * bounds the cost of several filters.
 *
 * @param shift number of matching rows by which the page begins later than the cursor says (as if rows were removed
 * during the walk: some are missed) or, if negative, earlier (as if rows were inserted: some are repeated). The page
 * stays within the result.
 */
export function takePage(list: List, query: ListQuery, shift = 0): Page {
  const view = viewOf(list, query);
  const { start, end } = view.within(query.from, query.to);
  const result = matching(view, query, list.dataset.count);
  const { driver } = result;
  const first = driver.rank(start);
  const last = driver.rank(end);
  let place = Math.min(Math.max(driver.rank(Math.min(query.position, list.dataset.count)), first), last);
  if (shift !== 0) place = shifted(result, place, shift, first, last);
  const ordinals: number[] = [];
  let next: number | undefined;
  for (; place < last; place += 1) {
    const ordinal = driver.at(place);
    if (!inAll(result.others, ordinal)) continue;
    if (ordinals.length === query.pageSize) {
      next = ordinal;
      break;
    }
    ordinals.push(ordinal);
  }
  return {
    pageSize: query.pageSize,
    count: ordinals.length,
    total: list.envelope.needsTotal ? total(result, first, last) : undefined,
    ordinals,
    next,
    json: view.rows(ordinals).join(","),
  };
}

/** The JSON text of each row of a page, for a fault that changes rows. */
export function rowsOf(list: List, query: ListQuery, page: Page): string[] {
  return viewOf(list, query).rows(page.ordinals);
}

/** A page with other rows. */
export function withRows(page: Page, rows: readonly string[]): Page {
  return { ...page, json: rows.join(","), count: rows.length };
}

function viewOf(list: List, query: ListQuery): DatasetView {
  return list.dataset.view(query.anchor, query.pathParameters);
}

/**
 * The rows that are in the driver and in all the others. The driver is the smallest set, so that the fewest rows are
 * examined.
 */
interface Result {
  readonly driver: Selection;
  readonly others: readonly Selection[];
}

function matching(view: DatasetView, query: ListQuery, count: number): Result {
  if (query.filters.length === 0) return { driver: everyRow(count), others: [] };
  const values = new Map<string, string>();
  for (const { field, value } of query.filters) {
    const known = values.get(field);
    // No row has two values of one field.
    if (known !== undefined && known !== value) return { driver: noRow, others: [] };
    values.set(field, value);
  }
  const [driver, ...others] = [...values]
    .map(([field, value]) => view.having(field, value))
    .sort((a, b) => a.size - b.size) as [Selection, ...Selection[]];
  return { driver, others };
}

function inAll(selections: readonly Selection[], ordinal: number): boolean {
  return selections.every((selection) => selection.has(ordinal));
}

function shifted({ driver, others }: Result, place: number, shift: number, first: number, last: number): number {
  const step = shift < 0 ? -1 : 1;
  let left = Math.abs(shift);
  let at = place;
  while (left > 0 && (step < 0 ? at > first : at < last)) {
    // A step back passes the row before the place, a step forward the row at it.
    if (inAll(others, driver.at(step < 0 ? at - 1 : at))) left -= 1;
    at += step;
  }
  return at;
}

function total({ driver, others }: Result, first: number, last: number): number {
  if (others.length === 0) return last - first;
  let count = 0;
  for (let place = first; place < last; place += 1) {
    if (inAll(others, driver.at(place))) count += 1;
  }
  return count;
}
