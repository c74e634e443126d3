import { describe, expect, it } from "vitest";
import { errorCodes, errorFacts } from "../../../src/sandbox/errors.js";
import { choose, createScenarioHarness, faultOf } from "./through-the-api.js";

describe("error", () => {
  it("of each code has its status and message, on every operation", async () => {
    const rules = errorCodes.map((code) => [code, `  - { name: one, then: { error: ${code} } }`]);
    const harness = await createScenarioHarness(Object.fromEntries(rules));
    for (const code of errorCodes) {
      const { status, message } = errorFacts(code);
      for (const target of ["/v1/ping", "/v1/payments"]) {
        const answer = await harness.get(target, { headers: choose(code) });
        expect([answer.status, answer.json]).toEqual([status, { message, code }]);
        expect(faultOf(answer)).toMatch(/^\w+\/one#\d;seed=\w+$/);
      }
      const answer = await harness.postToken("", { headers: choose(code) });
      expect([answer.status, answer.json.code, answer.json.message]).toEqual([status, code, message]);
      expect(answer.json.error).toMatch(/^[a-z_]+$/);
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  it("acts after certificate, token and scope, and before the request is carried out", async () => {
    const harness = await createScenarioHarness({ it: "  - { name: one, then: { error: NOT_FOUND } }" });
    const headers = choose("it");
    const without = await harness.send("/v1/payments", { headers });
    expect([without.status, faultOf(without)]).toEqual([401, null]);
    const scope = await harness.tokenFor("demo", "other");
    const small = await harness.send("/v1/payments", { headers, token: scope });
    expect([small.status, faultOf(small)]).toEqual([403, null]);
    const bad = await harness.get("/v1/payments?pageSize=0&cursor=x", {
      headers: ["X-Correlation-ID", "bad", ...headers],
    });
    expect([bad.status, bad.json.code]).toEqual([404, "NOT_FOUND"]);
  });

  it.each([
    ["UNAUTHORIZED", "WWW-Authenticate", 'Bearer error="invalid_token"'],
    ["FORBIDDEN", "WWW-Authenticate", 'Bearer error="insufficient_scope", scope="read"'],
    ["METHOD_NOT_ALLOWED", "Allow", "GET"],
  ])("%s has the header %s of a real one, unless the rule gives another", async (code, header, value) => {
    const harness = await createScenarioHarness({
      it: `  - then: { error: ${code} }`,
      own: `  - then: { error: { code: ${code}, headers: { ${header}: own } } }`,
    });
    const answer = await harness.get("/v1/ping", { headers: choose("it") });
    expect(answer.headers.get(header)).toBe(value);
    expect((await harness.get("/v1/ping", { headers: choose("own") })).headers.get(header)).toBe("own");
  });
});

describe("respond", () => {
  it("answers with exactly this status, body and headers", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: one, then: { respond: { status: 502, headers: { Content-Type: text/html, X-Via: proxy }, body: <p>Bad</p> } } }",
    });
    for (const answer of [
      await harness.get("/v1/payments", { headers: choose("it") }),
      await harness.postToken("nonsense", { headers: choose("it") }),
    ]) {
      expect([answer.status, answer.text]).toEqual([502, "<p>Bad</p>"]);
      expect(Object.fromEntries(answer.headers)).toEqual({
        "content-type": "text/html",
        "x-via": "proxy",
        "x-correlation-id": expect.any(String),
        "sandbox-fault": expect.stringMatching(/^it\/one#[12];seed=/),
      });
    }
  });

  it("writes everything except a text as JSON", async () => {
    const harness = await createScenarioHarness({
      it: "  - then: { respond: { status: 200, body: [1, { a: null }] } }",
    });
    const answer = await harness.get("/v1/ping", { headers: choose("it") });
    expect([answer.text, answer.headers.get("Content-Type")]).toEqual(['[1,{"a":null}]', "application/json"]);
  });
});

describe("rateLimit", () => {
  const rules = { it: "  - { name: rate, then: { rateLimit: { limit: 3, per: 30s } } }" };

  it("is a bucket that contains the limit and refills on the client's clock", async () => {
    const harness = await createScenarioHarness(rules);
    const ask = () => harness.get("/v1/ping", { headers: choose("it") });
    for (let request = 0; request < 3; request++) {
      const answer = await ask();
      expect([answer.status, faultOf(answer)]).toEqual([200, null]);
    }
    const refused = await ask();
    expect([refused.status, refused.json.code, refused.headers.get("Retry-After")]).toEqual([
      429,
      "TOO_MANY_REQUESTS",
      "10",
    ]);
    expect(faultOf(refused)).toMatch(/^it\/rate#4;/);
    harness.clock.time += 9_001;
    expect((await ask()).headers.get("Retry-After")).toBe("1");
    harness.clock.time += 999;
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
    harness.clock.time += 100_000;
    expect([(await ask()).status, (await ask()).status, (await ask()).status, (await ask()).status]).toEqual([
      200, 200, 200, 429,
    ]);
  });

  it("a client that waits as long as Retry-After says is accepted", async () => {
    const harness = await createScenarioHarness({ it: "  - then: { rateLimit: { limit: 7, per: 10s } }" });
    for (let request = 0; request < 40; request++) {
      const answer = await harness.get("/v1/ping", { headers: choose("it") });
      if (answer.status === 200) continue;
      harness.clock.time += Number(answer.headers.get("Retry-After")) * 1000;
      expect((await harness.get("/v1/ping", { headers: choose("it") })).status).toBe(200);
    }
  });

  it("belongs to a client, and covers all operations of its rule", async () => {
    const harness = await createScenarioHarness(rules);
    const headers = choose("it");
    for (const target of ["/v1/ping", "/v1/payments", "/v1/payouts"]) {
      expect((await harness.get(target, { headers })).status).toBe(200);
    }
    const token = await harness.postToken("grant_type=client_credentials&client_id=demo&scope=read", { headers });
    expect([token.status, token.json.error]).toEqual([429, "invalid_request"]);
    expect((await harness.get("/v1/ping", { as: "other", headers })).status).toBe(200);
  });

  it("is not affected by a clock that is turned back", async () => {
    const harness = await createScenarioHarness(rules);
    const ask = async () => (await harness.get("/v1/ping", { headers: choose("it") })).status;
    for (let request = 0; request < 3; request++) await ask();
    harness.clients.get("demo")?.clock.offsetBy(-60_000);
    expect(await ask()).toBe(429);
    harness.clients.get("demo")?.clock.offsetBy(-50_000);
    expect(await ask()).toBe(200);
  });

  it("does not count an accepted request against the rule's limit", async () => {
    const harness = await createScenarioHarness({
      it: "  - { limit: 1, then: { rateLimit: { limit: 2, per: 1h } } }",
    });
    const ask = async () => (await harness.get("/v1/ping", { headers: choose("it") })).status;
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 429, 200]);
  });
});

describe("token", () => {
  const form = "grant_type=client_credentials&client_id=demo&scope=read";

  it("certificate: other is refused when the token is used", async () => {
    const harness = await createScenarioHarness({ it: "  - then: { token: { certificate: other } }" });
    const { access_token: token } = (await harness.postToken(form, { headers: choose("it") })).json;
    for (const peer of [harness.peers.demo, harness.peers.other, harness.peers.none])
      expect((await harness.send("/v1/ping", { token, peer })).status).toBe(401);
  });

  it("tokenType is in the answer, and the token is valid", async () => {
    const harness = await createScenarioHarness({ it: '  - then: { token: { tokenType: "m\\"ac" } }' });
    const { access_token: token, token_type: type } = (await harness.postToken(form, { headers: choose("it") })).json;
    expect(type).toBe('m"ac');
    expect((await harness.send("/v1/ping", { token })).status).toBe(200);
  });

  it("does not act on a refused request, or on other operations", async () => {
    const harness = await createScenarioHarness({ it: "  - { limit: 1, then: { token: { tokenType: mac } } }" });
    const headers = choose("it");
    expect(faultOf(await harness.get("/v1/ping", { headers }))).toBeNull();
    const refused = await harness.postToken("grant_type=client_credentials", { headers });
    expect([refused.status, faultOf(refused)]).toEqual([400, null]);
    expect((await harness.postToken(form, { headers })).json.token_type).toBe("mac");
    expect((await harness.postToken(form, { headers })).json.token_type).toBe("bearer");
  });
});

describe("delay", () => {
  it("combines with any other fault, and is named once", async () => {
    const harness = await createScenarioHarness({ it: "  - { name: late, then: { delay: 30ms, error: NOT_FOUND } }" });
    const before = performance.now();
    const answer = await harness.get("/v1/ping", { headers: choose("it") });
    expect(performance.now() - before).toBeGreaterThan(28);
    expect([answer.status, faultOf(answer)]).toEqual([404, expect.stringMatching(/^it\/late#1;/)]);
  });

  it("acts even if the rest of the fault does not act", async () => {
    const harness = await createScenarioHarness({ it: "  - { name: late, then: { delay: 5ms, error: NOT_FOUND } }" });
    const answer = await harness.send("/v1/ping", { headers: choose("it") });
    expect([answer.status, faultOf(answer)]).toEqual([401, expect.stringMatching(/^it\/late#1;/)]);
  });
});
