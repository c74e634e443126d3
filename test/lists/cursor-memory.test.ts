import { expect, it } from "vitest";
import { CursorMemory } from "../../src/lists/cursor-memory.js";

const payload = {
  list: "payments",
  clientId: "demo",
  pathParameters: [],
  position: 10,
  page: 2,
  filters: [],
  anchor: 0,
  issuedAt: 0,
};

it("knows a cursor by its text, and no other", () => {
  const memory = new CursorMemory();
  memory.remember("text", payload);
  expect([memory.payloadOf("text"), memory.payloadOf("other")]).toEqual([payload, undefined]);
});

it("knows the newest thousand, and never more than two thousand", () => {
  const memory = new CursorMemory();
  for (let index = 0; index < 10_000; index++) memory.remember(`text ${index}`, payload);
  const known = Array.from({ length: 10_000 }, (_, index) => memory.payloadOf(`text ${index}`) !== undefined);
  expect(known.slice(-1000)).not.toContain(false);
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(2000);
});

it("does not keep long texts", () => {
  const memory = new CursorMemory();
  memory.remember("x".repeat(513), payload);
  expect(memory.payloadOf("x".repeat(513))).toBeUndefined();
});
