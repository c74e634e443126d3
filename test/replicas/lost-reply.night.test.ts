import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { Between } from "./between.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, steadyPing, token } from "./replicas.js";
import { healthy } from "./running.js";

describe.skipIf(!hasRedis)("a command that Redis has run, but whose reply is lost", () => {
  /** Two replicas; one of them has a proxy before its Redis that drops replies. */
  async function two() {
    const redis = await RedisServer.start();
    const between = await Between.start(redis);
    const [far, near] = [new Replicas(between.url), new Replicas(redis.url)];
    const a = await far.start();
    const b = await near.start({ certs: far.certs });
    return { between, a, b };
  }

  it("a batch of the journal is only once in the journal, at each replica, and in the report", async () => {
    const { between, a, b } = await two();
    const client = await mint(b);
    // The reply of the script that writes a batch, after the write.
    const lose = (count: number) => between.loseReplies(count, "last-batch:", "*3\r\n$2\r\nok\r\n");
    lose(1);
    // A second request for a valid token would be a mistake of the client.
    const bearer = await token(a, client);
    await eventually(() => between.lost === 1);
    lose(2);
    for (let sent = 1; sent <= 20; sent++) expect(await steadyPing(a, client, bearer)).toBe(200);
    await eventually(() => between.lost === 3);
    await healthy(a);
    for (const at of [a, b]) {
      const { items } = (await admin(at, `GET /requests?client=${client.clientId}&status=200`)).body;
      expect(items).toHaveLength(21);
      expect(items.every(({ delivered }: { delivered: unknown }) => delivered === true)).toBe(true);
    }
    const { checks } = (await admin(a, `GET /report?client=${client.clientId}`)).body.drills[0];
    expect(checks).toContainEqual(expect.objectContaining({ id: "token.reused", verdict: "pass" }));
  });

  it("a change whose reply is lost is made, or not, at both: counters are the same at each replica afterwards", async () => {
    const { between, a, b } = await two();
    const rule =
      "description: Of a test.\nrules:\n  - { name: it, when: { operation: ping }, limit: 3, then: { error: INTERNAL_SERVER_ERROR } }\n";
    await admin(b, "PUT /scenarios/counted", rule);
    const client = await mint(b);
    const bearer = await token(b, client);
    for (let round = 1; round <= 2; round++) {
      between.loseReplies(1, "scenarios", "*2\r\n$2\r\nok\r\n");
      await admin(a, "POST /reset", {});
      await healthy(a);
      await admin(b, `PUT /clients/${client.clientId}/scenario`, { name: "counted" });
      const statuses: number[] = [];
      for (const at of [a, b, a, b, a, b, a, b]) statuses.push(await steadyPing(at, client, bearer));
      expect(statuses).toEqual([500, 500, 500, 200, 200, 200, 200, 200]);
    }
    expect(between.lost).toBe(2);
  });

  it("a connection that passes no data is opened again, although it is not closed", async () => {
    const { between, a, b } = await two();
    const client = await mint(b);
    between.swallow();
    await eventually(async () => (await admin(a, "GET /health")).status === 503);
    await healthy(a);
    expect(await steadyPing(a, client, await token(a, client))).toBe(200);
  });
});
