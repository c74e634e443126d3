import {
  type CursorKeys,
  type CursorPayload,
  openCursor,
  type PageOfWalk,
  type SentFilters,
  sameFilters,
} from "./cursor.js";
import type { DatasetView } from "./dataset.js";
import { compareInstants, type Instant, justBefore } from "./instant.js";
import { type List, maximumPathParameterLength } from "./list.js";
import { parseDate, parseFilter, parsePageSize, type SentDate } from "./parameters.js";
import { bounded, type CursorDetail, type FilterChange, type ListProblem, type Parameters } from "./problems.js";

/** A request for a page of a list. */
export interface ListRequest {
  /** The query's parameters, decoded. */
  readonly parameters: Parameters;
  /** The client that the access token was issued for. */
  readonly clientId: string;
  /** Values of the path's parameters, decoded, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The client's clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly cursorKeys: CursorKeys;
  /** Where a cursor leads if the server moved it; undefined if it leads to where it says. */
  readonly movedTo?: ((cursor: string) => Pick<PageOfWalk, "position" | "page"> | undefined) | undefined;
}

/** A list request that was parsed and is consistent. */
export interface ListQuery extends PageOfWalk {
  /** Whether the page before had another size. */
  readonly pageSizeChanged: boolean;
  /** Whether the server moved its cursor, so that it leads elsewhere than when it was issued. */
  readonly isMoved?: boolean;
  /** Bounds of the date, inclusive. */
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  readonly filters: readonly ActiveFilter[];
  /** Filters with a value that no row of the list has: often a misspelt one. */
  readonly unmatched: readonly UnmatchedFilter[];
  /** Filters and bounds as they were sent: what the next request has to repeat. */
  readonly sent: SentFilters;
}

interface ActiveFilter {
  readonly field: string;
  readonly value: string;
}

export interface UnmatchedFilter {
  readonly parameter: string;
  readonly value: string;
  /** The values that rows have, if they are known. */
  readonly values: readonly string[];
}

export type ParsedQuery =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly problem: ListProblem };

/**
 * Reads the parameters of a list request (§7, §8) in this order: page size, dates, filters, cursor. The first problem
 * decides. It is returned; no input makes this function throw.
 */
export function parseListQuery(list: List, request: ListRequest): ParsedQuery {
  const { parameters, clientId, now } = request;
  const pageSize = parsePageSize(list, parameters);
  if (typeof pageSize !== "number") return refuse(pageSize);

  const from = parseDate("from", list, parameters);
  if (from && "code" in from) return refuse(from);
  const to = parseDate("to", list, parameters);
  if (to && "code" in to) return refuse(to);
  if (from && to && compareInstants(from.instant, to.instant) > 0) return refuse(fromAfterTo(from, to));

  const sent: (readonly [string, string])[] = [];
  if (from) sent.push([from.parameter, from.text]);
  if (to) sent.push([to.parameter, to.text]);
  const filters: ActiveFilter[] = [];
  for (const { parameter, field } of list.filters) {
    const value = parseFilter(parameter, parameters);
    if (value === undefined) continue;
    if (typeof value !== "string") return refuse(value);
    filters.push({ field, value });
    sent.push([parameter, value]);
  }

  const pathParameters: string[] = [];
  for (const name of list.pathParameters) {
    const value = request.pathParameters[name] as string;
    if (value.length > maximumPathParameterLength) return refuse(pathParameterTooLong(name, value));
    pathParameters.push(value);
    if (list.selectors.includes(name)) filters.push({ field: name, value });
  }

  const walk = readWalk(list, request, pathParameters, sent);
  if ("code" in walk) return refuse(walk);
  const anchor = walk.cursor?.anchor ?? list.dataset.anchorAt(now);
  return {
    ok: true,
    query: {
      list: list.name,
      clientId,
      pathParameters,
      pageSize,
      pageSizeChanged: walk.cursor !== undefined && walk.cursor.pageSize !== pageSize,
      isMoved: walk.isMoved,
      from: from?.instant,
      to: to && (list.dates.upper === "excluded" ? justBefore(to.instant) : to.instant),
      filters,
      unmatched: filters.length === 0 ? none : unmatchedOf(list, filters, list.dataset.view(anchor, pathParameters)),
      sent,
      anchor,
      position: walk.cursor?.position ?? 0,
      page: walk.cursor?.page ?? 1,
      begunAt: walk.cursor?.begunAt ?? now,
    },
  };
}

const none: readonly UnmatchedFilter[] = [];

function unmatchedOf(list: List, filters: readonly ActiveFilter[], rows: DatasetView): readonly UnmatchedFilter[] {
  return list.filters.flatMap(({ parameter, field, values = [] }) => {
    const value = filters.find((filter) => filter.field === field)?.value;
    if (value === undefined || rows.having(field, value) !== undefined) return none;
    return [{ parameter, value: value, values }];
  });
}

/**
 * What the cursor of the next page holds.
 * @param position where that page begins: `Page.next`; for a cursor after which no rows follow, `list.dataset.count`;
 *   for a page that is served again, its own position
 * @param now milliseconds since the epoch; each cursor has its own lifetime
 */
export function continuation(query: ListQuery, position: number, now: number): CursorPayload {
  const { list, clientId, pathParameters, page, sent, anchor, begunAt, pageSize } = query;
  const place = { position, page: page + 1, filters: sent, anchor };
  return { list, clientId, pathParameters, ...place, issuedAt: now, begunAt, pageSize };
}

function refuse(problem: ListProblem): ParsedQuery {
  return { ok: false, problem };
}

/** The cursor of a request if it has one, or the problem with it. */
function readWalk(
  list: List,
  request: ListRequest,
  pathParameters: readonly string[],
  sent: SentFilters,
): { readonly cursor: CursorPayload | undefined; readonly isMoved: boolean } | ListProblem {
  const parameter = list.parameters.cursor;
  const values = request.parameters.get(parameter);
  if (values === undefined) return { cursor: undefined, isMoved: false };
  const [value = null] = values;
  if (values.length > 1) return invalidCursor({ parameter, reason: "repeated" });
  if (value === null) return invalidCursor({ parameter, reason: "undecodable" });
  const opened = openCursor(request.cursorKeys, value);
  if (!opened.ok) return invalidCursor({ parameter, reason: opened.fault });
  const cursor = opened.payload;
  const fault = cursorFault(cursor, list, request, pathParameters);
  if (fault) return invalidCursor({ parameter, ...fault });
  const changes = filterChanges(cursor.filters, sent);
  if (changes.length > 0) return filtersChanged(parameter, cursor.page, changes);
  const moved = request.movedTo?.(value);
  return { cursor: moved ? { ...cursor, ...moved } : cursor, isMoved: moved !== undefined };
}

/** Why a genuine cursor does not belong to a request. */
function cursorFault(
  cursor: CursorPayload,
  list: List,
  { clientId, now }: ListRequest,
  pathParameters: readonly string[],
): Omit<CursorDetail, "parameter"> | undefined {
  if (cursor.clientId !== clientId) return { reason: "other-client", found: cursor.clientId, expected: clientId };
  if (cursor.list !== list.name) return { reason: "other-list", found: cursor.list, expected: list.name };
  if (!sameTexts(cursor.pathParameters, pathParameters)) {
    return { reason: "other-path", found: cursor.pathParameters.join("/"), expected: pathParameters.join("/") };
  }
  const { issuedAt } = cursor;
  const lifetime = list.cursorLifetime;
  if (now - issuedAt >= lifetime) return { reason: "expired", issuedAt, now, lifetime };
  // A clock that is set back a little must not break a walk. Set back further, it would make expired cursors valid
  // again.
  if (issuedAt - now > lifetime) return { reason: "from-the-future", issuedAt, now, lifetime };
  return undefined;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, place) => text === b[place]);
}

/** Differences between the filters of the walk and those of this request, compared literally (§7, rule 1). */
function filterChanges(before: SentFilters, after: SentFilters): readonly FilterChange[] {
  if (sameFilters(before, after)) return [];
  const old = new Map(before);
  const sent = new Map(after);
  return [...new Set([...old.keys(), ...sent.keys()])]
    .map((filter) => ({ filter, before: old.get(filter), after: sent.get(filter) }))
    .filter((change) => change.before !== change.after);
}

/**
 * One message for everything that is wrong inside a cursor: a client that altered it or does not own it must not learn
 * its contents.
 */
function invalidCursor(detail: CursorDetail): ListProblem {
  const { parameter, reason } = detail;
  const again = "Send the request again without a cursor to start a new result set.";
  const what =
    reason === "empty"
      ? `Parameter '${parameter}' is empty.`
      : reason === "repeated"
        ? `Parameter '${parameter}' is repeated.`
        : "The cursor is invalid: it was modified, has expired or belongs to another request.";
  return { code: "INVALID_CURSOR", message: `${what} ${again}`, detail };
}

function filtersChanged(parameter: string, page: number, changes: readonly FilterChange[]): ListProblem {
  const names = changes.map(({ filter }) => `'${filter}'`).join(", ");
  const message =
    `The filters differ from those of the request that produced the cursor: ${names}. ` +
    "Repeat exactly the same filters, or send the request without a cursor to start a new result set.";
  return { code: "CURSOR_FILTERS_CHANGED", message, detail: { parameter, changes, page } };
}

function fromAfterTo(from: SentDate, to: SentDate): ListProblem {
  return {
    code: "VALIDATION_ERROR",
    message: `'${from.parameter}' (${from.text}) is later than '${to.parameter}' (${to.text}).`,
    detail: { parameter: from.parameter, reason: "from-after-to", value: from.text },
  };
}

function pathParameterTooLong(name: string, value: string): ListProblem {
  return {
    code: "VALIDATION_ERROR",
    message: `Path parameter '${name}' is longer than ${maximumPathParameterLength} characters.`,
    detail: { parameter: name, reason: "too-long", value: bounded(value) },
  };
}
