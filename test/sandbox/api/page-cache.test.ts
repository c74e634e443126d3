import fc from "fast-check";
import { expect, it } from "vitest";
import { PageCache } from "../../../src/sandbox/api/page-cache.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { takePage } from "../../../src/sandbox/lists/page.js";
import type { ListQuery } from "../../../src/sandbox/lists/query.js";

const anchor = Date.UTC(2026, 5, 1, 10);

const instant = fc.option(fc.record({ ms: fc.constantFrom(anchor, anchor - 60_000), rest: fc.constantFrom("", "5") }), {
  nil: undefined,
});
const query: fc.Arbitrary<ListQuery> = fc.record({
  list: fc.constant("payments"),
  clientId: fc.constantFrom("demo", "other"),
  pathParameters: fc.constantFrom(["a"], ["b"], ['a","b']),
  pageSize: fc.constantFrom(1, 2, 21, 100),
  pageSizeChanged: fc.boolean(),
  from: instant,
  to: instant,
  filters: fc.constantFrom(
    [],
    [{ parameter: "status", field: "status", value: "COMPLETED" }],
    [{ parameter: "status", field: "status", value: "FAILED" }],
  ),
  unmatched: fc.constant([]),
  sent: fc.constant([]),
  anchor: fc.constantFrom(anchor, anchor - 3_600_000),
  position: fc.constantFrom(0, 1, 12, 100),
  page: fc.integer({ min: 1, max: 9 }),
  begunAt: fc.constant(anchor),
});

it("returns the same pages as without a cache, in any order", () => {
  const list = compileList("payments", {
    path: "/v1/{account}/payments",
    count: 1000,
    spacing: 60_000,
    fields: {
      id: { type: "uuid" },
      account: { type: "parameter", name: "account" },
      status: { type: "choice", values: ["COMPLETED", "FAILED"] },
      createdAt: { type: "createdAt" },
    },
  });
  fc.assert(
    fc.property(fc.array(query, { minLength: 20, maxLength: 200 }), (queries) => {
      const pages = new PageCache(list);
      for (const each of queries) {
        expect(pages.take(each)).toEqual(takePage(list, each));
      }
    }),
    { numRuns: 30 },
  );
});

it("drops the oldest pages, not the newest", () => {
  const list = compileList("payments", {});
  const pages = new PageCache(list);
  const base = { list: "payments", clientId: "demo", pathParameters: [], filters: [], unmatched: [], sent: [] };
  const at = (position: number) => ({
    ...base,
    from: undefined,
    to: undefined,
    anchor,
    position,
    pageSize: 100,
    pageSizeChanged: false,
    page: 1,
    begunAt: anchor,
  });
  const first = pages.take(at(0));
  expect(pages.take(at(0))).toBe(first);
  for (let position = 100; position < 9_900; position += 100) pages.take(at(position));
  expect(pages.take(at(0))).not.toBe(first);
  const last = pages.take(at(9_800));
  expect(pages.take(at(9_800))).toBe(last);
});

it("drops empty pages, too: a client that polls for new rows makes one with each request", () => {
  const pages = new PageCache(compileList("payments", {}));
  const base = { list: "payments", clientId: "demo", pathParameters: [], filters: [], unmatched: [], sent: [] };
  const since = (ms: number) => {
    const from = { ms, rest: "" };
    const walk = { anchor, position: 0, pageSize: 10, pageSizeChanged: false, page: 1, begunAt: anchor };
    return pages.take({ ...base, ...walk, from, to: undefined });
  };
  const first = since(anchor + 1);
  expect(first.count).toBe(0);
  expect(since(anchor + 1)).toBe(first);
  for (let ms = anchor + 2; ms < anchor + 2000; ms++) since(ms);
  expect(since(anchor + 1)).not.toBe(first);
});
