import { describe, expect, it } from "vitest";
import { mostCursors } from "../../src/exam/known/walks.js";
import { MadeUpClient } from "./observed.js";

describe("list.filters, list.cursor and list.page-size", () => {
  it("pass for a page with a cursor, which the first two require", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    expect(["list.filters", "list.cursor", "list.page-size"].map((id) => client.verdict(id))).toEqual([
      "not-exercised",
      "not-exercised",
      "pass",
    ]);
    client.reads({ cursor: "a" });
    expect(["list.filters", "list.cursor"].map((id) => client.verdict(id))).toEqual(["pass", "pass"]);
  });

  it("do not judge a cursor that was too old: the interface names no lifetime", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.isRefusedPage("INVALID_CURSOR", { cursor: "a", isOld: true });
    expect(client.verdict("list.cursor")).toBe("not-exercised");
  });
});

describe("list.restart", () => {
  const refused = () => {
    const client = new MadeUpClient();
    client.reads(
      { cursor: "a", rows: undefined },
      { code: "INVALID_CURSOR", status: 400, releasedAt: 1001, overAt: 1002 },
    );
    return client;
  };

  it("is not exercised if the cursor may already have been sent", () => {
    const client = refused();
    client.reads({ cursor: "a" }, { arrivedAt: 1100, connection: 2 });
    expect(client.verdict("list.restart")).toBe("not-exercised");
  });

  it("does not judge a cursor that two walks share with a frozen clock", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.reads({ next: "a" });
    client.isRefusedPage("INVALID_CURSOR", { cursor: "a" });
    client.wait(200).reads({ cursor: "a" }, { connection: 2 });
    expect(client.verdict("list.restart")).toBe("pass");
  });

  it("passes for the same cursor if it was issued again, as with a frozen clock", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.isRefusedPage("INVALID_CURSOR", { cursor: "a" }, { refusal: undefined });
    client.reads({ next: "a" });
    client.reads({ cursor: "a" });
    expect(client.verdict("list.restart")).toBe("pass");
  });

  it("is not exercised by a refusal that did not arrive", () => {
    const client = new MadeUpClient();
    client.isRefusedPage("CURSOR_FILTERS_CHANGED", { cursor: "a" }, { ending: "broken" });
    client.reads({ cursor: "a" });
    expect(client.verdict("list.restart")).toBe("not-exercised");
  });
});

describe("list.empty-page", () => {
  it("fails as long as the cursor of an empty page was not sent", () => {
    const client = new MadeUpClient();
    client.reads({ cursor: "first", next: "a", rows: 0 });
    expect(client.result("list.empty-page")).toMatchObject({ verdict: "fail", exchanges: ["1"] });
    client.reads({ cursor: "a", understood: false, rows: undefined, walk: "" }, { status: 503 });
    expect(client.result("list.empty-page")).toMatchObject({ verdict: "pass", exchanges: ["1"] });
  });

  it("passes for a cursor that was sent before, because it leads in a circle", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.reads({ cursor: "a", next: "a", rows: 0 });
    expect(client.failed).toEqual([]);
  });

  it.each([
    ["that is the last", { rows: 0 }, {}],
    ["with rows", { rows: 1, next: "a" }, {}],
    ["that did not arrive", { rows: 0, next: "a" }, { ending: "broken" as const }],
  ])("is not exercised by a page %s", (_what, page, change) => {
    const client = new MadeUpClient();
    client.reads(page, change);
    expect(client.verdict("list.empty-page")).toBe("not-exercised");
  });
});

describe("list.loop", () => {
  it("passes for repetitions after answers that did not arrive", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    for (let count = 0; count < 5; count++) client.reads({ cursor: "a", next: "b" }, { ending: "broken" });
    client.reads({ cursor: "a", next: "c" });
    expect(client.verdict("list.loop")).toBe("pass");
  });

  it("passes for walks with a frozen clock, which share their cursors, in sequence and in parallel", () => {
    const client = new MadeUpClient();
    for (let walk = 0; walk < 5; walk++) {
      client.reads({ next: "a" });
      client.reads({ cursor: "a" });
    }
    for (let walk = 0; walk < 5; walk++) client.reads({ next: "b" });
    for (let walk = 0; walk < 5; walk++) client.reads({ cursor: "b" });
    expect(client.verdict("list.loop")).toBe("pass");
  });

  it("fails for a client that follows a cursor that leads to another one and back", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    for (let round = 0; round < 3; round++) {
      client.reads({ cursor: "a", next: "b" });
      client.reads({ cursor: "b", next: "a" });
    }
    expect(client.failed).toEqual(["list.loop"]);
  });

  it("fails for a circle whose cursors are different texts each time", () => {
    const client = new MadeUpClient();
    client.reads({ next: "c1" });
    for (let page = 1; page <= 7; page++)
      client.reads({ cursor: `c${page}`, place: `${page % 3}`, next: `c${page + 1}` });
    expect(client.failed).toEqual(["list.loop"]);
    expect(client.result("list.loop").exchanges).toEqual(["2", "5", "8"]);
  });

  it("passes for parallel walks that get the same cursor on a later page", () => {
    const client = new MadeUpClient();
    for (const walk of [1, 2, 3, 4]) client.reads({ next: `first ${walk}` });
    for (const walk of [1, 2, 3, 4]) client.reads({ cursor: `first ${walk}`, place: "2", next: "second" });
    for (const _ of [1, 2, 3, 4]) client.reads({ cursor: "second", place: "3" });
    expect(client.verdict("list.loop")).toBe("pass");
  });

  it.each([
    ["none leads in a circle", "pass", 100],
    ["the last one leads in a circle of 20 pages", "fail", 20],
  ])("of eight parallel walks, %s: %s", { tags: "slow" }, (_, verdict, circle) => {
    const client = new MadeUpClient();
    const walks = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const walk of walks) client.reads({ next: `${walk} 0` });
    for (let page = 0; page < 100; page++)
      for (const walk of walks) {
        const place = walk === 8 ? page % circle : page;
        client.reads({ cursor: `${walk} ${page}`, place: `${place}`, next: `${walk} ${page + 1}` });
      }
    expect(client.failed).toEqual(verdict === "fail" ? ["list.loop"] : []);
  });

  it("does not judge a cursor that was dropped", () => {
    const client = new MadeUpClient();
    for (let round = 0; round < 3; round++)
      for (let page = 0; page <= mostCursors; page++) client.reads({ cursor: `cursor ${page}` });
    expect(client.verdict("list.loop")).toBe("pass");
  });
});
