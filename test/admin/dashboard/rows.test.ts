import { describe, expect, it } from "vitest";
import {
  type EntryPage,
  neighbourOf,
  type Rows,
  rowsOf,
  withMore,
  withNewest,
} from "../../../src/admin/dashboard/client/requests/rows.js";
import { exchangeItem } from "./items.js";

/** Entries from the first number down to the last one. */
function page(first: number, last: number, { run = "one", more = true, duration = 1 } = {}): EntryPage {
  const numbers = Array.from({ length: first - last + 1 }, (_, index) => first - index);
  return {
    run,
    items: numbers.map((number) => exchangeItem(number, { duration })),
    nextCursor: more ? String(last) : undefined,
  };
}

const keys = (rows: Rows) => rows.items.map(({ key }) => key).join(" ");

describe("the rows of the list", () => {
  it("have the newest at the top, and further pages below", () => {
    const rows = withNewest(rowsOf(page(3, 2)), page(5, 3, { duration: 7 }));
    expect(keys(rows)).toBe("r5 r4 r3 r2");
    // An answer that has been delivered meanwhile has its full duration.
    expect(rows.items[2]).toMatchObject({ key: "r3", duration: 7 });
    const all = withMore(rows, page(1, 1, { more: false }));
    expect([keys(all), all.cursor]).toEqual(["r5 r4 r3 r2 r1", undefined]);
  });

  it.each([
    ["does not meet them, so that no gap is hidden", page(9, 7), "r9 r8 r7"],
    ["is of another run of the sandbox", page(3, 3, { run: "two", more: false }), "r3"],
  ])("are replaced by the newest page if it %s", (_, newest, expected) => {
    const rows = withNewest(rowsOf(page(3, 1, { more: false })), newest);
    expect([keys(rows), rows.run, rows.cursor]).toEqual([expected, newest.run, newest.nextCursor]);
  });

  it("do not grow without limit while nobody scrolls", () => {
    let rows = rowsOf(page(100, 1, { more: false }));
    for (let newest = 150; newest <= 2000; newest += 50) rows = withNewest(rows, page(newest, newest - 99));
    expect([rows.items.length, rows.cursor]).toEqual([500, "1501"]);
  });

  it("are walked with keys, from the first to the last one", () => {
    const rows = rowsOf(page(3, 1));
    const walk = (key: string | undefined, distance: number) => neighbourOf(rows, key, distance);
    expect([walk(undefined, 1), walk("r3", 1), walk("r2", 12), walk("r1", -1)]).toEqual(["r3", "r2", "r1", "r2"]);
    expect([walk("r2", -12), walk("gone", 1), walk("gone", -1)]).toEqual(["r3", "r3", "r3"]);
    expect(neighbourOf(rowsOf(page(0, 1)), undefined, 1)).toBeUndefined();
  });
});
