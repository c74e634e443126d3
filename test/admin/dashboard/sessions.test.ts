import { h } from "preact";
import { describe, expect, it } from "vitest";
import { toHtml } from "../../../src/admin/dashboard/html.js";
import { SessionsPage, sessionsOf } from "../../../src/admin/dashboard/view/sessions.js";
import { exchangeDetail } from "./detail.js";
import { exchangeItem } from "./items.js";

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
    const html = toHtml(h(SessionsPage, { exchanges: newestFirst, query: "", isLost: false }));
    const bars = [...html.matchAll(/ d="M(\d+) 1h(\d+)v8h-/g)].filter(([, , length]) => length !== undefined);
    expect(bars.length).toBe(6);
    for (const [, from, length] of bars) expect(Number(from) + Number(length)).toBeLessThanOrEqual(1000);
  });

  it("have the requests that a fault left without an answer, in which the token was not read", () => {
    const hung = exchangeItem(3, { fault: "hang/a#1;seed=x", status: 0, tokenId: null });
    const found = sessionsOf([exchangeItem(4, { tokenId: "t1" }), hung, exchangeItem(2, { tokenId: "t1" })]);
    expect(found.map(({ token, walks }) => [token, walks.length])).toEqual([["t1", 3]]);
  });

  it("show the first requests of a long one on demand", () => {
    const many = Array.from({ length: 100 }, (_, index) => exchangeItem(100 - index, { tokenId: "t1" }));
    const html = toHtml(h(SessionsPage, { exchanges: many, query: "", isLost: false }));
    expect(html).toContain("show the first 40, too");
    expect(html.match(/class="bar /g)).toHaveLength(60);
  });

  it("say that they cannot be read while the sandbox cannot be reached", () => {
    const page = (isLost: boolean) => toHtml(h(SessionsPage, { exchanges: undefined, query: "", isLost }));
    expect(page(true)).toContain("The sandbox cannot be reached.");
    expect(page(false)).toContain("loading");
  });
});
