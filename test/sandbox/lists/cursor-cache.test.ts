import { expect, it } from "vitest";
import { CursorCache } from "../../../src/sandbox/lists/cursor-cache.js";

const payload = {
  list: "payments",
  clientId: "demo",
  pathParameters: [],
  position: 10,
  page: 2,
  filters: [],
  anchor: 0,
  issuedAt: 0,
  pageSize: 10,
};

it("finds a cursor by its text, and only by its text", () => {
  const cache = new CursorCache();
  cache.remember("text", payload);
  expect([cache.payloadOf("text"), cache.payloadOf("other")]).toEqual([payload, undefined]);
});

it("contains the newest thousand, and never more than two thousand", () => {
  const cache = new CursorCache();
  for (let index = 0; index < 10_000; index++) cache.remember(`text ${index}`, payload);
  const known = Array.from({ length: 10_000 }, (_, index) => cache.payloadOf(`text ${index}`) !== undefined);
  expect(known.slice(-1000)).not.toContain(false);
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(2000);
});

it("does not keep long texts", () => {
  const cache = new CursorCache();
  cache.remember("x".repeat(513), payload);
  expect(cache.payloadOf("x".repeat(513))).toBeUndefined();
});
