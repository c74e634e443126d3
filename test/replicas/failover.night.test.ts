import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { Between } from "./between.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, steadyPing, token } from "./replicas.js";
import { healthy } from "./running.js";

describe.skipIf(!hasRedis)("a failover: the address moves to a copy of Redis", () => {
  /** Two replicas of an address, its Redis, and a copy. */
  async function pair() {
    const [first, copy] = [await RedisServer.start(), await RedisServer.start()];
    await copy.command("REPLICAOF", "127.0.0.1", String(first.port));
    const between = await Between.start(first);
    const replicas = new Replicas(between.url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const isCopied = async () =>
      eventually(async () => {
        const [one, other] = await Promise.all([first, copy].map((redis) => redis.command("INFO", "replication")));
        const [, offset] = /master_repl_offset:(\d+)/.exec(String(one)) ?? [];
        return String(other).includes(`slave_repl_offset:${offset}`);
      });
    /** What is written from now on is lost. */
    const stopCopying = async () => {
      await isCopied();
      await copy.command("REPLICAOF", "NO", "ONE");
    };
    const failOver = async () => {
      await first.kill();
      between.moveTo(copy);
      // Both, and the connection that asks.
      await eventually(async () => /connected_clients:3/.test(String(await copy.command("INFO", "clients"))));
      await Promise.all([healthy(a), healthy(b)]);
    };
    return { a, b, replicas, stopCopying, failOver };
  }

  it("that lacks the newest changes: replicas go back to what it has, and say so", async () => {
    const { a, b, replicas, stopCopying, failOver } = await pair();
    const kept = await mint(a);
    const bearer = await token(b, kept);
    await stopCopying();
    const lost = await mint(a);
    expect((await admin(b, `GET /clients/${lost.clientId}`)).status).toBe(200);
    await failOver();
    await eventually(() => replicas.warnings.length === 2);
    expect(replicas.warnings.join("")).toMatch(/lost its newest changes.*lost its newest changes/s);
    for (const at of [a, b]) {
      expect(await steadyPing(at, kept, bearer)).toBe(200);
      expect((await admin(at, `GET /clients/${lost.clientId}`)).status).toBe(404);
      expect((await admin(at, `GET /requests/count?client=${kept.clientId}`)).status).toBe(200);
    }
  });

  it("that lacks the newest entries of the journal: the journal is that of the copy at both, and both say so", async () => {
    const { a, b, replicas, stopCopying, failOver } = await pair();
    const client = await mint(a);
    const bearer = await token(b, client);
    await stopCopying();
    for (let sent = 0; sent < 5; sent++) await steadyPing(a, client, bearer);
    const count = async (at: typeof a) =>
      (await admin(at, `GET /requests/count?client=${client.clientId}&operation=ping&status=200`)).body.count;
    expect([await count(a), await count(b)]).toEqual([5, 5]);
    await failOver();
    for (const at of [a, b]) await steadyPing(at, client, bearer);
    expect([await count(a), await count(b)]).toEqual([2, 2]);
    expect(replicas.warnings.join("")).toMatch(/newest entries of the journal.*newest entries of the journal/s);
  });
});
