import * as z from "zod";
import type { CursorPayload } from "../../lists/cursor.js";
import { type Page, rowsOf, takePage, withRows } from "../../lists/page.js";
import { continuation } from "../../lists/query.js";
import { defineFault } from "../define-fault.js";
import type { FaultyPage, PageRequest } from "../fault.js";
import { keys, oneOf, onlyTrue, positive } from "../schema-values.js";

const schema = z
  .strictObject(
    {
      insert: positive
        .describe("How many rows were inserted since the page before: so many of its rows come again at the start.")
        .optional(),
      remove: positive
        .describe("How many rows were removed since the page before: so many are missed between the two.")
        .optional(),
      duplicate: positive
        .describe("How many first rows appear twice: at most half of the page, which keeps its size.")
        .optional(),
      empty: onlyTrue.describe("No rows, but a cursor: the next page has the rows.").optional(),
      deadEnd: onlyTrue.describe("The last page has a cursor, to an empty page without one.").optional(),
      rows: positive
        .describe("At most so many rows, whatever page size was requested; the others come on the next page.")
        .optional(),
      cursor: oneOf(["same", "first", "reserved", "advances"], "cursor")
        .describe(
          "`same` is the cursor that was sent, and on page 1 leads to page 1; `first` leads to page 1; `reserved` has characters that must be percent-encoded; `advances` is on every page the cursor of page 1, and leads on, because the server keeps the position.",
        )
        .optional(),
      link: z
        .literal("withoutFilters", "give withoutFilters")
        .describe(
          "The next link lacks filters and dates: as it stands, it is refused with CURSOR_FILTERS_CHANGED. For lists with `envelope.nextLink` or `linkHeader`, when filters or dates are sent.",
        )
        .optional(),
    },
    keys,
  )
  .refine(
    (value) => Object.keys(value).length === 1,
    "give one of insert, remove, duplicate, empty, deadEnd, rows, cursor, link",
  )
  .meta({ minProperties: 1, maxProperties: 1 });

type PageSettings = z.output<typeof schema>;

export const page = defineFault({
  name: "page",
  description: "Change a page of a list: one of these.",
  examples: [
    { insert: 1 },
    { remove: 1 },
    { duplicate: 2 },
    { empty: true },
    { deadEnd: true },
    { rows: 3 },
    { cursor: "same" },
    { cursor: "reserved" },
    { cursor: "advances" },
    { link: "withoutFilters" },
  ],
  schema,
  acts: "on-answer",
  makes: "page",
  moments: [{ onToken: undefined, elsewhere: "when the page is made" }],
  compile: (written): PageSettings => written,
  narrows: () => ({ only: ["list"], narrowsRule: true }),
  words({ insert, remove, duplicate, empty, deadEnd, rows, cursor, link }) {
    if (link) return "a next link without filters";
    if (cursor === "advances") return "the cursor of page 1 again, which leads on";
    if (insert !== undefined) return `rows of the page before come again (${insert})`;
    if (remove !== undefined) return `rows are missed (${remove})`;
    if (duplicate !== undefined) return `the first rows appear twice (${duplicate})`;
    if (empty) return "an empty page with a cursor";
    if (deadEnd) return "a cursor on the last page, which leads to an empty one";
    if (cursor === "reserved") return "a cursor with characters that have to be percent-encoded";
    return rows === undefined
      ? `a cursor that leads to ${cursor === "same" ? "this page again" : "page 1"}`
      : `${rows} rows at most`;
  },
  onPage(settings, request): FaultyPage {
    const made = faultyPage(settings, request);
    const leadsOn = made.page.next !== undefined;
    if (settings.link) {
      const losesFilters = leadsOn && request.list.envelope.link !== undefined && request.query.sent.length > 0;
      return { ...made, losesFilters, acted: losesFilters };
    }
    if (settings.cursor === undefined) return made;
    if (settings.cursor === "reserved") return { ...made, reserved: true, acted: leadsOn };
    // The cursor of page 1 is the usual one: it is new to the client.
    if (settings.cursor === "advances") return { ...made, moves: true, acted: leadsOn && request.sent !== undefined };
    return { ...made, cursor: circularCursor(request, settings.cursor), acted: true };
  },
});

function faultyPage(
  { insert = 0, remove = 0, duplicate, empty, deadEnd, rows }: PageSettings,
  request: PageRequest,
): FaultyPage {
  const { list, query } = request;
  const page = takePage(list, query);
  if (empty) return { page: { ...withRows(page, []), ordinals: [], next: query.position }, acted: true };
  if (deadEnd) {
    // The empty page after it has no cursor: otherwise a walk would not end.
    const acted = page.next === undefined && page.count > 0;
    return { page: acted ? { ...page, next: list.dataset.count } : page, acted };
  }
  if (duplicate !== undefined) return duplicateRows(request, Math.min(duplicate, Math.floor(query.pageSize / 2)));
  if (rows !== undefined && rows < page.count) {
    const short = takePage(list, { ...query, pageSize: rows });
    return { page: { ...short, pageSize: query.pageSize }, acted: true };
  }
  const shifted = takePage(list, query, remove - insert);
  return { page: shifted, acted: isOther(shifted, page) };
}

function isOther(page: Page, usual: Page): boolean {
  return page.ordinals[0] !== usual.ordinals[0];
}

function circularCursor({ query, sent, now }: PageRequest, leadsTo: "same" | "first"): string | CursorPayload {
  // The same text again, so that a client can notice.
  if (leadsTo === "same" && sent !== undefined) return sent;
  return { ...continuation(query, 0, now), page: 1 };
}

/** The page keeps its size, so the last rows move to the next page. */
function duplicateRows({ list, query }: PageRequest, duplicate: number): FaultyPage {
  const page = takePage(list, { ...query, pageSize: query.pageSize - duplicate });
  const rows = rowsOf(list, query, page);
  const repeated = rows.slice(0, duplicate).flatMap((row) => [row, row]);
  return {
    page: { ...withRows(page, [...repeated, ...rows.slice(duplicate)]), pageSize: query.pageSize },
    acted: repeated.length > 0,
  };
}
