import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, token } from "./replicas.js";
import { health, healthy, run, unhealthy } from "./running.js";

describe.skipIf(!hasRedis)("faults of replicas and of Redis", () => {
  let redis: RedisServer | undefined;
  afterEach(() => redis?.signal("SIGCONT"));

  async function two(...options: string[]) {
    const server = await RedisServer.start(...options);
    redis = server;
    const replicas = new Replicas(server.url);
    const a = await replicas.start();
    const b = await run(server.url, replicas.certs);
    await eventually(async () => /^payments_sandbox_shared_replicas 2$/m.test((await admin(a, "GET /metrics")).body));
    return { redis: server, replicas, a, b };
  }

  it("a killed replica loses only its connections; the others wait for a stopped one at most its lease, and it answers nothing stale", async () => {
    const { a, b } = await two();
    const client = await mint(a);
    const bearer = await token(a, client);
    expect(await ping(b, client, bearer)).toBe(200);
    b.process.kill("SIGSTOP");
    const changed = await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "internal-error-always" });
    expect(changed.status).toBe(200);
    // Requests that arrived while it was stopped are not answered from an older state either.
    const meanwhile = [ping(b, client, bearer), ping(b, client, bearer)];
    await eventually(async () => (await admin(a, "GET /requests/count")).status === 200);
    b.process.kill("SIGCONT");
    // It answers 503 until it has caught up, and then from the new state, never with 200.
    const seen = new Set(await Promise.all(meanwhile));
    await eventually(async () => {
      const status = await ping(b, client, bearer);
      seen.add(status);
      return status === 500;
    });
    expect(seen.has(200)).toBe(false);
    // Killed while it is busy: the other continues to answer, and admin calls work.
    const answered = { a: [] as number[], b: [] as number[] };
    let isOver = false;
    const load = async (at: typeof a | typeof b, statuses: number[]) => {
      while (!isOver) statuses.push(await ping(at, client, bearer).catch(() => 0));
    };
    const loads = [load(a, answered.a), load(b, answered.b)];
    await eventually(() => answered.a.length > 50 && answered.b.length > 50);
    b.process.kill("SIGKILL");
    expect((await admin(a, "POST /clients", {})).status).toBe(201);
    expect((await admin(a, "GET /requests/count")).status).toBe(200);
    await eventually(() => answered.b.includes(0));
    isOver = true;
    await Promise.all(loads);
    // On a machine that is too busy for its lease it may be unavailable, but it never has the old state.
    expect(answered.a.filter((status) => status !== 500 && status !== 503)).toEqual([]);
    await healthy(a);
    expect(await ping(a, client, bearer)).toBe(500);
  });

  it("Redis hangs: 503 with the error object and a reason, admin calls fail and change nothing, and all continue with Redis", async () => {
    const { redis, a, b } = await two();
    const client = await mint(a);
    const bearer = await token(b, client);
    redis.signal("SIGSTOP");
    const call = admin(a, "POST /clients", { clientId: "never" });
    await Promise.all([unhealthy(a), unhealthy(b)]);
    expect((await health(b)).body).toMatchObject({ status: "unavailable", reason: expect.stringContaining(redis.url) });
    expect(await ping(a, client, bearer)).toBe(503);
    const metrics = (await admin(a, "GET /metrics")).body as string;
    expect(metrics).toMatch(/^payments_sandbox_shared_available 0$/m);
    expect(metrics).toMatch(/^payments_sandbox_shared_replicas 2$/m);
    expect(metrics).toMatch(/^payments_sandbox_shared_redis_duration_seconds_count [1-9]/m);
    expect(Number(/^payments_sandbox_shared_lag_seconds (.*)$/m.exec(metrics)?.[1])).toBeGreaterThan(1);
    const refused = await admin(b, "PUT /scenario", { name: "outage" });
    expect([refused.status, refused.body.code]).toEqual([503, "SHARED_STATE_UNAVAILABLE"]);
    expect(await call).toMatchObject({ status: 503, body: { code: "SHARED_STATE_UNAVAILABLE" } });
    redis.signal("SIGCONT");
    await Promise.all([healthy(a), healthy(b)]);
    expect(await ping(b, client, bearer)).toBe(200);
    for (const at of [a, b]) expect((await admin(at, "GET /clients/never")).status).toBe(404);
    const made = await mint(b);
    expect(await ping(a, made, await token(a, made))).toBe(200);
  });

  it("Redis is killed and restarted with its data: everything continues", async () => {
    const { redis, a, b, replicas } = await two("--appendonly", "yes", "--appendfsync", "always");
    const client = await mint(a);
    const bearer = await token(b, client);
    await redis.kill();
    await Promise.all([unhealthy(a), unhealthy(b)]);
    expect(await ping(b, client, bearer)).toBe(503);
    await redis.start();
    await Promise.all([healthy(a), healthy(b)]);
    expect(await ping(b, client, bearer)).toBe(200);
    await admin(b, `PUT /clients/${client.clientId}/scenario`, { name: "internal-error-always" });
    expect(await ping(a, client, bearer)).toBe(500);
    expect([replicas.warnings, b.errors]).toEqual([[], []]);
  });

  it("Redis restarts empty: there is a warning, and the configured state exists again", async () => {
    const { redis, a, b, replicas } = await two();
    const client = await mint(a);
    await admin(a, "PUT /scenario", { name: "internal-error-always" });
    await redis.lose();
    await unhealthy(a);
    await redis.start();
    await Promise.all([healthy(a), healthy(b)]);
    expect(replicas.warnings.join()).toContain("Redis has lost its data");
    expect(b.errors.join()).toContain("Redis has lost its data");
    for (const at of [a, b]) {
      expect((await admin(at, `GET /clients/${client.clientId}`)).status).toBe(404);
      expect((await admin(at, "GET /clients/demo")).status).toBe(200);
      expect((await admin(at, "GET /scenario")).body.name).toBe(null);
    }
    const again = await mint(b);
    expect(await ping(a, again, await token(a, again))).toBe(200);
  });
});
