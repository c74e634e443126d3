import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { PageCache } from "../../../src/sandbox/api/page-cache.js";
import { parseQueryParameters } from "../../../src/sandbox/api/parameters.js";
import { cursorKeys, sealCursor } from "../../../src/sandbox/lists/cursor.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { continuation, type ListQuery, parseListQuery } from "../../../src/sandbox/lists/query.js";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

const now = Date.UTC(2026, 5, 1, 12);
const list = compileList("payments", {});
const secret = randomBytes(32);
const targets = 1000;
const targetLength = 16_000;

/** The growth of the heap in bytes after queries in targets of the largest permitted length. */
function growth(work: (parse: (query: string) => ListQuery, index: number) => void): number {
  const keys = cursorKeys(secret);
  const parse = (query: string) => {
    const target = Buffer.from(`${query}&junk=${"x".repeat(targetLength)}`).toString();
    const parameters = parseQueryParameters(target);
    const parsed = parseListQuery(list, { parameters, clientId: "demo", pathParameters: {}, now, cursorKeys: keys });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    const { cursor } = list.parameters;
    const next = continuation(parsed.query, 10, now);
    // The cursor is cached, as in the answer to a request.
    if (!parameters.has(cursor)) sealCursor(keys, next);
    return parsed.query;
  };
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < targets; index++) work(parse, index);
  collect();
  const after = process.memoryUsage().heapUsed;
  // Used again, so that the keys and their cache are not collected earlier.
  parse("pageSize=10");
  return after - before;
}

/** A different date for each index. */
const before = (index: number) => new Date(now - index * 60_000).toISOString();

it("issued cursors do not keep their requests in memory", () => {
  expect(growth((parse, index) => parse(`toCreatedAt=${before(index)}`))).toBeLessThan((targets * targetLength) / 4);
});

it("opened cursors do not keep the requests in memory", () => {
  const others = cursorKeys(secret);
  const sealed = Array.from({ length: targets }, (_, index) => {
    const parameters = new Map([["toCreatedAt", [before(index)]]]);
    const parsed = parseListQuery(list, { parameters, clientId: "demo", pathParameters: {}, now, cursorKeys: others });
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return sealCursor(others, continuation(parsed.query, 10, now));
  });
  const used = growth((parse, index) => parse(`toCreatedAt=${before(index)}&cursor=${sealed[index]}`));
  expect(used).toBeLessThan((targets * targetLength) / 4);
});

it.each([
  ["a date", (index: number) => `toCreatedAt=${before(index)}`],
  ["a date of many digits", (index: number) => `fromCreatedAt=2000-01-01T00:00:00.${String(index).padStart(22, "1")}Z`],
  ["a filter", (index: number) => `status=a-long-value-that-no-row-has-${index}`],
])("cached pages do not keep the requests in memory, for %s", (_name, sent) => {
  const pages = new PageCache(list);
  const used = growth((parse, index) => {
    const query = parse(`pageSize=1&${sent(index)}`);
    pages.take(query).issued("cursor", query, now);
  });
  expect(pages.size).toBeGreaterThan(0);
  expect(used).toBeLessThan((targets * targetLength) / 4);
});
