import { describe, expect, it } from "vitest";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, send, token } from "./replicas.js";

const rules = `description: Of a test.
rules:
  - { name: renewed, when: { token: renewal }, then: { error: SERVICE_UNAVAILABLE } }
  - { name: down, when: { list: payouts }, from: { page: last }, then: { error: FORBIDDEN } }
  - { name: down-for-all, share: all, when: { operation: [ping, list] }, from: { list: payments }, limit: 2, then: { error: NOT_FOUND } }
`;

describe.skipIf(!hasRedis)("roles of requests", () => {
  it("a token counts that another replica issued, and a rule begins at all of them", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const [client, other] = [await mint(a), await mint(b)];
    const Authorization = `Bearer ${await token(a, client)}`;
    const others = `Bearer ${await token(b, other)}`;
    await admin(a, "PUT /scenarios/roles", rules);
    await admin(b, "PUT /scenario", { name: "roles" });

    await expect(token(b, client)).rejects.toThrow("503");
    const late = await replicas.start();
    await expect(token(late, client)).rejects.toThrow("503");
    await token(late, await mint(a));

    const list = async (at: typeof a, query: string) => send(at, client, `GET /v1/payouts?${query}`, { Authorization });
    const { status, body } = await list(a, "pageSize=20");
    expect(status).toBe(200);
    expect((await list(b, `pageSize=20&cursor=${body.nextCursor}`)).status).toBe(403);
    expect((await list(a, "pageSize=20")).status).toBe(403);

    const ping = async (at: typeof a) => (await send(at, other, "GET /v1/ping", { Authorization: others })).status;
    expect(await ping(a)).toBe(200);
    expect((await send(a, client, "GET /v1/payments", { Authorization })).status).toBe(404);
    expect([await ping(b), await ping(late)]).toEqual([404, 200]);
    expect(replicas.warnings).toEqual([]);
  });
});
