import { beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, steadyPing as ping, Replicas, send, token } from "./replicas.js";

const rule = (more: string) =>
  `description: Of a test.\nrules:\n  - name: it\n    when: { operation: ping }\n    ${more}\n`;

describe.skipIf(!hasRedis)("counters are exact across replicas", () => {
  let redis: RedisServer;
  let [a, b] = [] as unknown as [Sandbox, Sandbox];

  beforeAll(async () => {
    redis = await RedisServer.start();
    const replicas = new Replicas(redis.url);
    a = await replicas.start({ seed: "7" });
    b = await replicas.start();
  });

  async function clientUnder(text: string) {
    expect(await admin(a, "PUT /scenarios/counted", text)).toMatchObject({ status: 200 });
    const client = await mint(b);
    const bearer = await token(a, client);
    expect((await admin(b, `PUT /clients/${client.clientId}/scenario`, { name: "counted" })).status).toBe(200);
    const pings = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => ping(index % 2 === 0 ? a : b, client, bearer)));
    return { client, bearer, pings };
  }

  const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

  it("limit: 7 causes seven faults, with concurrent requests at both replicas, ten times", async () => {
    const { client, pings } = await clientUnder(rule("limit: 7\n    then: { error: { code: INTERNAL_SERVER_ERROR } }"));
    const seen: number[] = [];
    for (let round = 0; round < 10; round++) {
      await admin(round % 2 === 0 ? a : b, `PUT /clients/${client.clientId}/scenario`, { name: "counted" });
      seen.push(count(await pings(30), 500));
    }
    expect(seen).toEqual(Array(10).fill(7));
  });

  it("a fault that did not act is not counted", async () => {
    const { client, pings } = await clientUnder(rule("limit: 2\n    then: { error: { code: INTERNAL_SERVER_ERROR } }"));
    for (const each of [a, b, a]) expect(await ping(each, client, "no-token")).toBe(401);
    expect(count(await pings(6), 500)).toBe(2);
  });

  it("skip, every and share: all count the requests of all replicas", async () => {
    const skips = rule("skip: 3\n    every: 2\n    then: { error: { code: INTERNAL_SERVER_ERROR } }");
    const { client, bearer } = await clientUnder(skips);
    const statuses: number[] = [];
    for (let round = 0; round < 8; round++) statuses.push(await ping(round % 2 === 0 ? a : b, client, bearer));
    expect(statuses).toEqual([200, 200, 200, 200, 500, 200, 500, 200]);

    const shared = rule("share: all\n    limit: 3\n    then: { error: { code: INTERNAL_SERVER_ERROR } }");
    const clients = [await clientUnder(shared), await clientUnder(shared)];
    await admin(a, "PUT /scenario", { name: "counted" });
    const all = await Promise.all(clients.map(({ pings }) => pings(10)));
    expect(count(all.flat(), 500)).toBe(3);
    await admin(b, "DELETE /scenario");
  });

  it("draws are the same as in one sandbox with the same seed, and attempts count at either replica", async () => {
    const { client, bearer, pings } = await clientUnder(
      rule("probability: 0.5\n    then: { error: { code: INTERNAL_SERVER_ERROR } }"),
    );
    const statuses: number[] = [];
    for (let round = 0; round < 100; round++) statuses.push(await ping(round % 2 === 0 ? a : b, client, bearer));
    await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "counted" });
    const again = await pings(100);
    expect([...again].sort()).toEqual([...statuses].sort());

    const second = await clientUnder(
      "description: Of a test.\nrules:\n  - name: it\n    when: { operation: ping, attempt: 2 }\n    then: { error: { code: INTERNAL_SERVER_ERROR } }\n",
    );
    const attempts = [a, b, a].map((each) => () => ping(each, second.client, second.bearer));
    const seen: number[] = [];
    for (const attempt of attempts) seen.push(await attempt());
    expect(seen).toEqual([200, 500, 200]);
  });

  it("a scenario that is uploaded again has its new probability immediately at both replicas", async () => {
    const then = "then: { error: { code: INTERNAL_SERVER_ERROR } }";
    const { client, pings } = await clientUnder(rule(`probability: 0.01\n    ${then}`));
    await pings(2);
    await admin(a, "PUT /scenarios/counted", rule(`probability: 0.99\n    ${then}`));
    await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "counted" });
    expect(count(await pings(20), 500)).toBeGreaterThan(15);
  });

  it("a bucket of five accepts five", async () => {
    const { pings } = await clientUnder(rule("then: { rateLimit: { limit: 5, per: 1h } }"));
    const statuses = await pings(20);
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([5, 15]);
  });

  it("a concurrency limit of two applies to both replicas together", async () => {
    const { pings } = await clientUnder(rule("then: { concurrency: { limit: 2 }, delay: 2s }"));
    const statuses = await pings(8);
    expect(count(statuses, 200)).toBe(2);
    // A request ends once its end is counted, which may be slightly after its answer.
    await expect.poll(async () => count(await pings(2), 200)).toBe(2);
  });

  it("refused requests do not count as open, not even in a burst at the other replica", async () => {
    const { client, bearer } = await clientUnder(rule("then: { concurrency: { limit: 1 }, delay: 2s }"));
    const burst = (token: string) => Promise.all(Array.from({ length: 9 }, () => ping(a, client, token)));
    // This opens its connections in advance.
    await burst("no-token");
    const held = ping(b, client, bearer);
    await eventually(async () => String(await redis.command("KEYS", "*:open:it")).includes(client.clientId));
    expect(count(await burst(bearer), 429)).toBe(9);
    expect(await held).toBe(200);
    // From now on, only the other replica gets requests.
    await expect.poll(() => ping(b, client, bearer)).toBe(200);
  });

  it("a token that was revoked at one replica is refused at the other", async () => {
    const { client, bearer } = await clientUnder(rule("limit: 1\n    then: { token: { revoke: true } }"));
    expect(await ping(a, client, bearer)).toBe(401);
    await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: null });
    expect(await ping(b, client, bearer)).toBe(401);
    expect(await ping(b, client, await token(a, client))).toBe(200);
  });

  it("a clock that a rule moves is moved at both replicas", async () => {
    const { client, bearer } = await clientUnder(rule("limit: 1\n    then: { clock: { advance: 10m } }"));
    expect(await ping(a, client, bearer)).toBe(401);
    expect((await admin(b, `GET /clients/${client.clientId}/clock`)).body.offset).toBe(600_000);
  });

  it("a handle of a fault is replayed at the other replica", async () => {
    const { client, bearer } = await clientUnder(
      rule("limit: 1\n    then: { error: { code: INTERNAL_SERVER_ERROR } }"),
    );
    const headers = { Authorization: `Bearer ${bearer}` };
    const fault = String((await send(a, client, "GET /v1/ping", headers)).headers["sandbox-fault"]);
    const replayed = await send(b, client, "GET /v1/ping", { ...headers, "Sandbox-Replay": fault });
    expect([replayed.status, replayed.headers["sandbox-fault"]]).toEqual([500, fault]);
  });
});
