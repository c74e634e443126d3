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
        const { content, next } = pages.take(each);
        expect(takePage(list, each)).toMatchObject({ ...content, next });
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
  const first = pages.take(at(0)).content;
  expect(pages.take(at(0)).content).toBe(first);
  for (let position = 100; position < 9_900; position += 100) pages.take(at(position));
  expect(pages.take(at(0)).content).not.toBe(first);
  const last = pages.take(at(9_800)).content;
  expect(pages.take(at(9_800)).content).toBe(last);
});

it("drops empty pages, too: a client that polls for new rows makes one with each request", () => {
  const pages = new PageCache(compileList("payments", {}));
  const base = { list: "payments", clientId: "demo", pathParameters: [], filters: [], unmatched: [], sent: [] };
  const first = { page: 1, begunAt: anchor };
  for (let ms = anchor + 1; ms < anchor + 20_000; ms++) {
    const from = { ms, rest: "" };
    pages.take({ ...base, from, to: undefined, anchor, position: 0, pageSize: 10, pageSizeChanged: false, ...first });
  }
  expect(pages.size).toBeLessThan(2000);
});

it("returns the last cursor again only if a new one would have the same payload", () => {
  const known = new PageCache(compileList("payments", {})).take({
    list: "payments",
    clientId: "demo",
    pathParameters: [],
    pageSize: 100,
    pageSizeChanged: false,
    from: undefined,
    to: undefined,
    filters: [],
    unmatched: [],
    sent: [],
    anchor,
    position: 0,
    page: 1,
    begunAt: 5,
  });
  const base = { clientId: "demo", page: 1, sent: [["status", "FAILED"]] } as unknown as ListQuery;
  let issued = 0;
  const cursorFor = (query: ListQuery, now: number) => {
    const cursor = known.cursorFor(query, now) ?? `cursor ${++issued}`;
    known.issued(cursor, query, now);
    return cursor;
  };
  expect(cursorFor(base, 5)).toBe("cursor 1");
  expect(cursorFor({ ...base, sent: [["status", "FAILED"]] }, 5)).toBe("cursor 1");
  expect(cursorFor(base, 6)).toBe("cursor 2");
  expect(cursorFor({ ...base, begunAt: 6 }, 6)).toBe("cursor 3");
  expect(cursorFor({ ...base, clientId: "other" }, 6)).toBe("cursor 4");
  expect(cursorFor({ ...base, page: 2 }, 6)).toBe("cursor 5");
  expect(cursorFor({ ...base, page: 2, sent: [] }, 6)).toBe("cursor 6");
  expect(cursorFor({ ...base, page: 2, sent: [["status", "failed"]] }, 6)).toBe("cursor 7");
  expect(cursorFor({ ...base, page: 2, sent: [["state", "failed"]] }, 6)).toBe("cursor 8");
});
