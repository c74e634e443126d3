import fc from "fast-check";
import { expect, it } from "vitest";
import { PageMemory } from "../../src/api/page-memory.js";
import { compileList } from "../../src/lists/list.js";
import { takePage } from "../../src/lists/page.js";
import type { ListQuery } from "../../src/lists/query.js";

const anchor = Date.UTC(2026, 5, 1, 10);

const instant = fc.option(fc.record({ ms: fc.constantFrom(anchor, anchor - 60_000), rest: fc.constantFrom("", "5") }), {
  nil: undefined,
});
const query: fc.Arbitrary<ListQuery> = fc.record({
  list: fc.constant("payments"),
  clientId: fc.constantFrom("demo", "other"),
  pathParameters: fc.constantFrom(["a"], ["b"], ['a","b']),
  pageSize: fc.constantFrom(1, 2, 21, 100),
  from: instant,
  to: instant,
  filters: fc.constantFrom(
    [],
    [{ parameter: "status", field: "status", value: "COMPLETED" }],
    [{ parameter: "status", field: "status", value: "FAILED" }],
  ),
  sent: fc.constant([]),
  anchor: fc.constantFrom(anchor, anchor - 3_600_000),
  position: fc.constantFrom(0, 1, 12, 100),
  page: fc.integer({ min: 1, max: 9 }),
  unknown: fc.constant([]),
});

it("gives the pages that are made anew, in whatever order and however often they are asked for", () => {
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
      const pages = new PageMemory(list);
      for (const each of queries) expect(pages.take(each)).toEqual(takePage(list, each));
    }),
    { numRuns: 30 },
  );
});

it("forgets the oldest pages, not the newest", () => {
  const list = compileList("payments", {});
  const pages = new PageMemory(list);
  const base = { list: "payments", clientId: "demo", pathParameters: [], filters: [], sent: [], unknown: [] };
  const at = (position: number) => ({
    ...base,
    from: undefined,
    to: undefined,
    anchor,
    position,
    pageSize: 100,
    page: 1,
  });
  const first = pages.take(at(0)).ordinals;
  expect(pages.take(at(0)).ordinals).toBe(first);
  for (let position = 100; position < 9_900; position += 100) pages.take(at(position));
  expect(pages.take(at(0)).ordinals).not.toBe(first);
  const last = pages.take(at(9_800)).ordinals;
  expect(pages.take(at(9_800)).ordinals).toBe(last);
});
