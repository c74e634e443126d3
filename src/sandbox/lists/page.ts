import type { DatasetView, OrdinalRange, RowTest } from "./dataset.js";
import type { EnvelopeContent } from "./envelope.js";
import { type List, mostExamined } from "./list.js";
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

/**
 * The page that a query requests. Rows are examined in their order until the page is full. If the filters match so few
 * rows that `mostExamined` are not enough, the page has fewer rows than requested, and its cursor goes on from there. A
 * total needs all rows, each once; a generated list with a total and filters has no more than `mostExamined`.
 *
 * @param shift number of matching rows by which the page begins later than the cursor says (as if rows were removed
 *   during the walk: some are missed) or, if negative, earlier (as if rows were inserted: some are repeated). The page
 *   stays within the result.
 */
export function takePage(list: List, query: ListQuery, shift = 0): Page {
  const view = viewOf(list, query);
  const matches = testOf(view, query);
  const range = matches ? view.within(query.from, query.to) : nothing;
  const test = matches ?? never;
  const begin = shifted(test, range, Math.min(Math.max(query.position, range.start), range.end), shift);
  const ordinals: number[] = [];
  const counts = list.envelope.needsTotal && query.filters.length > 0;
  const examined = counts ? range : { start: begin, end: Math.min(range.end, begin + mostExamined) };
  let next: number | undefined;
  let matching = 0;
  for (let ordinal = examined.start; ordinal < examined.end; ordinal += 1) {
    if (!test(ordinal)) continue;
    matching += 1;
    if (ordinal < begin) continue;
    if (ordinals.length < query.pageSize) ordinals.push(ordinal);
    else {
      next ??= ordinal;
      if (!counts) break;
    }
  }
  if (examined.end < range.end) next ??= examined.end;
  return {
    pageSize: query.pageSize,
    page: query.page,
    count: ordinals.length,
    total: list.envelope.needsTotal ? (counts ? matching : range.end - range.start) : undefined,
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
function testOf(view: DatasetView, { filters }: ListQuery): RowTest | undefined {
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
