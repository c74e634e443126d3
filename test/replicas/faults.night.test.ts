import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, token } from "./replicas.js";
import { health, healthy, type Running, run, unhealthy } from "./running.js";

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

  it("a replica that stands still disturbs no other, and answers what came meanwhile from the present state", async () => {
    const { a, b } = await two();
    const client = await mint(a);
    const bearer = await token(a, client);
    expect(await ping(b, client, bearer)).toBe(200);
    b.process.kill("SIGSTOP");
    const stoppedAt = Date.now();
    const meanwhile = [ping(b, client, bearer), ping(b, client, bearer)];
    const changed = await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "internal-error-always" });
    expect(changed.status).toBe(200);
    expect((await admin(a, "GET /requests/count")).status).toBe(200);
    expect((await admin(a, "GET /report")).status).toBe(200);
    expect(await ping(a, client, bearer)).toBe(500);
    // Longer than anything waits for Redis.
    await eventually(() => Date.now() - stoppedAt > 6000);
    b.process.kill("SIGCONT");
    expect(await Promise.all(meanwhile)).toEqual([500, 500]);
    expect((await health(b)).status).toBe(200);
    expect(await ping(b, client, bearer)).toBe(500);
    expect(b.errors).toEqual([]);
  });

  it("a killed replica loses its connections, and no request that it has answered", async () => {
    const { a, b } = await two();
    const client = await mint(a);
    const bearer = await token(a, client);
    const answered = { a: [] as number[], b: [] as number[] };
    let isOver = false;
    const load = async (at: typeof a | typeof b, statuses: number[]) => {
      while (!isOver) statuses.push(await ping(at, client, bearer).catch(() => 0));
    };
    const loads = [a, b, b, b, b].map((at) => load(at, at === a ? answered.a : answered.b));
    await eventually(() => answered.a.length > 50 && answered.b.length > 1000);
    b.process.kill("SIGKILL");
    expect((await admin(a, "POST /clients", {})).status).toBe(201);
    await eventually(() => answered.b.includes(0));
    isOver = true;
    await Promise.all(loads);
    expect(answered.a.filter((status) => status !== 200)).toEqual([]);
    const known = answered.a.length + answered.b.filter((status) => status === 200).length;
    const query = `GET /requests/count?client=${client.clientId}&operation=ping`;
    expect((await admin(a, query)).body.count).toBeGreaterThanOrEqual(known);
  });

  it("when the whole machine stands still, no call fails: fifty callers make clients at two replicas", async () => {
    const server = await RedisServer.start();
    redis = server;
    const replicas = new Replicas(server.url);
    const both = [await run(server.url, replicas.certs), await run(server.url, replicas.certs)];
    const made: string[] = [];
    const caller = async (number: number) => {
      for (let call = 0; call < 6; call++) {
        const { status, body } = await admin(both[number % 2] as Running, "POST /clients", {});
        made.push(status === 201 ? body.clientId : `${status} ${body.message}`);
      }
    };
    const callers = Promise.all(Array.from({ length: 50 }, (_, number) => caller(number)));
    await eventually(() => made.length > 50);
    const everything = (name: NodeJS.Signals) => {
      server.signal(name);
      for (const { process } of both) process.kill(name);
    };
    everything("SIGSTOP");
    const stoppedAt = Date.now();
    await eventually(() => Date.now() - stoppedAt > 6000);
    everything("SIGCONT");
    await callers;
    expect(made.filter((id) => !/^[\w-]+$/.test(id))).toEqual([]);
    const known = await Promise.all(both.map(async (at) => (await admin(at, "GET /clients")).body.items));
    const ids = known.map((items) => items.map((client: { readonly clientId: string }) => client.clientId));
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]).toEqual(expect.arrayContaining(made));
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
