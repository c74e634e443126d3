import { describe, expect, it } from "vitest";
import { MadeUpClient } from "./observed.js";

const reset = { status: 0, ending: "broken" } as const;

describe("retry.recovers", () => {
  it.each([
    ["408", { status: 408 }],
    ["429", { status: 429 }],
    ["a broken connection", reset],
  ])("fails for a request that failed with %s and is never sent again", (_what, change) => {
    const client = new MadeUpClient();
    const id = client.does(change);
    client.does({ target: "/v1/other" });
    expect(client.result("retry.recovers")).toMatchObject({
      verdict: "fail",
      level: "should",
      exchanges: [String(id)],
    });
    client.wait(100).does();
    expect(client.verdict("retry.recovers")).toBe("pass");
  });

  it("passes for a client that gives up after several attempts", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 4; count++) client.wait(200).fails(500);
    expect(client.verdict("retry.recovers")).toBe("pass");
  });

  it.each([
    ["/v1/ping?", "/v1/ping"],
    ["/v1/payments?status=PAID&pageSize=5", "/v1/payments?pageSize=5&status=PAID"],
    [
      "/v1/payments?fromCreatedAt=2026-01-01T00:00:00%2B01:00",
      "/v1/payments?fromCreatedAt=2026-01-01T00%3A00%3A00%2B01%3A00",
    ],
  ])("passes for a client whose library writes %s as %s the next time", (first, second) => {
    const client = new MadeUpClient();
    client.does({ ...reset, target: first });
    client.wait(100).does({ target: second });
    expect(client.verdict("retry.recovers")).toBe("pass");
  });

  it.each([
    ["/v1/payments?pageSize=5", "/v1/payments?pageSize=6"],
    ["/v1/payments?a=1&a=2", "/v1/payments?a=2&a=1"],
    ["/v1/payments?a=1%262", "/v1/payments?a=1&2"],
  ])("does not take %s for %s", (first, second) => {
    const client = new MadeUpClient();
    client.does({ ...reset, target: first });
    client.wait(100).does({ target: second });
    expect(client.verdict("retry.recovers")).toBe("fail");
  });

  it("passes for a client that begins its walk again", () => {
    const client = new MadeUpClient();
    client.reads({ next: "a" }, { target: "/v1/payments" });
    client.reads({ cursor: "a", rows: undefined }, { ...reset, target: "/v1/payments?cursor=a" });
    client.reads({ next: "b" }, { target: "/v1/payments" });
    expect(client.verdict("retry.recovers")).toBe("pass");
  });

  it.each([
    ["a token request", { ...reset, method: "POST" }],
    ["501", { status: 501 }],
    ["400", { status: 400 }],
    ["a time-out of the client", { ...reset, endedByClient: true }],
    ["a stream that was refused", { ...reset, http2Fault: "refused" as const }],
    ["a wait of a minute", { status: 503, retryAfter: { wait: 60_000, grace: 50 } }],
  ])("is not exercised by %s", (_what, change) => {
    const client = new MadeUpClient();
    client.does(change);
    expect(client.verdict("retry.recovers")).toBe("not-exercised");
  });

  it("does not judge parallel requests", () => {
    const client = new MadeUpClient();
    client.fails(500, { arrivedAt: 1000, releasedAt: 1020, overAt: 1020 });
    client.fails(500, { connection: 2, arrivedAt: 1010, releasedAt: 1030, overAt: 1030 });
    expect(client.verdict("retry.recovers")).toBe("not-exercised");
  });
});

describe("retry.others", () => {
  const told = { retryAfter: { wait: 2000, grace: 50 } };
  const others = (client: MadeUpClient, count: number, change: Parameters<MadeUpClient["does"]>[0] = {}) => {
    for (let place = 0; place < count; place++) client.wait(150).does({ target: `/v1/${place}`, ...change });
  };

  it.each([
    [2, "pass"],
    [3, "fail"],
  ])("%d other requests during the wait: %s", (count, verdict) => {
    const client = new MadeUpClient();
    client.fails(503, told);
    others(client, count);
    client.wait(2000).does();
    expect(client.verdict("retry.others")).toBe(verdict);
  });

  it("does not count requests on their way, token requests, or those after a repetition", () => {
    const client = new MadeUpClient();
    client.fails(429, told);
    for (const place of [1, 2, 3, 4]) client.wait(10).does({ target: `/v1/${place}`, connection: 2 });
    others(client, 5, { operation: "token", method: "POST" });
    client.does();
    others(client, 5);
    expect(client.verdict("retry.others")).toBe("not-exercised");
  });

  it.each([
    ["over HTTP/1.1", {}, "fail"],
    ["over HTTP/2", { stream: 3 }, "fail"],
    ["on another connection", { connection: 2 }, "not-exercised"],
  ])("three others within 100 ms, one at a time, %s: %s", (_where, change, verdict) => {
    const client = new MadeUpClient();
    client.fails(429, { ...told, ...("stream" in change && { stream: 1 }) });
    for (const place of [1, 2, 3]) client.wait(5).does({ target: `/v1/${place}`, ...change });
    expect(client.verdict("retry.others")).toBe(verdict);
  });

  it("of a client with parallel requests, counts only those that are refused as well", () => {
    const parallel = () => {
      const client = new MadeUpClient();
      client.does({ target: "/v1/a", arrivedAt: 1000, releasedAt: 1020, overAt: 1020 });
      client.does({ target: "/v1/b", arrivedAt: 1010, releasedAt: 1030, overAt: 1030, connection: 2 });
      client.fails(503, { retryAfter: { wait: 9000, grace: 50 } });
      return client;
    };
    const good = parallel();
    others(good, 30);
    const gentle = parallel();
    others(gentle, 9, { status: 429, ...told });
    const rude = parallel();
    others(rude, 10, { status: 429, ...told });
    expect([good, gentle, rude].map((client) => client.verdict("retry.others"))).toEqual([
      "not-exercised",
      "not-exercised",
      "fail",
    ]);
  });
});

describe("two walks of a list at the same time", () => {
  it("repeat their own requests", () => {
    const client = new MadeUpClient();
    const target = (size: number) => ({ target: `/v1/payouts?pageSize=${size}`, status: 500 });
    const page = { rows: undefined };
    for (const _ of [1, 2, 3]) for (const size of [7, 5]) client.wait(300).reads(page, target(size));
    expect(client.verdict("retry.recovers")).toBe("pass");
  });
});

describe("an error that was provoked on purpose", () => {
  const expected = { code: "SERVICE_UNAVAILABLE", expected: "SERVICE_UNAVAILABLE" };

  it("is no part of a row of failures, and tells nobody to wait", () => {
    const client = new MadeUpClient();
    const retryAfter = { wait: 30_000, grace: 50 };
    for (let time = 0; time < 20; time++) client.fails(503, { ...expected, retryAfter });
    client.does();
    expect(client.failed).toEqual([]);
  });

  it("does not hide a failure that was not expected", () => {
    const client = new MadeUpClient();
    client.fails(503, expected);
    client.fails(503);
    expect(client.failed).toEqual(["retry.recovers"]);
  });
});
