import { expect, it, vi } from "vitest";
import { JournalReader } from "../../../src/admin/dashboard/client/requests/journal-reader.js";
import { rowsOf } from "../../../src/admin/dashboard/client/requests/rows.js";
import { exchangeItem } from "./items.js";

/** A page from the first number down to the last one, and the cursor of what follows. */
const pageOf = (first: number, last: number, nextCursor?: string) => ({
  run: "one",
  items: Array.from({ length: first - last + 1 }, (_, index) => exchangeItem(first - index)),
  nextCursor,
});

it("reads to the end, also if a hundred new entries have replaced the rows meanwhile", async () => {
  const reader = new JournalReader(rowsOf(pageOf(9, 8, "8")), { isHeld: () => false, show: () => {}, wait: () => {} });
  const pages: Record<string, object> = { 8: pageOf(7, 1), 18: pageOf(17, 10, "10"), 10: pageOf(9, 1) };
  const asked: string[] = [];
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("fetch", async (url: string) => {
    const cursor = new URL(url, "http://localhost").searchParams.get("cursor") ?? "";
    asked.push(cursor);
    if (cursor === "8") reader.rows = rowsOf(pageOf(19, 18, "18"));
    return Response.json(pages[cursor]);
  });
  try {
    await reader.rest();
  } finally {
    vi.unstubAllGlobals();
  }
  expect(asked).toEqual(["8", "18", "10"]);
  expect(reader.rows.items.map(({ order }) => order)).toEqual(Array.from({ length: 19 }, (_, index) => 19 - index));
});
