import { describe, expect, it } from "vitest";
import { mostRequests } from "../../src/exam/known/attempts.js";
import { MadeUpClient } from "./observed.js";

type Change = NonNullable<Parameters<MadeUpClient["does"]>[0]>;

/** Fails this many times, with a pause before each repetition. */
function failing(times: number, pause: number, change: Change = {}): MadeUpClient {
  const client = new MadeUpClient();
  for (let count = 0; count < times; count++) client.wait(count === 0 ? 0 : pause).fails(503, change);
  return client;
}

describe("retry.after", () => {
  const asked = { wait: 1000, grace: 50 };

  it.each([
    [949, "fail"],
    [950, "pass"],
  ])("a repetition %d ms after the answer was passed to the connection: %s", (interval, verdict) => {
    const client = new MadeUpClient();
    client.fails(503, { arrivedAt: 1000, releasedAt: 2000, overAt: 2050, retryAfter: asked });
    client.does({ arrivedAt: 2000 + interval });
    expect(client.verdict("retry.after")).toBe(verdict);
    expect(client.result("retry.after").exchanges).toEqual(verdict === "fail" ? ["1", "2"] : ["2"]);
  });

  it.each([
    ["another request", { target: "/v1/other" }],
    ["another method", { method: "POST" }],
    ["with another scenario or clock", { epoch: 1 }],
    ["with a scenario of its header", { scenario: "internal-error-once" }],
    ["of another client", { client: "other" }],
    ["that was already sent", { arrivedAt: 1500 }],
  ])("does not judge %s", (_what, change) => {
    const client = new MadeUpClient();
    client.fails(503, { arrivedAt: 1000, releasedAt: 2000, overAt: 2000, retryAfter: asked });
    client.does({ arrivedAt: 2100, ...change });
    expect(client.verdict("retry.after")).toBe("not-exercised");
  });

  it.each<[string, Change, Change, string]>([
    ["on another connection that was already open", {}, { connection: 2, arrivedAt: 2099 }, "not-exercised"],
    ["on that connection, too late to have been sent before", {}, { connection: 2, arrivedAt: 2100 }, "fail"],
    [
      "on a connection that was opened afterwards",
      {},
      { connection: 2, ordinal: 1, begunAt: 2001, arrivedAt: 2002 },
      "fail",
    ],
    [
      "on such a connection, although the first one was idle and had been used again",
      { ordinal: 2 },
      { connection: 2, ordinal: 1, begunAt: 2001, arrivedAt: 2002 },
      "not-exercised",
    ],
    [
      "on such a connection, because the first one was broken",
      { ordinal: 2, keptOpen: false },
      { connection: 2, ordinal: 1, begunAt: 2001, arrivedAt: 2002 },
      "fail",
    ],
  ])("distinguishes parallel requests from repetitions: %s", (_where, before, change, verdict) => {
    const client = new MadeUpClient();
    client.fails(503, { ordinal: 1, arrivedAt: 1000, releasedAt: 2000, overAt: 2000, retryAfter: asked, ...before });
    client.does({ ordinal: 2, ...change });
    expect(client.verdict("retry.after")).toBe(verdict);
  });

  it.each<[string, Change, Change, string]>([
    ["sent after the end of the first stream", { overAt: 2001 }, { arrivedAt: 2002 }, "fail"],
    ["read together with the first", { overAt: 2003 }, { arrivedAt: 2002 }, "not-exercised"],
  ])("a request on another stream of the connection: %s", (_when, before, change, verdict) => {
    const client = new MadeUpClient();
    const released = { arrivedAt: 1999, releasedAt: 2000, retryAfter: asked };
    client.fails(503, { stream: 1, ordinal: 1, ...released, ...before });
    client.does({ stream: 3, ordinal: 2, ...change });
    expect(client.verdict("retry.after")).toBe(verdict);
  });

  it("parallel streams of a client do not count as repetitions", () => {
    const client = new MadeUpClient();
    client.does({ stream: 1, ordinal: 1, target: "/v1/other", arrivedAt: 1000, releasedAt: 1001, overAt: 1003 });
    client.does({ stream: 3, ordinal: 2, target: "/v1/other", arrivedAt: 1002, releasedAt: 1002, overAt: 1004 });
    client.fails(503, { stream: 5, ordinal: 3, arrivedAt: 1990, releasedAt: 2000, overAt: 2001, retryAfter: asked });
    client.does({ stream: 7, ordinal: 4, arrivedAt: 2002 });
    expect(client.verdict("retry.after")).toBe("not-exercised");
  });

  it("a connection that was opened while another request was open is a parallel one", () => {
    const client = new MadeUpClient();
    client.fails(503, { ordinal: 1, arrivedAt: 1000, releasedAt: 2000, overAt: 2000, retryAfter: asked });
    client.does({ connection: 2, target: "/v1/other", ordinal: 1, begunAt: 1990, arrivedAt: 1999, releasedAt: 2010 });
    client.does({ connection: 3, ordinal: 1, begunAt: 2005, arrivedAt: 2015 });
    expect(client.verdict("retry.after")).toBe("not-exercised");
  });

  it("compares bodies that were read", () => {
    const client = new MadeUpClient();
    client.fails(429, { body: "one", retryAfter: asked });
    client.does({ body: "two" });
    expect(client.verdict("retry.after")).toBe("not-exercised");
    client.fails(429, { retryAfter: asked });
    client.does({ body: "two" });
    expect(client.failed).toEqual(["retry.after"]);
  });

  it("allows for a separate wait of each client that shares an identity", () => {
    const client = new MadeUpClient();
    const other = { connection: 2, ordinal: 2 };
    // Two clients: they have requests open at the same time.
    client.does({ target: "/v1/other", arrivedAt: 1000, releasedAt: 1020, overAt: 1020 });
    client.does({ target: "/v1/another", arrivedAt: 1010, releasedAt: 1030, overAt: 1030, ...other });
    const answered = (at: number) => ({ arrivedAt: at - 10, releasedAt: at, overAt: at, retryAfter: asked });
    client.fails(503, answered(2000));
    client.fails(503, { ...answered(2015), ...other, ordinal: 3 });
    client.does({ arrivedAt: 2990 });
    expect(client.verdict("retry.after")).toBe("pass");
  });

  it("does not judge a request that was open twice at once within the last second", () => {
    const client = new MadeUpClient();
    client.fails(503, { arrivedAt: 1990, releasedAt: 2000, overAt: 2000, retryAfter: asked });
    client.fails(503, { connection: 2, arrivedAt: 1995, releasedAt: 2005, overAt: 2005, retryAfter: asked });
    client.does({ arrivedAt: 2200 });
    client.does({ connection: 2, arrivedAt: 2210 });
    expect(client.verdict("retry.after")).toBe("not-exercised");
    expect(client.verdict("retry.bounded")).toBe("not-exercised");
  });
});

describe("retry.paced", () => {
  it.each([
    [4, 99, "fail"],
    [9, 100, "pass"],
  ])("%d failures, each %d ms after the one before: %s", (times, pause, verdict) => {
    // A millisecond passes after each answer.
    expect(failing(times, pause - 1).verdict("retry.paced")).toBe(verdict);
  });

  it.each([
    ["408", { status: 408 }],
    ["429", { status: 429 }],
    ["a broken connection", { status: 0, ending: "broken" as const }],
  ])("counts %s", (_what, change) => {
    const client = new MadeUpClient();
    for (let count = 0; count < 4; count++) client.does(change);
    expect(client.failed).toEqual(["retry.paced"]);
    expect(client.result("retry.paced").exchanges).toEqual(["2", "3", "4"]);
  });

  it("fails also when the last repetition succeeds", () => {
    const client = failing(3, 1);
    client.does();
    expect(client.failed).toEqual(["retry.paced"]);
  });

  it("starts counting again after another outcome", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 10; count++) {
      client.fails(500);
      client.fails(500);
      client.does(count % 2 === 0 ? {} : { status: 401 });
    }
    expect(client.failed).toEqual([]);
  });

  it("does not blame a client whose own time-out ended the request", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 5; count++) {
      const at = 1000 + count * 501;
      const times = { arrivedAt: at, releasedAt: at + 500, overAt: at + 500 };
      client.does({ ...times, status: 0, ending: "broken", endedByClient: true });
    }
    expect(client.verdict("retry.paced")).toBe("pass");
    expect(client.verdict("retry.bounded")).toBe("pass");
  });

  it("does not count parallel requests as repetitions", () => {
    const client = new MadeUpClient();
    for (let count = 0; count < 50; count++)
      client.fails(503, { arrivedAt: 1000, releasedAt: 1100 + count, overAt: 1100 + count });
    expect(client.failed).toEqual([]);
    expect(client.verdict("retry.bounded")).toBe("not-exercised");
  });
});

describe("retry.bounded", () => {
  it("is not exercised by a failure that is not repeated", () => {
    expect(failing(1, 0).verdict("retry.bounded")).toBe("not-exercised");
  });
});

describe("retry.permanent", () => {
  it("does not fail for a client that did not get the refusal", () => {
    const client = new MadeUpClient();
    for (let time = 0; time < 4; time++) client.does({ status: 400, code: "BAD_REQUEST", ending: "broken" });
    expect(client.verdict("retry.permanent")).toBe("not-exercised");
  });

  it("judges each of two bodies separately", () => {
    const client = new MadeUpClient();
    const send = (body: string, change: Change = {}) => client.wait(10).does({ method: "POST", body, ...change });
    for (let round = 0; round < 3; round++) {
      send("one", { status: 400 });
      send("two", round === 0 ? {} : { status: 400 });
    }
    expect(client.failed).toEqual(["retry.permanent"]);
    expect(client.result("retry.permanent").exchanges).toEqual(["1", "3", "5"]);
  });

  it.each([400, 403, 404, 405])("fails for a request that is sent a third time after %d", (status) => {
    const client = new MadeUpClient();
    client.fails(status);
    client.fails(status);
    expect(client.verdict("retry.permanent")).toBe("pass");
    client.does();
    expect(client.failed).toEqual(["retry.permanent"]);
    expect(client.result("retry.permanent").exchanges).toEqual(["1", "2", "3"]);
  });

  it.each([
    ["400 EXAMPLE_ERROR", { status: 400, code: "EXAMPLE_ERROR" }],
    ["400 INVALID_CURSOR", { status: 400, code: "INVALID_CURSOR" }],
    ["400 CURSOR_FILTERS_CHANGED", { status: 400, code: "CURSOR_FILTERS_CHANGED" }],
    ["401", { status: 401 }],
  ])("is not exercised by %s", (_what, change) => {
    const client = new MadeUpClient();
    for (let count = 0; count < 5; count++) client.does(change);
    expect(client.verdict("retry.permanent")).toBe("not-exercised");
  });

  it("passes if there was another outcome in between", () => {
    const client = new MadeUpClient();
    for (const status of [404, 503, 404, 200, 404, 401, 404, 503, 404]) client.wait(200).fails(status);
    expect(client.failed).toEqual([]);
  });
});

it("the oldest requests are dropped", () => {
  const client = new MadeUpClient();
  client.fails(404, { target: "/first" });
  client.fails(404, { target: "/first" });
  for (let count = 0; count < mostRequests; count++) client.fails(404, { target: `/${count}/${"x".repeat(1000)}` });
  client.fails(404, { target: "/first" });
  expect(client.failed).toEqual([]);
});

describe("a request that its client gave up", () => {
  const hangs = { status: 0, ending: "broken", endedByClient: true } as const;

  it("has failed, although its stream is still open when it is sent again on another connection", () => {
    const client = new MadeUpClient();
    // The observation of the stream comes last: it ends with its connection.
    client.does({
      connection: 2,
      stream: 1,
      ordinal: 1,
      begunAt: 9001,
      arrivedAt: 9005,
      releasedAt: 9006,
      overAt: 9006,
    });
    const repetition = String(client.id);
    client.does({ ...hangs, stream: 3, ordinal: 2, arrivedAt: 1000, releasedAt: 9500, overAt: 9500 });
    expect(client.result("retry.bounded")).toMatchObject({ verdict: "pass", exchanges: [repetition] });
  });

  it.each([
    ["before", 4990, 5003],
    ["after", 5001, 5010],
  ])("is repeated on a connection that is accepted %s the old one is closed", (_what, begunAt, arrivedAt) => {
    const client = new MadeUpClient();
    client.does({ ...hangs, ordinal: 2, arrivedAt: 2000, releasedAt: 5000, overAt: 5000 });
    client.does({ connection: 2, ordinal: 1, begunAt, arrivedAt, releasedAt: 5020, overAt: 5020 });
    expect(client.result("retry.bounded")).toMatchObject({ verdict: "pass", exchanges: ["2"] });
  });

  it("is repeated although the end of its connection is read after the repetition", () => {
    const client = new MadeUpClient();
    client.does({ connection: 2, ordinal: 1, begunAt: 4990, arrivedAt: 4997, releasedAt: 4998, overAt: 4998 });
    client.does({ ...hangs, ordinal: 2, arrivedAt: 2000, releasedAt: 5000, overAt: 5000 });
    expect(client.result("retry.bounded")).toMatchObject({ verdict: "pass", exchanges: ["1"] });
  });

  it("is not repeated by a parallel request", () => {
    const client = new MadeUpClient();
    client.does({ connection: 2, arrivedAt: 2001, releasedAt: 2010, overAt: 2010 });
    client.does({ ...hangs, arrivedAt: 2000, releasedAt: 2500, overAt: 2500 });
    expect(client.verdict("retry.bounded")).toBe("not-exercised");
  });
});

describe("repetitions on two connections of a pool", () => {
  const on = (client: MadeUpClient, connection: number, ordinal: number) => ({
    connection,
    ordinal,
    begunAt: ordinal === 1 ? client.now - 1 : 900,
  });

  it("are recognised: four immediate ones are not paced", () => {
    const client = new MadeUpClient();
    for (const [connection, ordinal] of [
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
      [1, 3],
    ] as const)
      client.wait(10).fails(500, on(client, connection, ordinal));
    expect(client.failed).toEqual(["retry.paced"]);
  });

  it("exercise retry.bounded, even if a connection is opened for the repetition", () => {
    const client = new MadeUpClient();
    client.does(on(client, 1, 1));
    client.fails(500, on(client, 1, 2));
    client.wait(5).does(on(client, 2, 1));
    expect(client.verdict("retry.bounded")).toBe("pass");
  });
});

describe("retry.backoff", () => {
  it.each([
    [10, 105, "fail"],
    [7, 290, "fail"],
    [6, 105, "not-exercised"],
    [10, 301, "pass"],
  ])("%d failures, %d ms apart: %s", (times, pause, verdict) => {
    expect(failing(times, pause).verdict("retry.backoff")).toBe(verdict);
  });

  it("fails although a busy machine makes some pauses longer", () => {
    const client = new MadeUpClient();
    for (const pause of [0, 100, 190, 106, 108, 400, 105, 107, 106, 105]) client.wait(pause).fails(500);
    expect(client.verdict("retry.backoff")).toBe("fail");
  });

  it("passes for pauses that grow by a step", () => {
    const client = new MadeUpClient();
    for (const pause of [0, 100, 150, 200, 250, 300, 350, 400]) client.wait(pause).fails(500);
    expect(client.verdict("retry.backoff")).toBe("pass");
  });
});
