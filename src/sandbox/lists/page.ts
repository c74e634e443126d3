import type { DatasetView, OrdinalRange, RowTest } from "./dataset.js";
import type { EnvelopeContent } from "./envelope.js";
import type { List } from "./list.js";
import type { ListQuery } from "./query.js";

/** One page of a walk. */
export interface Page extends EnvelopeContent {
  /** Ordinals of the rows: their places among all rows of the list, in the order of the walk. */
  readonly ordinals: readonly number[];
  /**
   * Where the next page begins: the ordinal of the next matching row, or of the first one that was not examined.
   * `undefined` if there is none.
   */
  readonly next: number | undefined;
}

/** Rows that a page examines at most, in each direction. They take about 50 ms. */
const mostExamined = 1_000_000;

/**
 * The page that a query requests. Rows are examined in their order until the page is full. If the filters match so few
 * rows that `mostExamined` are not enough, the page has fewer rows than requested, and its cursor goes on from there.
 *
 * @param shift number of matching rows by which the page begins later than the cursor says (as if rows were removed
 *   during the walk: some are missed) or, if negative, earlier (as if rows were inserted: some are repeated). The page
 *   stays within the result.
 */
export function takePage(list: List, query: ListQuery, shift = 0): Page {
  const view = viewOf(list, query);
  const matches = matching(view, query);
  const range = matches ? view.within(query.from, query.to) : nothing;
  const test = matches ?? never;
  const begin = shifted(test, range, Math.min(Math.max(query.position, range.start), range.end), shift);
  const ordinals: number[] = [];
  const bound = Math.min(range.end, begin + mostExamined);
  let next = bound < range.end ? bound : undefined;
  for (let ordinal = begin; ordinal < bound; ordinal += 1) {
    if (!test(ordinal)) continue;
    if (ordinals.length === query.pageSize) {
      next = ordinal;
      break;
    }
    ordinals.push(ordinal);
  }
  return {
    pageSize: query.pageSize,
    count: ordinals.length,
    total: list.envelope.needsTotal ? total(test, range, query) : undefined,
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

const nothing: OrdinalRange = { start: 0, end: 0 };
const never: RowTest = () => false;

/** Whether a row has the values of all filters. Undefined if no row can. */
function matching(view: DatasetView, { filters }: ListQuery): RowTest | undefined {
  const tests: RowTest[] = [];
  for (const { field, value } of filters) {
    const test = view.having(field, value);
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return (ordinal) => tests.every((test) => test(ordinal));
}

/** The ordinal that is as many matching rows later, or earlier if the number is negative. */
function shifted(matches: RowTest, { start, end }: OrdinalRange, from: number, by: number): number {
  const step = by < 0 ? -1 : 1;
  const last = by < 0 ? Math.max(start, from - mostExamined) : Math.min(end, from + mostExamined);
  let left = Math.abs(by);
  let at = from;
  while (left > 0 && at !== last) {
    // A step back passes the row before the place, a step forward the row at it.
    if (matches(step < 0 ? at - 1 : at)) left -= 1;
    at += step;
  }
  return at;
}

function total(matches: RowTest, { start, end }: OrdinalRange, { filters }: ListQuery): number {
  if (filters.length === 0) return end - start;
  let count = 0;
  for (let ordinal = start; ordinal < end; ordinal += 1) if (matches(ordinal)) count += 1;
  return count;
}
