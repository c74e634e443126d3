import { describe, expect, it } from "vitest";
import { MadeUpClient } from "./observed.js";

const broken = { status: 0, ending: "broken" } as const;

describe("h2.refused-retried", () => {
  it("passes once the request is sent again, on any connection", () => {
    const client = new MadeUpClient();
    const refused = client.does({ ...broken, http2Fault: "refused" });
    client.does({ target: "/v1/payments" });
    expect(client.verdict("h2.refused-retried")).toBe("fail");
    client.wait(50).does();
    expect(client.result("h2.refused-retried")).toMatchObject({ verdict: "pass", exchanges: [String(refused)] });
  });

  it("requires one repetition for each of several refused requests that are the same", () => {
    const client = new MadeUpClient();
    const refused = { ...broken, http2Fault: "refused", arrivedAt: 1000, releasedAt: 1010, overAt: 1010 } as const;
    client.does({ ...refused, stream: 1 });
    const second = client.does({ ...refused, stream: 3 });
    client.does({ stream: 5, arrivedAt: 2000, releasedAt: 2001, overAt: 2002 });
    expect(client.result("h2.refused-retried")).toMatchObject({ verdict: "fail", exchanges: [String(second)] });
    client.does({ stream: 7, arrivedAt: 2010, releasedAt: 2011, overAt: 2012 });
    expect(client.verdict("h2.refused-retried")).toBe("pass");
  });

  it("does not pass with the same request at the same time, which arrived before and ended later", () => {
    const client = new MadeUpClient();
    const refused = client.does({
      ...broken,
      http2Fault: "refused",
      stream: 1,
      arrivedAt: 1000,
      releasedAt: 1010,
      overAt: 1011,
    });
    client.does({ stream: 3, arrivedAt: 1001, releasedAt: 1020, overAt: 1021 });
    expect(client.result("h2.refused-retried")).toMatchObject({ verdict: "fail", exchanges: [String(refused)] });
  });

  it("passes for a client whose library writes the query in another order the next time", () => {
    const client = new MadeUpClient();
    client.does({ ...broken, http2Fault: "refused", target: "/v1/payments?status=PAID&pageSize=5" });
    client.wait(50).does({ target: "/v1/payments?pageSize=5&status=PAID" });
    expect(client.verdict("h2.refused-retried")).toBe("pass");
  });

  it("is not exercised by a stream that is reset, or over HTTP/1.1", () => {
    const client = new MadeUpClient();
    client.does(broken);
    client.does();
    expect(client.verdict("h2.refused-retried")).toBe("not-exercised");
  });
});

describe("h2.goaway", () => {
  it("does not pass with an earlier request on another connection", () => {
    const client = new MadeUpClient();
    client.does({ http2Fault: "goaway-before", ...broken, stream: 1, arrivedAt: 1000, releasedAt: 1010, overAt: 1011 });
    client.does({ connection: 2, arrivedAt: 1001, releasedAt: 1600, overAt: 1601 });
    expect(client.verdict("h2.goaway")).toBe("fail");
  });

  it("passes if the next request arrives on another connection", () => {
    const client = new MadeUpClient();
    const told = client.does({ http2Fault: "goaway" });
    expect(client.verdict("h2.goaway")).toBe("not-exercised");
    client.does({ connection: 2, ordinal: 1 });
    expect(client.result("h2.goaway")).toMatchObject({ verdict: "pass", exchanges: [String(told)] });
  });

  it("drops the oldest requests if there are too many", () => {
    const client = new MadeUpClient();
    for (let connection = 1; connection <= 200; connection++)
      client.does({ ...broken, connection, target: `/v1/${connection}`, http2Fault: "goaway-before" });
    expect(client.result("h2.goaway").exchanges).not.toContain("1");
  });
});
