import { describe, expect, it } from "vitest";
import { MadeUpClient } from "./observed.js";

const ofFinished = (client: MadeUpClient, id: string) =>
  client.examiner.results(undefined, "declared").find((result) => result.id === id);
const failedOfFinished = (client: MadeUpClient) =>
  client.examiner.results(undefined, "declared").flatMap(({ id, verdict }) => (verdict === "fail" ? [id] : []));
const noPage = { rows: undefined, understood: false };

/** Reads two pages of three. */
function twoPages(): MadeUpClient {
  const client = new MadeUpClient();
  client.reads({ next: "a" });
  client.reads({ cursor: "a", next: "b" });
  return client;
}

describe("list.complete", () => {
  it("is not exercised as long as nobody says that the client has finished", () => {
    expect(twoPages().verdict("list.complete")).toBe("not-exercised");
  });

  it.each([
    ["the last page was read", (client: MadeUpClient) => client.reads({ cursor: "b" })],
    ["the last cursor was refused", (client: MadeUpClient) => client.isRefusedPage("INVALID_CURSOR", { cursor: "b" })],
    ["the last page failed", (client: MadeUpClient) => client.reads({ cursor: "b", ...noPage }, { status: 503 })],
    ["the walk leads in a circle", (client: MadeUpClient) => client.reads({ cursor: "b", next: "a" })],
  ])("does not fail if %s", (_what, last) => {
    const client = twoPages();
    last(client);
    expect(ofFinished(client, "list.complete")?.verdict).toBe("pass");
  });

  // A client can lose an answer that was delivered. Each answer has another cursor.
  it.each([
    ["the newer one", ["b", "c"], "c", undefined],
    ["the older one", ["b", "c"], "b", undefined],
    ["one that is over after it was continued", ["c"], "c", "b"],
  ] as const)("takes one of the cursors of a page that was requested twice: %s", (_which, nexts, sent, late) => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    for (const next of nexts) client.reads({ cursor: "a", next });
    expect(ofFinished(client, "list.complete")?.verdict).toBe("fail");
    client.reads({ cursor: sent });
    if (late !== undefined) client.reads({ cursor: "a", next: late });
    expect(ofFinished(client, "list.complete")?.verdict).toBe("pass");
  });

  it("does not fail for a client that reads the first page only, or at an empty page", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.reads({ cursor: "x", next: "y", rows: 0 });
    expect(failedOfFinished(client)).toEqual(["list.empty-page"]);
  });
});

describe("list.lost-page", () => {
  const lost = [
    ["a broken one", { ...noPage }, { ending: "broken", status: 200 }],
    ["a 503", { ...noPage }, { status: 503 }],
    ["a 401", { ...noPage }, { status: 401 }],
    ["HTML", { ...noPage }, { status: 200 }],
    ["a redirect", { ...noPage }, { status: 307 }],
  ] as const;

  it.each(lost)("fails for %s that was never delivered", (_what, page, change) => {
    const client = new MadeUpClient();
    client.reads({ cursor: "a", ...page }, change);
    expect(ofFinished(client, "list.lost-page")).toMatchObject({ verdict: "fail", exchanges: ["1"] });
  });

  it.each(lost)("passes for %s that was read after all, or whose walk was begun again", (_what, page, change) => {
    const again = new MadeUpClient();
    again.reads({ cursor: "a", ...page }, change);
    again.reads({ cursor: "a" });
    expect(ofFinished(again, "list.lost-page")).toMatchObject({ verdict: "pass", exchanges: ["1"] });
    const begun = new MadeUpClient();
    begun.reads({ cursor: "a", ...page }, change);
    begun.reads();
    expect(ofFinished(begun, "list.lost-page")?.verdict).toBe("pass");
  });

  it("passes for a client whose library writes the query in another order the next time", () => {
    const client = new MadeUpClient();
    client.reads({ cursor: "a", ...noPage }, { status: 503, target: "/v1/payments?cursor=a&pageSize=5" });
    client.reads({ cursor: "a" }, { target: "/v1/payments?pageSize=5&cursor=a" });
    expect(ofFinished(client, "list.lost-page")).toMatchObject({ verdict: "pass", exchanges: ["1"] });
  });

  it("does not fail for an attempt that was given up for another one, whose end was read later", () => {
    const client = new MadeUpClient();
    const arrivedAt = client.now;
    client.wait(3000).reads({ cursor: "a" }, { connection: 2 });
    client.reads({ cursor: "a", ...noPage }, { ending: "abandoned", status: 0, arrivedAt, endedByClient: true });
    expect(ofFinished(client, "list.lost-page")?.verdict).toBe("not-exercised");
  });

  it("does not fail for an error that was expected, or that no repetition changes", () => {
    const client = new MadeUpClient();
    client.reads(
      { cursor: "a", ...noPage },
      { status: 503, code: "SERVICE_UNAVAILABLE", expected: "SERVICE_UNAVAILABLE" },
    );
    client.reads({ ...noPage }, { status: 403, code: "FORBIDDEN" });
    expect(failedOfFinished(client)).toEqual([]);
  });
});

describe("list.begun-again", () => {
  it("fails for a refused cursor whose walk is not begun again with the same filters", () => {
    const client = twoPages();
    client.isRefusedPage("CURSOR_FILTERS_CHANGED", { cursor: "b", walk: "payments changed" });
    client.reads({ walk: "payments other" });
    expect(ofFinished(client, "list.begun-again")).toMatchObject({ verdict: "fail", exchanges: ["3"] });
    client.reads();
    expect(ofFinished(client, "list.begun-again")?.verdict).toBe("pass");
  });

  it("does not fail for what is no cursor of a walk", () => {
    const client = new MadeUpClient();
    client.isRefusedPage("INVALID_CURSOR", { cursor: "made-up" });
    expect(ofFinished(client, "list.begun-again")?.verdict).toBe("not-exercised");
  });
});

describe("list.restarts", () => {
  const restarted = (times: number) => {
    const client = new MadeUpClient();
    for (let time = 0; time <= times; time++) {
      client.reads({ next: `a${time}` });
      client.isRefusedPage("INVALID_CURSOR", { cursor: `a${time}` });
    }
    return client;
  };

  it("counts anew after a walk that came to its end", () => {
    const client = restarted(4);
    client.reads({ next: "z" });
    client.reads({ cursor: "z" });
    for (const cursor of ["p", "q", "r"]) {
      client.reads({ next: cursor });
      client.isRefusedPage("INVALID_CURSOR", { cursor });
    }
    expect(client.verdict("list.restarts")).toBe("pass");
  });

  it("counts a list that is refused without a cursor, too", () => {
    const client = new MadeUpClient();
    for (let time = 0; time <= 6; time++) client.isRefusedPage("INVALID_CURSOR");
    expect(client.verdict("list.restarts")).toBe("fail");
  });
});
