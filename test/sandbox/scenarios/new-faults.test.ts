import { describe, expect, it } from "vitest";
import { start } from "../api/harness.js";
import { choose, faultOf, type ScenarioHarness, under } from "./through-the-api.js";

const tokenForm = "grant_type=client_credentials&client_id=demo&scope=read";

describe("alter", () => {
  it("patches the body of a token (RFC 7396)", async () => {
    const { harness } = await under(
      "{ name: a, when: { operation: token }, then: { alter: { body: { expires_in: 30, refresh_token: r, scope: null } } } }",
    );
    const answer = await harness.postToken(tokenForm, { headers: choose("it") });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      token_type: "bearer",
      expires_in: 30,
      refresh_token: "r",
    });
    expect(faultOf(answer)).toMatch(/^it\/a#1;seed=/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.exchange?.answerBody).toBe(answer.text);
    // The token is valid.
    expect((await harness.get("/v1/ping", { token: answer.json.access_token })).status).toBe(200);
  });

  it("sets and removes headers, whatever their case, and the status", async () => {
    const { get } = await under(
      '{ then: { alter: { status: 203, headers: { content-type: text/plain, X-New: "1", x-correlation-id: null } } } }',
    );
    const answer = await get("/v1/ping");
    expect(answer.status).toBe(203);
    expect(answer.headers.get("Content-Type")).toBe("text/plain");
    expect(answer.headers.get("X-New")).toBe("1");
    expect(answer.headers.get("X-Correlation-ID")).toBeNull();
  });

  it("patches each row, and sets null", async () => {
    const { get } = await under(
      "{ then: { alter: { rows: { category: new, amount: { currency: null } }, setNull: [items.reference, nextCursor, items.none.x] } } }",
    );
    const answer = await get("/v1/payments?pageSize=3");
    expect(answer.json.items).toHaveLength(3);
    expect(answer.json.nextCursor).toBeNull();
    for (const row of answer.json.items) {
      expect(row).toMatchObject({ category: "new", reference: null });
      expect(Object.keys(row.amount)).toEqual(["value"]);
    }
  });

  it("replaces the whole body by any value that is not an object", async () => {
    expect((await (await under("{ then: { alter: { body: [] } } }")).get("/v1/ping")).text).toBe("[]");
    expect((await (await under("{ then: { alter: { body: null } } }")).get("/v1/ping")).text).toBe("null");
    const { get } = await under("{ then: { alter: { status: 204 } } }");
    expect((await get("/v1/ping")).text).toBe("");
  });

  it("acts on refusals of the operation, but not on those before the token was accepted", async () => {
    const { harness, get } = await under("{ limit: 1, then: { alter: { body: { details: [] } } } }");
    const without = await harness.send("/v1/ping", { headers: choose("it") });
    expect([without.status, without.json.details, faultOf(without)]).toEqual([401, undefined, null]);
    const refused = await get("/v1/ping?produceError=true");
    expect(refused.json).toMatchObject({ code: "EXAMPLE_ERROR", details: [] });
    expect(refused.exchange?.code).toBe("EXAMPLE_ERROR");
    // The first one did not count.
    expect(faultOf(refused)).toContain("#2;");
    expect((await get("/v1/ping?produceError=true")).json.details).toBeUndefined();
  });

  it("combines with an error, a page, a token and a delay", async () => {
    const error = await under("{ then: { error: FORBIDDEN, alter: { body: { message: null, code: null } } } }");
    expect([(await error.get("/v1/ping")).status, (await error.get("/v1/ping")).json]).toEqual([403, {}]);
    expect((await error.get("/v1/ping")).exchange?.code).toBeUndefined();
    const page = await under("{ then: { delay: 1ms, page: { empty: true }, alter: { body: { extra: 1 } } } }");
    expect((await page.get("/v1/payments")).json).toMatchObject({ items: [], extra: 1 });
    const token = await under("{ then: { token: { tokenType: mac }, alter: { body: { expires_in: 1 } } } }");
    const answer = await token.harness.postToken(tokenForm, { headers: choose("it") });
    expect(answer.json).toMatchObject({ token_type: "mac", expires_in: 1 });
  });

  it("does not count if it changes nothing, and then the answer is unchanged", async () => {
    const { get } = await under("{ limit: 1, then: { alter: { setNull: [nothing.here] } } }");
    const answer = await get("/v1/payments?pageSize=2");
    expect([answer.status, faultOf(answer), answer.json.items.length]).toEqual([200, null, 2]);
  });

  it("treats special keys of JavaScript as ordinary members", async () => {
    const { get } = await under("{ then: { alter: { body: { constructor: { polluted: 1 }, toString: 2 } } } }");
    expect((await get("/v1/ping")).text).toContain('"constructor":{"polluted":1},"toString":2');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("error", () => {
  it("can have another status, and keeps the challenge of its cause", async () => {
    const { get } = await under("{ then: { error: { code: FORBIDDEN, status: 401 } } }");
    const answer = await get("/v1/ping");
    expect([answer.status, answer.json.code, answer.headers.get("WWW-Authenticate")]).toEqual([
      401,
      "FORBIDDEN",
      'Bearer error="insufficient_scope", scope="read"',
    ]);
  });
});

describe("retryAfter", () => {
  const codes = (retryAfter: string) => [
    `{ then: { error: { code: SERVICE_UNAVAILABLE, retryAfter: ${retryAfter} } } }`,
    `{ then: { respond: { status: 503, retryAfter: ${retryAfter} } } }`,
    `{ when: { attempt: 2 }, then: { rateLimit: { limit: 1, per: 1d, retryAfter: ${retryAfter} } } }`,
  ];

  it.each(codes("5s").slice(0, 2))("seconds: %s", async (rule) => {
    const { get } = await under(rule);
    expect((await get("/v1/ping")).headers.get("Retry-After")).toBe("5");
  });

  it("rounds up", async () => {
    const { get } = await under("{ then: { error: { code: NOT_FOUND, retryAfter: 1100ms } } }");
    expect((await get("/v1/ping")).headers.get("Retry-After")).toBe("2");
  });

  it.each(codes("{ in: 5s, format: date }").slice(0, 2))("a date, by the clock of the client: %s", async (rule) => {
    const { harness, get } = await under(rule);
    harness.clients.get("demo")?.clock.offsetBy(-60_000);
    // 10:19:30.400 and five seconds, rounded up.
    expect((await get("/v1/ping")).headers.get("Retry-After")).toBe("Mon, 01 Jun 2026 10:19:36 GMT");
  });

  it("of a rate limit is the wait, in the format of the rule", async () => {
    const get = async (retryAfter: string) => {
      const { get } = await under(`{ then: { rateLimit: { limit: 1, per: 10s, ${retryAfter} } } }`);
      await get("/v1/ping");
      return (await get("/v1/ping")).headers.get("Retry-After");
    };
    expect(await get("")).toBe("10");
    expect(await get("retryAfter: 2s")).toBe("2");
    expect(await get("retryAfter: { in: 2s }")).toBe("2");
    expect(await get("retryAfter: { format: date }")).toBe("Mon, 01 Jun 2026 10:20:41 GMT");
  });
});

describe("a 429 that does not say how long to wait", () => {
  it.each([
    ["an error", "{ then: { error: { code: TOO_MANY_REQUESTS, retryAfter: none } } }"],
    ["a rate limit", "{ then: { rateLimit: { limit: 1, per: 10s, retryAfter: none } } }"],
    ["a limit of open requests", "{ then: { concurrency: { limit: 1, retryAfter: none }, delay: 100ms } }"],
  ])("%s", async (_what, rule) => {
    const { get } = await under(rule);
    const answers = await Promise.all([get("/v1/ping"), get("/v1/ping")]);
    const last = answers.find(({ status }) => status === 429);
    expect(last?.json).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(last?.headers.has("Retry-After")).toBe(false);
  });

  it.each(["rateLimit: { limit: 1, per: 10s, ", "concurrency: { limit: 1, "])(
    "has the headers of %s…",
    async (limit) => {
      const headers = `headers: { RateLimit: '"default";r=0;t=30', RateLimit-Policy: '"default";q=100;w=30' }`;
      const { get } = await under(`{ then: { ${limit}retryAfter: none, ${headers} }, delay: 100ms } }`);
      const answers = await Promise.all([get("/v1/ping"), get("/v1/ping")]);
      const [good, limited] = answers.sort((one, other) => one.status - other.status);
      expect(limited?.headers.get("RateLimit")).toBe('"default";r=0;t=30');
      expect(limited?.headers.get("RateLimit-Policy")).toBe('"default";q=100;w=30');
      expect(good?.headers.has("RateLimit")).toBe(false);
    },
  );

  it.each(["rateLimit: { limit: 1, per: 1s", "concurrency: { limit: 1"])("cannot have two waits: %s", async (limit) => {
    await expect(under(`{ then: { ${limit}, retryAfter: 1s, headers: { Retry-After: "2" } } } }`)).rejects.toThrow(
      /give retryAfter or this header, not both/,
    );
  });
});

describe("token: revoke", () => {
  it("refuses the token from this request on, and another one is valid", async () => {
    const { harness } = await under(
      "{ name: gone, when: { operation: list, page: 1 }, limit: 1, then: { token: { revoke: true } } }",
    );
    const headers = choose("it");
    expect((await harness.get("/v1/ping", { headers })).status).toBe(200);
    const refused = await harness.get("/v1/payments", { headers });
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(faultOf(refused)).toMatch(/^it\/gone#1/);
    // Also without the scenario.
    const again = await harness.get("/v1/ping");
    expect([again.status, faultOf(again), again.text]).toEqual([401, null, refused.text]);
    expect(again.exchange?.refusal?.reason.kind).toBe("token-revoked");
    const token = await harness.tokenFor("demo");
    expect((await harness.get("/v1/payments", { headers, token })).status).toBe(200);
    expect((await harness.get("/v1/ping")).status).toBe(401);
    // The token of another client is not affected.
    expect((await harness.get("/v1/ping", { as: "other" })).status).toBe(200);
    harness.clients.get("demo")?.scenario.reset();
    expect((await harness.get("/v1/ping")).status).toBe(200);
  });

  it("remembers a limited number of tokens", async () => {
    const { harness } = await under("{ then: { delay: 1ms } }");
    const state = harness.clients.get("demo")?.scenario;
    for (let index = 0; index < 5000; index++) state?.revoke(`token-${index}`);
    expect([state?.isRevoked("token-0"), state?.isRevoked("token-4999")]).toEqual([false, true]);
  });
});

describe("page", () => {
  async function walk(harness: ScenarioHarness, most = 8) {
    const pages: { ids: string[]; cursor: string | undefined; fault: string | null }[] = [];
    for (let cursor: string | undefined, first = true; first || (cursor && pages.length < most); first = false) {
      const query = cursor === undefined ? "" : `&cursor=${cursor}`;
      const answer = await harness.get(`/v1/payouts?pageSize=10${query}`, { headers: choose("it") });
      expect(answer.status).toBe(200);
      cursor = answer.json.nextCursor;
      pages.push({ ids: answer.json.items.map(({ id }: { id: string }) => id), cursor, fault: faultOf(answer) });
    }
    return pages;
  }

  it("rows: shorter than requested, and no row is lost", async () => {
    const { harness } = await under("{ name: short, when: { page: 2 }, then: { page: { rows: 3 } } }");
    const pages = await walk(harness);
    expect(pages.map(({ ids }) => ids.length)).toEqual([10, 3, 10, 2]);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(25);
    expect(pages.map(({ fault }) => fault !== null)).toEqual([false, true, false, false]);
  });

  it("rows: a page that is not longer is unchanged", async () => {
    const { harness } = await under("{ limit: 1, then: { page: { rows: 10 } } }");
    expect((await walk(harness)).map(({ fault }) => fault)).toEqual([null, null, null]);
  });

  it("cursor same: the sent cursor, every time", async () => {
    const { harness } = await under("{ when: { page: 2 }, then: { page: { cursor: same } } }");
    const [first, ...more] = await walk(harness, 5);
    expect(new Set(more.map(({ cursor }) => cursor))).toEqual(new Set([first?.cursor]));
    expect(new Set(more.map(({ ids }) => ids.join()))).toHaveLength(1);
  });

  it("cursor same on page 1 leads to page 1", async () => {
    const { harness } = await under("{ then: { page: { cursor: same } } }");
    const pages = await walk(harness, 4);
    expect(new Set(pages.map(({ ids }) => ids.join()))).toHaveLength(1);
    expect(new Set(pages.map(({ cursor }) => cursor))).toHaveLength(1);
  });

  it("cursor first: page 1 follows", async () => {
    const { harness } = await under("{ when: { page: 3 }, limit: 1, then: { page: { cursor: first } } }");
    const pages = await walk(harness);
    expect(pages.map(({ ids }) => ids.length)).toEqual([10, 10, 5, 10, 10, 5]);
    expect(pages[3]?.ids).toEqual(pages[0]?.ids);
  });
});

describe("clock", () => {
  it("moves the client's clock from this request on", async () => {
    const { harness } = await under(
      "{ name: late, when: { operation: list }, limit: 1, then: { clock: { advance: 301s } } }",
    );
    const headers = choose("it");
    expect((await harness.get("/v1/ping", { headers })).status).toBe(200);
    const dead = await harness.get("/v1/payments", { headers });
    expect([dead.status, dead.exchange?.refusal?.reason.kind]).toEqual([401, "token-expired"]);
    expect(faultOf(dead)).toMatch(/^it\/late#1/);
    expect(harness.clients.get("demo")?.clock.now()).toBe(start + 301_000);
    expect(harness.clients.get("other")?.clock.now()).toBe(start);
    const token = await harness.tokenFor("demo");
    expect((await harness.get("/v1/payments", { headers, token })).status).toBe(200);
  });

  it("combines with another fault", async () => {
    const { harness, get } = await under("{ then: { clock: { advance: 1m }, delay: 1ms, page: { rows: 1 } } }");
    expect((await get("/v1/payments")).json.items).toHaveLength(1);
    expect(harness.clients.get("demo")?.clock.now()).toBe(start + 60_000);
  });

  it("does not act for an unregistered peer, which has no clock, and does not move the sandbox's", async () => {
    const { harness } = await under("{ limit: 1, then: { clock: { advance: 1m } } }");
    harness.service.scenarios.forAll.choose("it");
    const answer = await harness.send("/v1/ping", { peer: harness.peers.none });
    expect([answer.status, faultOf(answer), harness.service.clock.now()]).toEqual([401, null, start]);
  });
});

describe("replay", () => {
  it.each([
    ["alter", "{ name: r, then: { alter: { rows: { category: x }, headers: { X-A: b } } } }"],
    ["rows", "{ name: r, then: { page: { rows: 2 } } }"],
    ["attempt", "{ name: r, when: { attempt: 9, after: 1h }, then: { error: NOT_FOUND } }"],
  ])("of %s gives the same again", async (_kind, rule) => {
    const { harness } = await under(rule);
    const id = "0b9fdd5c-9a4e-4b0e-8f0f-3f8f7f6d2c11";
    const headers = ["Sandbox-Replay", "it/r#7;seed=abc", "X-Correlation-ID", id];
    const seen = async () => {
      const answer = await harness.get("/v1/payouts?pageSize=25", { headers });
      return [answer.status, [...answer.headers], answer.text.replaceAll(/"nextCursor":"[^"]*"/g, "")];
    };
    const [one, two] = [await seen(), await seen()];
    expect(two).toEqual(one);
    expect(Object.fromEntries(one[1] as [string, string][])).toMatchObject({ "sandbox-fault": "it/r#7;seed=abc" });
  });

  it("of a reset in the handshake says where to activate it", async () => {
    const { harness } = await under("{ name: r, then: { connection: { kind: reset, when: handshake } } }");
    const answer = await harness.get("/v1/ping", { headers: ["Sandbox-Replay", "it/r#1;seed=abc"] });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      expect.stringContaining("activate its scenario for all"),
    ]);
    expect((await harness.get("/v1/ping", { headers: choose("it") })).json.message).toContain("activate it for all");
  });
});
