import { describe, expect, it } from "vitest";
import { MadeUpClient } from "../observed.js";

/** The checks of the level `must` that fail a client. */
function condemned(client: MadeUpClient, finish?: "declared"): string[] {
  return client.examiner
    .results(undefined, finish)
    .flatMap(({ id, level, verdict }) => (level === "must" && verdict === "fail" ? [id] : []));
}

const renewed = {
  certificate: { replaces: true, hasEnded: false, hasOverlapEnded: false, chain: undefined, left: 1e9 },
};

// The shortest conversation of each innocent that the crowd found condemned before.
describe("innocent clients", () => {
  it("a stream that is sent while the refusal of another one is on its way", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { stream: 1, ordinal: 1 });
    client.isRefused("a", { stream: 3, ordinal: 2, arrivedAt: 2000, releasedAt: 2000, overAt: 2000.3 });
    client.uses("a", { stream: 5, ordinal: 3, arrivedAt: 2001, target: "/v1/payouts" });
    expect(condemned(client)).toEqual([]);
  });

  it("the same with the token of the old certificate, after a renewal", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { connection: 1, ordinal: 1 });
    const over = { connection: 2, begunAt: 1900, thumbprint: "new", ...renewed };
    const refused = { stream: 1, ordinal: 1, arrivedAt: 2000, releasedAt: 2000, overAt: 2000.3 };
    client.isRefused("a", { ...over, ...refused });
    client.isRefused("a", { ...over, stream: 3, ordinal: 2, arrivedAt: 2001, target: "/v1/payouts" });
    expect(condemned(client)).toEqual([]);
  });

  it("a worker that took the token before another one read its refusal, and waited long for a connection", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.does({ connection: 2, ordinal: 1, begunAt: 1000, arrivedAt: 1000 });
    client.isRefused("a", { arrivedAt: 2000, releasedAt: 2000, overAt: 2000 });
    client.uses("a", { arrivedAt: 3900, target: "/v1/payouts" });
    expect(condemned(client)).toEqual([]);
  });

  it("eight workers with one connection: seven wait for it with the token that the first one finds refused", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.isRefused("a");
    for (let worker = 2; worker <= 8; worker++) client.isRefused("a");
    client.asksForToken("b");
    expect(condemned(client)).toEqual([]);
  });

  it("a time-out gives up a stream whose refusal was delivered, and the request is sent again", () => {
    const client = new MadeUpClient();
    client.asksForToken("a", {}, { stream: 1, ordinal: 1 });
    client.isRefused("a", { stream: 3, ordinal: 2, arrivedAt: 5000, releasedAt: 5000, overAt: 5000 });
    client.isRefused("a", { stream: 5, ordinal: 3, arrivedAt: 6500 });
    expect(condemned(client)).toEqual([]);
  });

  it("a time-out gives up a refused cursor that was delivered, and closes its connection", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.isRefusedPage("INVALID_CURSOR", { cursor: "a" }, { ordinal: 2, arrivedAt: 2000, releasedAt: 2000 });
    const again = { connection: 2, ordinal: 1, begunAt: 2300, arrivedAt: 2301 };
    client.isRefusedPage("INVALID_CURSOR", { cursor: "a" }, { ...again, refusal: undefined });
    client.reads();
    expect(condemned(client)).not.toContain("list.restart");
  });

  it("three calls that report an error after one renewal each", () => {
    const client = new MadeUpClient();
    for (const call of ["/v1/ping", "/v1/payments", "/v1/payouts"])
      for (const attempt of [1, 2]) {
        client.asksForToken(`${call} ${attempt}`);
        client.isRefused(`${call} ${attempt}`, { target: call });
      }
    expect(condemned(client)).toEqual([]);
  });

  it("six workers that walk the same list, and begin again once each", () => {
    const client = new MadeUpClient();
    const workers = [1, 2, 3, 4, 5, 6, 7];
    for (const connection of workers) client.reads({ next: `a${connection}` }, { connection });
    for (const connection of workers) {
      client.isRefusedPage("INVALID_CURSOR", { cursor: `a${connection}` }, { connection, refusal: undefined });
      client.reads({ next: `b${connection}` }, { connection });
    }
    expect(condemned(client)).toEqual([]);
  });

  it("a client that reads the first page only, and gets an empty one", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a", rows: 0 });
    expect(condemned(client, "declared")).toEqual([]);
  });

  it("a client that reports an error before it can ask for the page after an empty one", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.reads({ cursor: "a", next: "b", rows: 0 });
    client.asksForToken(undefined, {}, { status: 503, code: "SERVICE_UNAVAILABLE" });
    expect(condemned(client)).toEqual([]);
  });

  it("a cursor whose lifetime is really over: the interface names none", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" });
    client.wait(600).isRefusedPage("INVALID_CURSOR", { cursor: "a", isOld: true });
    client.reads();
    expect(condemned(client)).toEqual([]);
  });

  it("a given-up request that is read after its repetition, when its token has ended", () => {
    const client = new MadeUpClient();
    client.asksForToken("a");
    client.reads({ cursor: "c" }, { connection: 2, token: "a", tokenSent: "header" });
    const late = { status: 401, invalidToken: true, token: "a", tokenSent: "header" as const };
    client
      .wait(2000)
      .reads({ cursor: "c", understood: false, rows: undefined }, { connection: 3, ordinal: 2, ...late });
    expect(condemned(client, "declared")).toEqual([]);
  });
});
