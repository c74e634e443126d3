import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/view/html.js";
import { sessionsOf, sessionsPage } from "../../../src/admin/dashboard/view/sessions.js";
import { exchangeDetail } from "./detail.js";

describe("sessions", () => {
  const newestFirst = [
    exchangeDetail({ id: "6", client: null, claimedClient: "nobody" }),
    exchangeDetail({ id: "5", client: "b", tokenId: "t2" }),
    exchangeDetail({ id: "4", client: "a", tokenId: "t1", walk: "w" }),
    exchangeDetail({ id: "3", client: "a", tokenId: "t1" }),
    exchangeDetail({ id: "2", client: "a", tokenId: "t1", walk: "w" }),
    exchangeDetail({ id: "1", client: "a", tokenId: "t1" }),
  ];

  it("are the requests of one client with one token, grouped by walk, oldest first", () => {
    const found = sessionsOf(newestFirst).map(({ client, token, walks }) => [
      client,
      token,
      walks.map(({ exchanges }) => exchanges.map(({ id }) => id).join("+")).join(" "),
    ]);
    expect(found).toEqual([
      ["nobody", null, "6"],
      ["b", "t2", "5"],
      ["a", "t1", "1 2+4 3"],
    ]);
  });

  it("have a bar for each request, within the width", () => {
    const html = toHtml(sessionsPage({ exchanges: newestFirst, query: "" }));
    const bars = [...html.matchAll(/ d="M(\d+) 1h(\d+)v8h-/g)].filter(([, , length]) => length !== undefined);
    expect(bars.length).toBe(6);
    for (const [, from, length] of bars) expect(Number(from) + Number(length)).toBeLessThanOrEqual(1000);
  });
});
