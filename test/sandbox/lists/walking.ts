import { type CursorKeys, cursorKeys, sealCursor } from "../../../src/sandbox/lists/cursor.js";
import { renderEnvelope } from "../../../src/sandbox/lists/envelope.js";
import type { List } from "../../../src/sandbox/lists/list.js";
import { type Page, takePage } from "../../../src/sandbox/lists/page.js";
import type { ListProblem, ParameterValue } from "../../../src/sandbox/lists/problems.js";
import { continuation, type ListQuery, parseListQuery } from "../../../src/sandbox/lists/query.js";

export const keys: CursorKeys = cursorKeys(new Uint8Array(32).fill(7));

/** 2026-11-21T06:40:00Z */
export const now = Date.UTC(2026, 10, 21, 6, 40);

/** 2026-11-21T06:00:00Z */
export const thisHour = Date.UTC(2026, 10, 21, 6);

export type Parameters = Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>;

export interface Circumstances {
  readonly clientId?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly now?: number;
  readonly keys?: CursorKeys;
}

export function parse(list: List, parameters: Parameters, circumstances: Circumstances = {}) {
  return parseListQuery(list, {
    parameters: new Map(
      Object.entries(parameters).map(([name, value]) => [
        name,
        Array.isArray(value) ? value : [value as ParameterValue],
      ]),
    ),
    clientId: circumstances.clientId ?? "demo",
    pathParameters: circumstances.pathParameters ?? {},
    now: circumstances.now ?? now,
    cursorKeys: circumstances.keys ?? keys,
  });
}

export function query(list: List, parameters: Parameters, circumstances?: Circumstances): ListQuery {
  const parsed = parse(list, parameters, circumstances);
  if (!parsed.ok) throw new Error(`refused: ${JSON.stringify(parsed.problem)}`);
  return parsed.query;
}

export function problem(list: List, parameters: Parameters, circumstances?: Circumstances): ListProblem {
  const parsed = parse(list, parameters, circumstances);
  if (parsed.ok) throw new Error("not refused");
  return parsed.problem;
}

export interface Answer {
  readonly page: Page;
  readonly cursor: string | undefined;
  readonly body: string;
}

/** The answer to one request, from parameters to body. */
export function ask(list: List, parameters: Parameters, circumstances: Circumstances = {}): Answer {
  const asked = query(list, parameters, circumstances);
  const page = takePage(list, asked);
  const cursor =
    page.next === undefined
      ? undefined
      : sealCursor(circumstances.keys ?? keys, continuation(asked, page.next, circumstances.now ?? now));
  return { page, cursor, body: renderEnvelope(list.envelope, page, cursor) };
}

/** All pages of a walk, for a list with the default envelope. */
export function walk(list: List, parameters: Parameters, circumstances?: Circumstances): Row[][] {
  const pages: Row[][] = [];
  let cursor: string | undefined;
  do {
    const answer = ask(list, cursor === undefined ? parameters : { ...parameters, cursor }, circumstances);
    pages.push((JSON.parse(answer.body) as { items: Row[] }).items);
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return pages;
}

/** A row of the default lists. */
export interface Row {
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly value: string; readonly currency: string };
  readonly reference: string;
  readonly createdAt: string;
}
