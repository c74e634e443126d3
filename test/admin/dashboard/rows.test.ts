import { describe, expect, it } from "vitest";
import { type EntryPage, ofRow, Rows, rowKey } from "../../../src/admin/dashboard/client/requests/rows.js";
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
    const rows = new Rows(page(3, 2));
    rows.renew(page(5, 3, { duration: 7 }));
    expect(keys(rows)).toBe("r5 r4 r3 r2");
    // An answer that has been delivered meanwhile has its full duration.
    expect(rows.find("r3")).toMatchObject({ duration: 7 });
    rows.append(page(1, 1, { more: false }));
    expect([keys(rows), rows.cursor]).toEqual(["r5 r4 r3 r2 r1", undefined]);
  });

  it("are replaced if the newest page does not connect to them, so that no gap is hidden", () => {
    const rows = new Rows(page(3, 1, { more: false }));
    rows.renew(page(9, 7));
    expect([keys(rows), rows.cursor]).toEqual(["r9 r8 r7", "7"]);
  });

  it("keep the chosen row, whatever arrives", () => {
    const rows = new Rows(page(3, 1));
    rows.choose("r2");
    rows.renew(page(9, 7));
    expect(keys(rows)).toBe("r9 r8 r7 gap r2");
    rows.append(page(6, 1, { more: false }));
    expect(keys(rows)).toBe("r9 r8 r7 r6 r5 r4 r3 r2 r1");
    rows.renew(page(20, 18));
    expect(keys(rows)).toBe("r20 r19 r18 gap r2");
    rows.choose(undefined);
    expect(keys(rows)).toBe("r20 r19 r18");
  });

  it("do not grow without limit while nobody scrolls", () => {
    const rows = new Rows(page(100, 1, { more: false }));
    for (let newest = 150; newest <= 2000; newest += 50) rows.renew(page(newest, newest - 99));
    expect([rows.entries.length, rows.cursor]).toEqual([500, "1501"]);
  });

  it("have a divider after a restart, and a number never opens a wrong request", () => {
    const rows = new Rows(page(2, 1));
    rows.choose("r1");
    rows.renew(page(1, 1, { run: "two" }));
    expect(keys(rows)).toBe("r1 old-one-restart old-one-r2 old-one-r1");
    expect(ofRow("old-one-r1", "two")).toEqual({ key: "r1", run: "one" });
    expect(ofRow("r1", "two")).toEqual({ key: "r1", run: "two" });
    expect([rowKey("r1", "one", "two"), rowKey("r1", "two", "two")]).toEqual(["old-one-r1", "r1"]);
    rows.clear();
    expect(keys(rows)).toBe("");

    const others = new Rows(page(2, 1));
    others.choose("r2");
    others.renew(page(1, 1, { run: "two" }));
    expect(keys(others)).toBe("r1 old-one-restart old-one-r2 old-one-r1");
  });
});
