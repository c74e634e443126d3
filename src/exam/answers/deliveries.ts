import { isObject } from "../../base/text/json-object.js";
import { parseQueryParameters } from "../../sandbox/api/parameters.js";
import { splitTarget } from "../../sandbox/api/path.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import type { List } from "../../sandbox/lists/list.js";
import { receivedPage } from "../observe/received-page.js";

/** What is needed of a list to read its pages. */
export type ReadList = Pick<List, "name" | "parameters" | "envelope" | "fields">;

/** A page that a client got, with the pages that led to it. */
export interface DeliveredPage {
  /** Of the exchange in the journal. */
  readonly number: number;
  /** Milliseconds since the epoch, on the machine's clock: when the request was received, and when it was answered. */
  readonly begunAt: number;
  readonly endedAt: number;
  /** Same client, path and filters. */
  readonly query: string;
  /** Undefined if the rows have no ids that can be compared. */
  readonly ids: readonly string[] | undefined;
  /** The cursor of the next page. */
  readonly next: string | undefined;
  /** The page whose cursor asked for this one. */
  readonly before: DeliveredPage | undefined;
  /** Whether it was requested without a cursor. */
  readonly isFirst: boolean;
}

/** A walk whose last page was delivered. */
export interface FinishedWalk {
  /** The numbers of its exchanges, in the order of its pages. */
  readonly pages: readonly number[];
  /** The distinct ids of its rows. Undefined if a page is not known, or has rows without ids. */
  readonly required: ReadonlySet<string> | undefined;
  /** Ids that were delivered before, in walks with the same filters that were not finished. */
  readonly allowed: ReadonlySet<string>;
  /** Same client, path and filters. */
  readonly query: string;
  readonly begunAt: number;
  readonly endedAt: number;
}

/** What was delivered of one list. */
export interface ListDeliveries {
  /** In the order of their last pages. */
  readonly finished: readonly FinishedWalk[];
  /** The distinct ids of all pages, and the numbers of their exchanges. */
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly number[];
  /** Whether every page that was delivered could be read. */
  readonly isReadable: boolean;
}

/**
 * The pages of a list that were delivered completely, as walks. Pages belong together by their cursors, so parallel
 * walks, frozen clocks and repeated requests are kept apart.
 * @param entries of the journal, oldest first
 */
export function deliveriesOf(list: ReadList, entries: readonly JournalEntry<Exchange>[]): ListDeliveries {
  const { pages, isReadable } = pagesOf(list, entries);
  return { finished: finishedIn(pages), ids: idsOf(pages), pages: pages.map(({ number }) => number), isReadable };
}

/**
 * The pages of a list that were delivered completely, and whether all could be read.
 * @param entries of the journal, oldest first
 */
export function pagesOf(
  list: ReadList,
  entries: readonly JournalEntry<Exchange>[],
): { readonly pages: readonly DeliveredPage[]; readonly isReadable: boolean } {
  const pages: DeliveredPage[] = [];
  /** The newest page with each cursor. */
  const byCursor = new Map<string, DeliveredPage>();
  let isReadable = true;
  for (const { number, item } of entries) {
    if (item.list !== list.name || item.delivered !== true || item.method === "HEAD") continue;
    if (item.status < 200 || item.status > 299) continue;
    const body = item.answerBody;
    if (body === undefined) isReadable = false;
    const received = body === undefined ? undefined : receivedPage(body, item, list);
    // An answer that is not a page of the list has no rows.
    if (received === undefined) continue;
    const { query, cursor } = requestOf(item, list);
    const page = {
      number,
      begunAt: item.receivedAt,
      endedAt: item.receivedAt + item.duration,
      query,
      ids: rowIds(received.rows, list),
      next: received.next,
      before: cursor === undefined ? undefined : byCursor.get(cursor),
      isFirst: cursor === undefined,
    };
    if (page.ids === undefined) isReadable = false;
    if (page.next !== undefined) byCursor.set(page.next, page);
    pages.push(page);
  }
  return { pages, isReadable };
}

function finishedIn(pages: readonly DeliveredPage[]): readonly FinishedWalk[] {
  const walks = pages.filter(({ next }) => next === undefined).map(pathTo);
  const inWalks = new Set(walks.flat());
  return walks.map((path) => {
    const [first, last] = [path[0], path.at(-1)] as [DeliveredPage, DeliveredPage];
    const isKnown = first.isFirst && path.every(({ ids }) => ids !== undefined);
    const abandoned = pages.filter(
      (page) => page.query === last.query && page.number < last.number && !inWalks.has(page),
    );
    return {
      pages: path.map(({ number }) => number),
      required: isKnown ? idsOf(path) : undefined,
      allowed: idsOf(abandoned),
      query: last.query,
      begunAt: first.begunAt,
      endedAt: last.endedAt,
    };
  });
}

/** The pages of a walk, the first one first. Each was delivered after the one before it, so there is no circle. */
function pathTo(last: DeliveredPage): readonly DeliveredPage[] {
  const path: DeliveredPage[] = [];
  for (let page: DeliveredPage | undefined = last; page !== undefined; page = page.before) path.push(page);
  return path.reverse();
}

function idsOf(pages: readonly DeliveredPage[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ ids }) => ids ?? []));
}

/** The cursor of a request, and what identifies its result: client, path, and all parameters except size and cursor. */
function requestOf(exchange: Exchange, { parameters }: ReadList) {
  const { path, query } = splitTarget(exchange.target);
  const given = parseQueryParameters(query);
  const [cursor] = given.get(parameters.cursor) ?? [];
  const others = [...given].filter(([name]) => name !== parameters.cursor && name !== parameters.pageSize).sort();
  const client = exchange.token?.clientId ?? exchange.client?.id;
  return { cursor: cursor ?? undefined, query: JSON.stringify([client, path, others]) };
}

/** @returns undefined if a row has no id that can be compared */
function rowIds(rows: readonly unknown[], { fields }: ReadList): readonly string[] | undefined {
  const name = idField(rows, fields);
  const ids = rows.map((row) => (isObject(row) && name !== undefined ? row[name] : undefined));
  return ids.every((id) => typeof id === "string" || typeof id === "number") ? ids.map(String) : undefined;
}

/**
 * The member of a row that identifies it: `id`, or the first member of the type `id` or `uuid`; in rows of the user,
 * the first member whose name ends in `id`.
 */
function idField(rows: readonly unknown[], fields: ReadList["fields"]): string | undefined {
  const [row] = rows;
  if (fields === undefined) {
    if (!isObject(row)) return undefined;
    return Object.hasOwn(row, "id") ? "id" : Object.keys(row).find((name) => /id$/i.test(name));
  }
  if (Object.hasOwn(fields, "id")) return "id";
  return Object.entries(fields).find(([, { type }]) => type === "id" || type === "uuid")?.[0];
}
