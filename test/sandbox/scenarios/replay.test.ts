import { describe, expect, it } from "vitest";
import { delay } from "../../../src/sandbox/scenarios/faults/delay.js";
import type { ApiAnswer } from "../api/harness.js";
import { activate, choose, createScenarioHarness, faultOf, type ScenarioHarness } from "./through-the-api.js";

const mix = {
  mix: [
    "  - { name: unavailable, probability: 0.2, then: { error: SERVICE_UNAVAILABLE } }",
    "  - { name: odd, probability: 0.2, then: { respond: { status: 502, body: bad } } }",
    "  - { name: twice, when: { operation: list }, probability: 0.3, then: { page: { duplicate: 2 } } }",
    "  - { name: late, probability: 0.2, then: { delay: { min: 0ms, max: 3ms } } }",
    "  - { name: rate, when: { operation: ping }, then: { rateLimit: { limit: 5, per: 1m } } }",
  ].join("\n"),
};

const targets = ["/v1/ping", "/v1/payments?pageSize=4", "/v1/payouts", "/v1/ping?produceError=true"];

/** The content of an answer, without dates and random values: the correlation ID and the text of a cursor. */
function essence(answer: ApiAnswer): unknown {
  const { "x-correlation-id": _id, date: _date, ...headers } = Object.fromEntries(answer.headers);
  return [answer.status, headers, answer.text.replace(/"nextCursor":"[^"]*"/, '"nextCursor":"…"')];
}

async function run(harness: ScenarioHarness, as: "demo" | "other", requests: number): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let request = 0; request < requests; request++)
    answers.push(essence(await harness.get(targets[request % targets.length] as string, { as })));
  return answers;
}

describe("the same seed and the same requests", () => {
  it("cause the same faults, byte for byte except for dates and random IDs", async () => {
    const runs = await Promise.all(
      [0, 1].map(async () => {
        const harness = await createScenarioHarness(mix);
        activate(harness, "demo", "mix");
        return run(harness, "demo", 80);
      }),
    );
    expect(runs[0]).toEqual(runs[1]);
    const faults = new Set(JSON.stringify(runs[0]).match(/mix\/\w+/g));
    expect([...faults].sort()).toEqual(["mix/late", "mix/odd", "mix/rate", "mix/twice", "mix/unavailable"]);
  });

  it("cause them again after the scenario is activated again", async () => {
    const harness = await createScenarioHarness({ it: "  - { probability: 0.5, then: { error: NOT_FOUND } }" });
    const round = async () => {
      activate(harness, "demo", "it");
      const statuses: number[] = [];
      for (let request = 0; request < 30; request++) statuses.push((await harness.get("/v1/ping")).status);
      return statuses;
    };
    const first = await round();
    expect(await round()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 404]));
  });

  it("another client has another seed", async () => {
    const harness = await createScenarioHarness(mix);
    harness.service.scenarios.forAll.choose("mix");
    expect(await run(harness, "demo", 40)).not.toEqual(await run(harness, "other", 40));
    expect(harness.clients.get("demo")?.seed).not.toBe(harness.clients.get("other")?.seed);
  });
});

describe("Sandbox-Replay", () => {
  const rules = {
    it: [
      "  - { name: odd, when: { operation: list }, skip: 1, limit: 1, then: { respond: { status: 502, body: bad } } }",
      "  - { name: page, when: { page: 1, operation: list, headers: { x-try: page } }, then: { page: { duplicate: 1 } } }",
      "  - { name: token, then: { token: { tokenType: mac } } }",
      "  - { name: rate, when: { operation: ping }, then: { rateLimit: { limit: 1, per: 10s } } }",
    ].join("\n"),
  };
  const replay = (handle: string | null) => ["Sandbox-Replay", handle ?? ""];

  it("repeats exactly this fault, whatever the conditions, and changes no counter", async () => {
    const harness = await createScenarioHarness(rules);
    activate(harness, "demo", "it");
    await harness.get("/v1/payments");
    const hit = await harness.get("/v1/payments");
    expect(hit.status).toBe(502);
    for (let again = 0; again < 3; again++) {
      const replayed = await harness.get("/v1/ping", { headers: replay(faultOf(hit)) });
      expect([replayed.status, replayed.text, faultOf(replayed)]).toEqual([502, "bad", faultOf(hit)]);
    }
    expect((await harness.get("/v1/payments")).status).toBe(200);
  });

  it("works for a client with another scenario, and with another seed", async () => {
    const harness = await createScenarioHarness(rules);
    const handle = "it/odd#7;seed=any-other.seed_1";
    const answer = await harness.get("/v1/ping", { as: "other", headers: replay(handle) });
    expect([answer.status, faultOf(answer)]).toEqual([502, handle]);
  });

  it("makes the same draws: the same delay", { tags: "slow" }, async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: late, then: { delay: { min: 0ms, max: 200ms } } }",
    });
    const handle = "it/late#3;seed=fixed";
    const drawn = Number(
      delay.delay?.({ kind: "uniform", min: 0, max: 200 }, { scenario: "it", rule: "late", count: 3, seed: "fixed" }),
    );
    for (let again = 0; again < 2; again++) {
      const before = performance.now();
      const answer = await harness.get("/v1/ping", { headers: replay(handle) });
      expect(performance.now() - before).toBeGreaterThan(drawn - 2);
      expect(faultOf(answer)).toBe(handle);
    }
  });

  it("takes precedence over Sandbox-Scenario", async () => {
    const harness = await createScenarioHarness({ ...rules, no: "  - then: { error: NOT_FOUND }" });
    const headers = [...choose("no"), ...replay("it/odd#1;seed=x")];
    expect((await harness.get("/v1/ping", { headers })).status).toBe(502);
  });

  it("repeats a 429 whatever the bucket contains, and does not change it", async () => {
    const harness = await createScenarioHarness(rules);
    const answer = await harness.get("/v1/ping", { headers: replay("it/rate#2;seed=x") });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([429, "10"]);
    expect((await harness.get("/v1/ping", { headers: choose("it") })).status).toBe(200);
  });

  it("repeats faults of tokens and pages", async () => {
    const harness = await createScenarioHarness(rules);
    const token = await harness.postToken("grant_type=client_credentials&client_id=demo&scope=read", {
      headers: replay("it/token#1;seed=x"),
    });
    expect([token.json.token_type, faultOf(token)]).toEqual(["mac", "it/token#1;seed=x"]);
    const page = await harness.get("/v1/payouts", { headers: replay("it/page#1;seed=x") });
    expect(page.json.items[0]).toEqual(page.json.items[1]);
  });

  it.each([
    ["it/nothing#1;seed=x", 'The scenario "it" has no rule "nothing"; it has odd, page, token, rate.'],
    ["its/odd#1;seed=x", 'There is no scenario "its"; similar names: it.'],
    ["it/odd#0;seed=x", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["it/odd#1", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["it/odd#1;seed=", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["it/odd#1;seed=a b", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    [`it/odd#1;seed=${"x".repeat(65)}`, /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["../it/odd#1;seed=x", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["", /^Sandbox-Replay must be the value of a Sandbox-Fault header/],
    ["it/page#1;seed=x", "The fault of Sandbox-Replay acts on the operation list only, not on ping."],
    ["it/token#1;seed=x", "The fault of Sandbox-Replay acts on the operation token only, not on ping."],
  ])("%s is a 400 that says why", async (handle, message) => {
    const harness = await createScenarioHarness(rules);
    const answer = await harness.get("/v1/ping", { headers: replay(handle) });
    expect([answer.status, answer.json.code]).toEqual([400, "UNKNOWN_SCENARIO"]);
    if (typeof message === "string") expect(answer.json.message).toBe(message);
    else expect(answer.json.message).toMatch(message);
  });
});
