import { describe, expect, it } from "vitest";
import { keys } from "../../src/replicas/keys.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, token } from "./replicas.js";

describe.skipIf(!hasRedis)("a replica that joins later", () => {
  it("has everything, however often it was changed", async () => {
    const redis = await RedisServer.start();
    const replicas = new Replicas(redis.url);
    const a = await replicas.start();
    const client = await mint(a, { seed: "mine" });
    const bearer = await token(a, client);
    await admin(
      a,
      "PUT /scenarios/own",
      "description: Of a test.\nrules:\n  - name: it\n    when: { operation: ping }\n    then: { respond: { status: 418 } }\n",
    );
    await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "own" });
    await admin(a, `POST /clients/${client.clientId}/clock`, { advance: "10s" });
    await admin(a, "DELETE /clients/partner");
    let moved = 0;
    while (moved < 200) {
      const calls = Array.from({ length: 40 }, () => admin(a, "POST /clock", { advance: "1ms" }));
      moved += (await Promise.all(calls)).filter(({ status }) => status === 200).length;
    }
    // One record for each thing, whatever has happened to it.
    expect(await redis.command("HLEN", keys.records)).toBeLessThan(10);
    const b = await replicas.start();
    expect(await ping(b, client, bearer)).toBe(418);
    const both = await Promise.all([a, b].map(async (at) => (await admin(at, "GET /clients")).body.items));
    const still = (clients: { clock: object }[]) =>
      clients.map((each) => ({ ...each, clock: { ...each.clock, now: "" } }));
    expect(still(both[0])).toEqual(still(both[1]));
    expect((await admin(b, "GET /clock")).body.offset).toBe(moved);
    await admin(b, `PUT /clients/${client.clientId}/scenario`, { name: null });
    expect(await ping(a, client, bearer)).toBe(200);
  });
});
