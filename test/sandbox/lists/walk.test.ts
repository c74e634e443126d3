import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { rowsOf, takePage, withRows } from "../../../src/sandbox/lists/page.js";
import { continuation } from "../../../src/sandbox/lists/query.js";
import type { ListSettings } from "../../../src/sandbox/lists/settings.js";
import { ask, now, query, type Row, thisHour, walk } from "./walking.js";

const minute = 60_000;

/** The result of a request, found by checking every row. */
function naive(rows: readonly Row[], parameters: Readonly<Record<string, string>>): Row[] {
  const { status, fromCreatedAt, toCreatedAt, currency } = parameters;
  return rows.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      (currency === undefined || row.amount.currency === currency) &&
      (fromCreatedAt === undefined || Date.parse(row.createdAt) >= Date.parse(fromCreatedAt)) &&
      (toCreatedAt === undefined || Date.parse(row.createdAt) <= Date.parse(toCreatedAt)),
  );
}

const filters = { status: "status", currency: "amount.currency" };
const generated: ListSettings = { count: 437, spacing: 7 * minute, filters };

// Ten items share each instant, so that pages end between items of the same instant.
const items = Array.from({ length: 230 }, (_, number) => ({
  id: `item-${(number * 7919) % 230}`,
  status: ["NEW", "SENT", "BOOKED"][(number * 31) % 3],
  amount: { value: "1.00", currency: number % 5 === 0 ? "EUR" : "GBP" },
  reference: `Ünïcödé "${number}" \u2028`,
  createdAt: new Date(thisHour - (((number * 7919) % 230) % 23) * minute).toISOString(),
}));

const lists = [
  ["generated, newest first", compileList("payments", generated), ["COMPLETED", "PENDING", "CANCELLED", "UNKNOWN"]],
  [
    "generated, oldest first",
    compileList("payments", { ...generated, order: "oldest-first" }),
    ["COMPLETED", "PENDING", "CANCELLED", "UNKNOWN"],
  ],
  ["the user's items, newest first", compileList("own", { items, filters }), ["NEW", "SENT", "BOOKED", "UNKNOWN"]],
  [
    "the user's items, oldest first",
    compileList("own", { items, filters, order: "oldest-first" }),
    ["NEW", "SENT", "BOOKED", "UNKNOWN"],
  ],
] as const;

describe.each(lists)("a walk through a list: %s", (name, list, statuses) => {
  const all = walk(list, { pageSize: "100" }).flat();

  it("shows every row once, in order", () => {
    expect(all).toHaveLength(list.dataset.count);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const times = all.map(({ createdAt }) => Date.parse(createdAt));
    const sorted = [...times].sort((a, b) => (name.endsWith("newest first") ? b - a : a - b));
    expect(times).toEqual(sorted);
  });

  it("is exactly the result at every page size, with full pages before the last", { tags: "slow" }, () => {
    for (let size = 1; size <= 100; size += 1) {
      const parameters = size % 2 === 0 ? { status: statuses[0] } : { status: statuses[1], currency: "EUR" };
      const pages = walk(list, { ...parameters, pageSize: String(size) });
      expect(pages.flat()).toEqual(naive(all, parameters));
      expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true);
      // A cursor is issued only if a row follows, so no walk ends with an empty page.
      if (pages.length > 1) expect(pages.at(-1)?.length).toBeGreaterThan(0);
    }
  });

  it("is exactly the result for any filters, dates and page sizes", () => {
    const times = [...new Set(all.map(({ createdAt }) => createdAt))];
    const bound = fc.oneof(
      fc.constantFrom(...times),
      fc.constantFrom(...times).map((time) => new Date(Date.parse(time) + 1).toISOString()),
      fc.constantFrom(...times).map((time) => new Date(Date.parse(time) - 1).toISOString()),
      fc.constantFrom("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    );
    const wanted = fc.record(
      {
        status: fc.constantFrom(...statuses),
        currency: fc.constantFrom("EUR", "GBP", "CHF"),
        fromCreatedAt: bound,
        toCreatedAt: bound,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(wanted, fc.integer({ min: 1, max: 100 }), (given, size) => {
        const parameters = definedOnly(given);
        const { fromCreatedAt: from, toCreatedAt: to } = parameters;
        fc.pre(from === undefined || to === undefined || Date.parse(from) <= Date.parse(to));
        const pages = walk(list, { ...parameters, pageSize: String(size) });
        expect(pages.flat()).toEqual(naive(all, parameters));
      }),
      { numRuns: 150 },
    );
  });

  it("survives a page size that changes with every page", () => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    let size = 1;
    do {
      const answer = ask(list, { status: statuses[0], pageSize: String(size), ...(cursor ? { cursor } : {}) });
      rows.push(...(JSON.parse(answer.body) as { items: Row[] }).items);
      cursor = answer.cursor;
      size = (size * 3) % 23;
    } while (cursor !== undefined);
    expect(rows).toEqual(naive(all, { status: statuses[0] }));
  });

  it("counts its pages", () => {
    const cursor = ask(list, {}).cursor as string;
    expect([query(list, {}).page, query(list, { cursor }).page]).toEqual([1, 2]);
  });

  it("can have one row on each page", () => {
    const asked = query(list, { pageSize: "5", currency: "EUR" });
    const page = takePage(list, asked);
    expect(rowsOf(list, asked, page).join(",")).toBe(page.json);
    expect(withRows(page, ['{"a":1}', "2"])).toMatchObject({ count: 2, json: '{"a":1},2' });
  });

  it("can be shifted, as if rows appeared or vanished during a walk", () => {
    const asked = query(list, { pageSize: "10", currency: "EUR", status: statuses[0] });
    const result = naive(all, { currency: "EUR", status: statuses[0] });
    const third = { ...asked, position: takePage(list, asked, 10).ordinals[0] as number };
    for (const shift of [-99, -10, -3, -1, 0, 1, 4, 9999]) {
      const start = Math.min(Math.max(10 + shift, 0), result.length);
      const page = takePage(list, third, shift);
      expect(JSON.parse(`[${page.json}]`)).toEqual(result.slice(start, start + 10));
      expect(page.next === undefined).toBe(start + 10 >= result.length);
    }
  });

  it("ends with an empty page after a cursor without further rows", () => {
    const asked = query(list, {});
    const page = takePage(list, { ...asked, ...continuation(asked, list.dataset.count, now), filters: [] });
    expect([page.count, page.next]).toEqual([0, undefined]);
  });
});

describe("two filters on one field", () => {
  const list = compileList("payments", { count: 400, filters: { status: "status", state: "status" } });

  it("show rows if they agree, and nothing if they do not", () => {
    const both = walk(list, { status: "PENDING", state: "PENDING" }).flat();
    expect(both).toEqual(walk(list, { status: "PENDING" }).flat());
    expect(walk(list, { status: "PENDING", state: "FAILED" })).toEqual([[]]);
  });
});

function definedOnly(given: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
