import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ScenarioLibrary } from "../../../src/sandbox/scenarios/library.js";
import { certificatePeer, createHarness } from "../api/harness.js";
import { activate, choose, createScenarioHarness, faultOf } from "./through-the-api.js";
import { upload } from "./upload.js";

const scenarios = {
  "for-all": "  - { name: all, then: { error: FORBIDDEN } }",
  "for-client": "  - { name: client, then: { error: NOT_FOUND } }",
  "for-request": "  - { name: request, then: { error: VALIDATION_ERROR } }",
  once: "  - { name: once, limit: 1, then: { error: VALIDATION_ERROR } }",
  "pings-only": "  - { name: ping, when: { operation: ping }, then: { error: VALIDATION_ERROR } }",
};

describe("precedence", () => {
  it("the header takes precedence over the client's scenario, and that over the one for all", async () => {
    const harness = await createScenarioHarness(scenarios);
    const code = async (headers: string[] = []) => (await harness.get("/v1/ping", { headers })).json.code ?? "OK";
    expect(await code()).toBe("OK");
    harness.service.scenarios.forAll.choose("for-all");
    expect(await code()).toBe("FORBIDDEN");
    activate(harness, "demo", "for-client");
    expect(await code()).toBe("NOT_FOUND");
    expect(await code(choose("for-request"))).toBe("VALIDATION_ERROR");
    expect(await code()).toBe("NOT_FOUND");
    activate(harness, "demo", undefined);
    expect(await code()).toBe("FORBIDDEN");
  });

  it("exactly one is active: they are not merged", async () => {
    const harness = await createScenarioHarness(scenarios);
    harness.service.scenarios.forAll.choose("for-all");
    activate(harness, "demo", "pings-only");
    expect((await harness.get("/v1/payments")).status).toBe(200);
    expect((await harness.get("/v1/payments", { headers: choose("pings-only") })).status).toBe(200);
  });
});

describe("counters", () => {
  it("belong to a client, and are kept between requests with the header, too", async () => {
    const harness = await createScenarioHarness(scenarios);
    const status = async (as: "demo" | "other") =>
      (await harness.get("/v1/ping", { as, headers: choose("once") })).status;
    expect([await status("demo"), await status("demo")]).toEqual([400, 200]);
    expect([await status("other"), await status("other")]).toEqual([400, 200]);
  });

  it("do not count a fault that did not act", async () => {
    const harness = await createScenarioHarness(scenarios);
    activate(harness, "demo", "once");
    const refused = await harness.send("/v1/ping", { token: "nonsense" });
    expect([refused.status, faultOf(refused)]).toEqual([401, null]);
    const hit = await harness.get("/v1/ping");
    expect([hit.status, faultOf(hit)]).toEqual([400, expect.stringContaining("once/once#2;")]);
    expect((await harness.get("/v1/ping")).status).toBe(200);
  });
});

describe("an unknown name in the header", () => {
  it("is a 400 that lists similar names", async () => {
    const harness = await createScenarioHarness(scenarios);
    const answer = await harness.get("/v1/ping", { headers: choose("for-al") });
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      message: 'There is no scenario "for-al"; similar names: for-all.',
      code: "UNKNOWN_SCENARIO",
    });
  });

  it.each(["", "../../etc/passwd", "for-all ", "FOR ALL", "x".repeat(5000), "{}"])("%j", async (name) => {
    const harness = await createScenarioHarness(scenarios);
    const answer = await harness.get("/v1/ping", { headers: choose(name) });
    expect([answer.status, answer.json.code]).toEqual([400, "UNKNOWN_SCENARIO"]);
    expect(answer.json.message.length).toBeLessThan(300);
  });

  it("is a 400 on every operation, before token and form are checked", async () => {
    const harness = await createScenarioHarness(scenarios);
    const headers = choose("nope");
    expect((await harness.send("/v1/payments", { headers })).json.code).toBe("UNKNOWN_SCENARIO");
    expect((await harness.postToken("", { headers })).json.code).toBe("UNKNOWN_SCENARIO");
  });

  it("is a 400 as well if it is sent twice", async () => {
    const harness = await createScenarioHarness(scenarios);
    const answer = await harness.get("/v1/ping", { headers: [...choose("once"), ...choose("once")] });
    expect([answer.status, answer.json.code]).toEqual([400, "UNKNOWN_SCENARIO"]);
    expect(answer.json.message).toMatch(/may be sent once/);
  });
});

describe("a scenario that only acts on the handshake", () => {
  it("is not silently ignored if a header names it", async () => {
    const harness = await createScenarioHarness({});
    await upload(harness.library, "stale", "description: x\nserver: { certificate: expired }\n");
    const answer = await harness.get("/v1/ping", { headers: choose("stale") });
    expect([answer.status, answer.json]).toEqual([
      400,
      {
        message: 'The scenario "stale" acts on the handshake, before any header is read: activate it for all.',
        code: "UNKNOWN_SCENARIO",
      },
    ]);
  });
});

describe("an unregistered peer", () => {
  it("gets only the scenario for all, after the check of the certificate", async () => {
    const harness = await createScenarioHarness({
      all: "  - { name: all, then: { error: NOT_FOUND } }",
      late: "  - { name: late, then: { delay: 5ms } }",
    });
    const unregistered = certificatePeer("stranger");
    for (const peer of [unregistered, harness.peers.none]) {
      const chosen = await harness.send("/v1/ping", { peer, token: harness.tokens.demo, headers: choose("nope") });
      expect([chosen.status, chosen.json.code]).toEqual([401, "UNAUTHORIZED"]);
    }
    harness.service.scenarios.forAll.choose("all");
    const answer = await harness.send("/v1/ping", { peer: unregistered, token: harness.tokens.demo });
    expect([answer.status, faultOf(answer)]).toEqual([401, null]);
    harness.service.scenarios.forAll.choose("late");
    const delayed = await harness.send("/v1/ping", { peer: unregistered, token: harness.tokens.demo });
    expect([delayed.status, faultOf(delayed)]).toEqual([401, "late/late#1;seed=test-seed"]);
  });

  it("changes no counter of a client", async () => {
    const harness = await createScenarioHarness({ once: "  - { name: once, limit: 1, then: { delay: 1ms } }" });
    harness.service.scenarios.forAll.choose("once");
    expect(faultOf(await harness.send("/v1/ping", { peer: certificatePeer("stranger") }))).toMatch(/^once\/once#1;/);
    expect(faultOf(await harness.get("/v1/ping"))).toMatch(/^once\/once#1;/);
  });
});

describe("a library that has not been read yet", () => {
  it("delays only requests that name a scenario", async () => {
    const library = new ScenarioLibrary({
      builtIn: fileURLToPath(new URL("../../../scenarios", import.meta.url)),
      folder: undefined,
    });
    const harness = await createHarness({ library });
    const token = await harness.tokenFor("demo");
    expect((await harness.send("/v1/ping", { token })).status).toBe(200);
    expect(library.isRead).toBe(false);
    const answer = await harness.send("/v1/ping", { token, headers: choose("example-error") });
    expect([answer.json.code, library.isRead]).toEqual(["EXAMPLE_ERROR", true]);
  });
});
