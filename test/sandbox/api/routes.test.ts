import { describe, expect, it } from "vitest";
import { createHarness } from "./harness.js";

describe("paths are compared literally", () => {
  it.each([
    "/",
    "/v1",
    "/v1/ping/",
    "/V1/PING",
    "/v1/Ping",
    "/v1/%70ing",
    "/v1//ping",
    "//v1/ping",
    "//v1/../v1/ping",
    "/v1/../v1/ping",
    "/v1/./ping",
    "/v1/x/../ping",
    "/v1/ping;x=1",
    "/v1/ping%20",
    "/v1/ping%3Fx",
    "/oauth/v2/oauth-token/",
    "/oauth/V2/oauth-token",
    "/v1/payments/",
    "/v1/payments/1",
    "/v2/ping",
  ])("%s is unknown", async (target) => {
    const { send, tokenFor } = await createHarness();
    const answer = await send(target, { token: await tokenFor() });
    expect([answer.status, answer.json.code]).toEqual([404, "NOT_FOUND"]);
    expect(Object.keys(answer.json)).toEqual(["message", "code"]);
  });

  it("the absolute form is served as its path (RFC 9112 §3.2.2)", async () => {
    const { send, tokenFor } = await createHarness();
    expect((await send("https://localhost/v1/ping", { token: await tokenFor() })).status).toBe(200);
    expect(
      (await send("https://localhost:8443/v1/ping?produceError=true", { token: await tokenFor() })).json.code,
    ).toBe("EXAMPLE_ERROR");
  });

  it("a peer without a certificate gets 404 too: the route is checked first", async () => {
    const { send, peers } = await createHarness();
    expect((await send("/nothing", { peer: peers.none })).status).toBe(404);
  });
});

it("a literal segment is matched before a parameter in its place, whatever the order of the lists", async () => {
  const named = (path: string, items: string) => ({ path, count: 1, envelope: { items } });
  const { send, tokenFor } = await createHarness({
    lists: {
      one: named("/v1/{kind}/{id}", "one"),
      two: named("/v1/jobs/{id}", "two"),
      three: named("/v1/{kind}/latest", "three"),
      four: named("/v1/jobs/latest", "four"),
    },
  });
  const token = await tokenFor();
  for (const [target, items] of [
    ["/v1/jobs/latest", "four"],
    ["/v1/jobs/7", "two"],
    ["/v1/runs/latest", "three"],
    ["/v1/runs/7", "one"],
  ] as const)
    expect((await send(target, { token })).json[items], target).toHaveLength(1);
});

describe("methods", () => {
  it.each([
    ["/v1/ping", "POST", "GET"],
    ["/v1/ping", "HEAD", "GET"],
    ["/v1/ping", "OPTIONS", "GET"],
    ["/v1/ping", "DELETE", "GET"],
    ["/v1/payments", "PATCH", "GET"],
    ["/oauth/v2/oauth-token", "GET", "POST"],
    ["/oauth/v2/oauth-token", "PUT", "POST"],
  ])("%s %s is refused, and Allow says %s", async (target, method, allow) => {
    const { send } = await createHarness();
    const answer = await send(target, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    if (method !== "HEAD") expect(answer.json.code).toBe("METHOD_NOT_ALLOWED");
  });

  it("the token endpoint keeps its headers and the form of its body", async () => {
    const { send } = await createHarness();
    const answer = await send("/oauth/v2/oauth-token");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toMatchObject({ code: "METHOD_NOT_ALLOWED", error: "invalid_request" });
  });
});

describe("correlation ID", () => {
  const uuid = "0b9f2c7e-5d3a-4f61-9b0e-2f6a1c8d7e55";
  const fresh = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it("is echoed unchanged, on every kind of answer", async () => {
    const { send, tokenFor } = await createHarness();
    const token = await tokenFor();
    const headers = ["x-correlation-id", uuid.toUpperCase()];
    for (const target of ["/v1/ping", "/v1/ping?produceError=true", "/v1/payments", "/nothing"]) {
      expect((await send(target, { token, headers })).headers.get("x-correlation-id")).toBe(uuid.toUpperCase());
    }
  });

  it("is made when absent, a different one for each answer", async () => {
    const { send } = await createHarness();
    const ids = await Promise.all(
      Array.from({ length: 600 }, async () => (await send("/x")).headers.get("x-correlation-id")),
    );
    for (const id of ids) expect(id).toMatch(fresh);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ["not a UUID", ["X-Correlation-ID", "1"]],
    ["empty", ["X-Correlation-ID", ""]],
    ["without dashes", ["X-Correlation-ID", uuid.replaceAll("-", "")]],
    ["in braces", ["X-Correlation-ID", `{${uuid}}`]],
    ["two, even equal ones", ["X-Correlation-ID", uuid, "x-correlation-id", uuid]],
    ["one that injects a header", ["X-Correlation-ID", `${uuid} Set-Cookie: a=b`]],
  ])("%s: INVALID_CORRELATION_ID with a fresh one", async (_name, headers) => {
    const { send, tokenFor, postToken } = await createHarness();
    const token = await tokenFor();
    const good = "grant_type=client_credentials&client_id=demo&scope=read";
    for (const answer of [
      await send("/v1/ping", { token, headers }),
      await send("/v1/payouts", { token, headers }),
      await postToken(good, { headers }),
    ]) {
      expect([answer.status, answer.json.code]).toEqual([400, "INVALID_CORRELATION_ID"]);
      expect(answer.headers.get("x-correlation-id")).toMatch(fresh);
    }
  });

  it("is checked after the token and before the parameters", async () => {
    const { send, tokenFor } = await createHarness();
    const headers = ["X-Correlation-ID", "bad"];
    expect((await send("/v1/ping", { headers })).status).toBe(401);
    expect((await send("/v1/payments?pageSize=0", { headers, token: await tokenFor() })).json.code).toBe(
      "INVALID_CORRELATION_ID",
    );
  });

  it("its name, its format and whether it is required are configurable", async () => {
    const { values } = (await createHarness()).service.assumptions;
    const { send, tokenFor } = await createHarness({
      assumptions: {
        values: {
          ...values,
          "correlation.header": "X-Request-Id",
          "correlation.format": "[a-z]{4}",
          "correlation.required": false,
        },
      },
    });
    const token = await tokenFor();
    const answer = await send("/v1/ping", { token, headers: ["X-Request-ID", "abcd"] });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, "abcd"]);
    expect((await send("/v1/ping", { token, headers: ["X-Request-ID", "abcde"] })).json.code).toBe(
      "INVALID_CORRELATION_ID",
    );
    const strict = await createHarness({ assumptions: { values: { ...values, "correlation.required": true } } });
    expect((await strict.postToken("")).json.code).toBe("INVALID_CORRELATION_ID");
  });
});
