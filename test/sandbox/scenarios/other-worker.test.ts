import { expect, it } from "vitest";
import { faultOf, under } from "./through-the-api.js";

it("token: otherWorker ends every token of the client, and one that it gets later is good", async () => {
  const { harness, get } = await under(
    "{ name: it, when: { operation: ping }, limit: 1, then: { token: { otherWorker: true } } }",
  );
  const second = await harness.tokenFor("demo");
  const refused = await get("/v1/ping");
  expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, 'Bearer error="invalid_token"']);
  expect(faultOf(refused)).toMatch(/^it\/it#1/);
  for (const token of [second, undefined]) {
    const later = await harness.get("/v1/ping", token === undefined ? {} : { token });
    expect([later.status, faultOf(later)]).toEqual([401, null]);
  }
  const fresh = await harness.tokenFor("demo");
  expect((await harness.get("/v1/ping", { token: fresh })).status).toBe(200);
  // By default, one more token ends nothing.
  await harness.tokenFor("demo");
  expect((await harness.get("/v1/ping", { token: fresh })).status).toBe(200);
  expect((await harness.get("/v1/ping", { as: "other" })).status).toBe(200);
});

it("a reset forgets it", async () => {
  const { harness, get } = await under(
    "{ when: { operation: ping }, limit: 1, then: { token: { otherWorker: true } } }",
  );
  expect((await get("/v1/ping")).status).toBe(401);
  harness.clients.get("demo")?.scenario.reset();
  expect((await harness.get("/v1/ping")).status).toBe(200);
});
