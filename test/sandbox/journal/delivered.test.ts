import { describe, expect, it } from "vitest";
import type { Passage } from "../../../src/sandbox/connection/passage.js";
import type { Peer } from "../../../src/sandbox/connection/peer.js";
import { Exchange } from "../../../src/sandbox/journal/exchange.js";
import { explain } from "../../../src/sandbox/journal/explain.js";
import type { ExplanationContext } from "../../../src/sandbox/journal/explanation-context.js";
import type { ActingRule } from "../../../src/sandbox/scenarios/engine.js";
import { eventually, start } from "../../admin/fixture.js";
import { withFacts } from "../../support/exchange-facts.js";
import { openTls } from "../../support/raw-client.js";

describe("whether an answer was delivered", () => {
  it("is known once the connection has written or dropped it", async () => {
    const own = await start();
    const client = await own.mint();
    await client.ping();
    const delivered = async () =>
      (await own.admin.get("/requests?operation=ping&pageSize=1")).json.items[0]?.delivered ?? undefined;
    expect(await eventually(delivered)).toBe(true);
  });

  it("is false for a client that did not wait", async () => {
    const own = await start();
    const client = await own.mint();
    const { minted } = client;
    const token = await client.token();
    await own.admin.putYaml(
      "/scenarios/late",
      "description: x\nrules: [{ name: a, then: { delay: 10s, clock: { advance: 1s } } }]",
    );
    await own.admin.put(`/clients/${client.clientId}/scenario`, { name: "late" });
    const { port } = new URL(own.sandbox.url);
    const raw = await openTls({
      port: Number(port),
      ca: own.sandbox.caPem,
      cert: minted.certificate,
      key: minted.key,
    });
    raw.send(`GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // The rule moves the clock when the request arrives.
    await eventually(async () => (await own.admin.get(`/clients/${client.clientId}/clock`)).json.offset > 0);
    raw.socket.destroy();
    const item = await eventually(
      async () => (await own.admin.get("/requests?operation=ping&pageSize=1")).json.items[0],
    );
    expect(item).toMatchObject({ status: 200, delivered: false });
    expect(item).toMatchObject({ endedBy: "client" });
    expect(item.explanation).toMatch(/The client gave up after [\d.]+ m?s: it closed the connection, when /);
  });

  it("is explained if a rule slowed the answer down, and not if it broke it", () => {
    const undelivered = "The connection was closed, when";
    const texts = [false, true].map((isBroken) => {
      const exchange = new Exchange({ kind: "none" } as Peer, "GET", "/v1/ping", [], 0);
      const active = { key: { scenario: "a", rule: "b" }, rule: { words: "something" } } as unknown as ActingRule;
      withFacts(exchange, { fault: active, injected: "a/b#1;seed=s" });
      exchange.answered(200, {}, "{}");
      exchange.closed(false, isBroken ? ({ endedBy: "scenario" } as Passage) : undefined);
      const context = { explainAnswer: () => "" } as unknown as ExplanationContext;
      return explain(exchange, context).includes(undelivered);
    });
    expect(texts).toEqual([true, false]);
  });

  it.each([
    ["a refused Host", "GET /v1/ping HTTP/1.1\r\nHost: a b\r\n\r\n", [{ delivered: false, status: 0 }]],
    ["what is not HTTP", "GARBAGE\r\n\r\n", []],
    ["CONNECT", "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", []],
  ])("is known for %s; a request after it that Node has read is not processed", async (_name, request, after) => {
    const own = await start();
    const { port } = new URL(own.sandbox.url);
    const raw = await openTls({ port: Number(port), ca: own.sandbox.caPem });
    await raw.sendAndClose(`${request}GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const delivered = async () => {
      const { items } = (await own.admin.get("/requests")).json;
      return items.length > 0 && items.at(-1).delivered !== null ? items : undefined;
    };
    expect(await eventually(delivered)).toMatchObject([...after, { delivered: true }]);
  });
});
