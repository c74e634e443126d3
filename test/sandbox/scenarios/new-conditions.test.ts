import { describe, expect, it } from "vitest";
import type { Peer } from "../../../src/sandbox/connection/peer.js";
import { certificatePeer, start } from "../api/harness.js";
import { activate, choose, createScenarioHarness, faultOf } from "./through-the-api.js";

const tokenForm = "grant_type=client_credentials&client_id=demo&scope=";

describe("form", () => {
  it("compares fields of a token request", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: write, when: { form: { scope: other } }, then: { error: INVALID_SCOPE } }",
    });
    const ask = (body: string, headers: string[] = []) =>
      harness.postToken(body, { headers: [...choose("it"), ...headers] });
    expect((await ask(`${tokenForm}other`)).json.code).toBe("INVALID_SCOPE");
    expect((await ask(`${tokenForm}read`)).status).toBe(200);
    // Other bodies have no fields, and are refused as usual.
    const json = await harness.send("/oauth/v2/oauth-token", {
      method: "POST",
      body: '{"scope":"other"}',
      headers: ["Content-Type", "application/json", ...choose("it")],
    });
    expect([json.json.code, faultOf(json)]).toEqual(["INVALID_REQUEST", null]);
    const large = await ask(`${tokenForm}other&x=${"x".repeat(70_000)}`);
    expect([large.status, faultOf(large)]).toEqual([413, null]);
  });
});

describe("attempt", () => {
  it("is the number of times that the same request was sent in a row", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: again, when: { attempt: 2 }, then: { error: NOT_FOUND } }",
    });
    const statuses: number[] = [];
    for (const target of ["/v1/ping", "/v1/ping", "/v1/ping", "/v1/payments", "/v1/ping?x=1", "/v1/ping?x=1"])
      statuses.push((await harness.get(target, { headers: choose("it") })).status);
    expect(statuses).toEqual([200, 404, 200, 200, 200, 404]);
  });

  it("is not interrupted by requests of other operations, of other clients, or by a new token", async () => {
    const harness = await createScenarioHarness({
      it: "  - { name: first, when: { operation: ping, attempt: 1 }, then: { error: UNAUTHORIZED } }",
    });
    const headers = choose("it");
    const ping = (as: "demo" | "other" = "demo") => harness.get("/v1/ping", { headers, as });
    expect((await ping()).status).toBe(401);
    expect((await harness.postToken(`${tokenForm}read`, { headers })).status).toBe(200);
    expect((await harness.get("/v1/payments", { headers })).status).toBe(200);
    expect((await ping("other")).status).toBe(401);
    expect((await ping()).status).toBe(200);
  });

  it("compares the body of token requests", async () => {
    const harness = await createScenarioHarness({
      it: "  - { when: { operation: token, attempt: 2 }, then: { error: SERVICE_UNAVAILABLE } }",
    });
    const ask = async (scope: string) => (await harness.postToken(tokenForm + scope, { headers: choose("it") })).status;
    expect([await ask("read"), await ask("other"), await ask("other"), await ask("read")]).toEqual([
      200, 200, 503, 200,
    ]);
  });
});

describe("after and for", () => {
  const rules = "  - { name: down, when: { after: 10s, for: 30s }, then: { error: SERVICE_UNAVAILABLE } }";

  it("are a window from the activation for a client, on its clock", async () => {
    const harness = await createScenarioHarness({ it: rules });
    const client = harness.clients.get("demo");
    client?.clock.offsetBy(3_600_000);
    activate(harness, "demo", "it");
    const token = await harness.tokenFor("demo");
    const at = async (seconds: number) => {
      harness.clock.time = start + seconds * 1000;
      return (await harness.get("/v1/ping", { token })).status;
    };
    expect([await at(0), await at(9.999), await at(10), await at(39.999), await at(40)]).toEqual([
      200, 200, 503, 503, 200,
    ]);
    activate(harness, "demo", "it");
    expect([await at(49.999), await at(50)]).toEqual([200, 503]);
    client?.clock.advance(30_000);
    expect(await at(50)).toBe(200);
    // If the clock is turned back, the window starts again.
    client?.clock.offsetBy(0);
    expect([await at(50), await at(60), await at(89.999), await at(90)]).toEqual([200, 503, 503, 200]);
  });

  it("are a window from the activation for all, also for later clients", async () => {
    const harness = await createScenarioHarness({ it: rules });
    harness.service.scenarios.forAll.choose("it");
    harness.clock.time += 12_000;
    harness.clients.register({ id: "late", thumbprints: ["late-thumbprint"], scopes: ["read"] });
    const peer = certificatePeer("late-thumbprint");
    const answer = await harness.postToken("grant_type=client_credentials&client_id=late&scope=read", { peer });
    expect(answer.status).toBe(503);
    harness.clock.time += 28_000;
    expect((await harness.get("/v1/ping")).status).toBe(200);
  });

  it("start with the first request that has the header", async () => {
    const harness = await createScenarioHarness({ it: "  - { when: { for: 30s }, then: { error: FORBIDDEN } }" });
    harness.clock.time += 60_000;
    const ping = async () => (await harness.get("/v1/ping", { headers: choose("it") })).status;
    expect(await ping()).toBe(403);
    harness.clock.time += 29_999;
    expect(await ping()).toBe(403);
    harness.clock.time += 1;
    expect(await ping()).toBe(200);
  });
});

describe("certificate", () => {
  it("is registered, none, or a misfit by its name", async () => {
    const harness = await createScenarioHarness({
      it: [
        "  - { when: { certificate: none }, then: { error: { code: INVALID_CLIENT, message: none } } }",
        "  - { when: { certificate: expired }, then: { error: { code: INVALID_CLIENT, message: expired } } }",
        "  - { when: { certificate: registered }, then: { error: { code: INVALID_CLIENT, message: registered } } }",
      ].join("\n"),
    });
    harness.misfits.set("late-thumbprint", "expired");
    harness.service.scenarios.forAll.choose("it");
    const ask = async (peer: Peer) => (await harness.postToken(`${tokenForm}read`, { peer })).json.message;
    expect(await ask(harness.peers.none)).toBe("none");
    expect(await ask(certificatePeer("late-thumbprint"))).toBe("expired");
    expect(await ask(harness.peers.demo)).toBe("registered");
    expect(await ask(certificatePeer("nobody"))).not.toMatch(/^(none|expired|registered)$/);
  });
});

describe("share: all", () => {
  it("one bucket for two clients, on the sandbox's clock", async () => {
    const harness = await createScenarioHarness({
      it: "  - { share: all, then: { rateLimit: { limit: 2, per: 10s } } }",
    });
    harness.clients.get("other")?.clock.offsetBy(3_600_000);
    const token = await harness.tokenFor("other");
    const ping = async (as: "demo" | "other") =>
      (await harness.get("/v1/ping", { as, headers: choose("it"), ...(as === "other" && { token }) })).status;
    expect([await ping("demo"), await ping("other"), await ping("demo"), await ping("other")]).toEqual([
      200, 200, 429, 429,
    ]);
    harness.clock.time += 5_000;
    expect([await ping("other"), await ping("demo")]).toEqual([200, 429]);
  });

  it("is reset by an activation for all, but not by one for a client", async () => {
    const harness = await createScenarioHarness({ it: "  - { share: all, limit: 1, then: { error: FORBIDDEN } }" });
    activate(harness, "demo", "it");
    const ping = async () => (await harness.get("/v1/ping")).status;
    expect([await ping(), await ping()]).toEqual([403, 200]);
    activate(harness, "demo", "it");
    expect(await ping()).toBe(200);
    activate(harness, "demo", undefined);
    harness.service.scenarios.forAll.choose("it");
    expect([await ping(), await ping()]).toEqual([403, 200]);
  });
});
