import { describe, expect, it } from "vitest";
import { defaultDates } from "../../../src/sandbox/lists/bound.js";
import { compileList } from "../../../src/sandbox/lists/list.js";
import { ask, walk } from "./walking.js";

const at = <T extends object>(createdAt: string, more?: T) => ({ createdAt, ...more }) as { createdAt: string } & T;

/** The problems of items without a date. */
function mistakes(items: readonly unknown[]): string {
  try {
    compileList("x", { items, dateField: null });
    return "none";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("a number that is not finite, such as 1e400 in a JSON file", () => {
  const advice = "is not a finite number. Give a finite one, or a text";
  it("is not sent as null", () => {
    expect(mistakes([{ a: 1 }, JSON.parse('{ "a": 1e400 }'), { b: { c: [1, Number.NaN] } }])).toBe(
      `lists.x.items[1]: "a" ${advice}\nlists.x.items[2]: "1" ${advice}`,
    );
  });

  it("is different from null, and from the text null", () => {
    expect(mistakes([{ a: null, b: "null", c: [null, { null: 1 }] }])).toBe("none");
  });
});

describe("the user's own items", () => {
  it("are served unchanged, with members in their order", () => {
    const item = { z: 1, a: { b: [null, "ü"] }, createdAt: "2026-01-01T00:00:00Z" };
    expect(ask(compileList("own", { items: [item] }), {}).body).toBe(`{"items":[${JSON.stringify(item)}]}`);
  });

  it("are ordered by instant, not by text, and keep their order at the same instant", () => {
    const items = [
      at("2026-01-01T00:00:00Z", { n: 1 }),
      at("2026-01-01T01:00:00+01:00", { n: 2 }),
      at("2026-01-01T00:00:00.0000001Z", { n: 3 }),
      at("2025-12-31T20:00:00-05:00", { n: 4 }),
      at("2026-01-01T00:00:00.000Z", { n: 5 }),
    ];
    const order = (settings: object) =>
      (walk(compileList("own", { items, ...settings }), {}).flat() as unknown as { n: number }[]).map(({ n }) => n);
    expect(order({})).toEqual([4, 3, 1, 2, 5]);
    expect(order({ order: "oldest-first" })).toEqual([1, 2, 5, 3, 4]);
    expect(order({ items: items.map(({ n }) => ({ n })), dateField: null })).toEqual([1, 2, 3, 4, 5]);
  });

  it("are found by bounds finer than a millisecond", () => {
    const items = [1, 2, 3].map((n) => at(`2026-01-01T00:00:00.00012${n}Z`, { n }));
    const list = compileList("own", { items });
    const found = walk(list, {
      fromCreatedAt: "2026-01-01T00:00:00.000122Z",
      toCreatedAt: "2026-01-01T00:00:00.0001230Z",
    }).flat();
    expect(found).toEqual([items[2], items[1]]);
  });

  it("are filtered by scalars of any kind, compared as text", () => {
    const items = [1, "1", true, "true", null, undefined, 1.5].map((value, n) =>
      at("2026-01-01T00:00:00Z", { n, nested: { value } }),
    );
    const list = compileList("own", { items, filters: { value: "nested.value" } });
    const found = (value: string) => (walk(list, { value }).flat() as unknown as { n: number }[]).map(({ n }) => n);
    expect(found("1")).toEqual([0, 1]);
    expect(found("true")).toEqual([2, 3]);
    expect(found("1.5")).toEqual([6]);
    expect(found("null")).toEqual([]);
    expect(found("__proto__")).toEqual([]);
  });

  it("can have plain dates, each meaning its first instant in UTC, whatever format requests must send", () => {
    const items = [at("2026-11-19"), at("2026-11-20"), at("2026-11-20T00:00:01Z"), at("2026-11-21")];
    const order = [items[3], items[2], items[1], items[0]];
    const exact = compileList("own", { items });
    expect(walk(exact, {}).flat()).toEqual(order);
    const bounds = { fromCreatedAt: "2026-11-20T00:00:00Z", toCreatedAt: "2026-11-20T00:00:00Z" };
    expect(walk(exact, bounds).flat()).toEqual([items[1]]);
    const dates = compileList("own", { items }, { ...defaultDates, format: "date" });
    expect(walk(dates, { fromCreatedAt: "2026-11-20", toCreatedAt: "2026-11-20" }).flat()).toEqual([
      items[2],
      items[1],
    ]);
  });

  it("can have date-times without an offset if requests can", () => {
    const items = [at("2026-11-20T00:00:00"), at("2026-11-20T00:00:01Z")];
    expect(() => compileList("own", { items })).toThrow(
      "lists.own.items[0].createdAt: is not a date-time: it has no offset",
    );
    const list = compileList("own", { items }, { ...defaultDates, offset: "optional" });
    expect(walk(list, {}).flat()).toEqual([items[1], items[0]]);
  });

  it("are refused with all their problems", () => {
    const wrong = () => compileList("own", { items: [1, at("x"), at("2026-11-20"), { n: 1 }] });
    expect(wrong).toThrow(/items\[0\].*\n.*items\[1\]\.createdAt.*\n.*items\[3\]/);
  });

  it("can be empty", () => {
    const list = compileList("own", { items: [] });
    expect(ask(list, { status: "X", fromCreatedAt: "2026-01-01T00:00:00Z" }).body).toBe('{"items":[]}');
  });

  it("have the default status filter only if they have a status", () => {
    expect(compileList("own", { items: [at("2026-01-01T00:00:00Z")] }).filters).toEqual([]);
    expect(compileList("own", { items: [at("2026-01-01T00:00:00Z", { status: "A" })] }).filters).toHaveLength(1);
  });
});
