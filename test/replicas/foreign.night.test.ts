import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { keys, lastBatchKey } from "../../src/replicas/keys.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, send, token } from "./replicas.js";
import { health, healthy } from "./running.js";

type Command = readonly string[];

/** Writes a text as if a sandbox had changed a record. Returns the head before. */
const changing = (record: string, text: string): Command => [
  "EVAL",
  `redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) redis.call('ZADD', KEYS[3], 999999, ARGV[1])
local head = redis.call('GET', KEYS[1]) redis.call('SET', KEYS[1], '999999 foreign') return head`,
  ...["3", keys.head, keys.records, keys.changes, record, text],
];

/** Removes that record again. */
const undoing = (record: string, head: unknown): Command => [
  "EVAL",
  "redis.call('HDEL', KEYS[2], ARGV[1]) redis.call('ZREM', KEYS[3], ARGV[1]) redis.call('SET', KEYS[1], ARGV[2])",
  ...["3", keys.head, keys.records, keys.changes, record, String(head)],
];

describe.skipIf(!hasRedis)("changes by others in the Redis of replicas", () => {
  let redis: RedisServer;
  let replicas: Replicas;
  let [a, b] = [] as unknown as [Sandbox, Sandbox];

  beforeAll(async () => {
    redis = await RedisServer.start();
    replicas = new Replicas(redis.url);
    a = await replicas.start();
    b = await replicas.start();
  });

  beforeEach(() => replicas.warnings.splice(0));

  /**
   * Waits until both report why they do not answer.
   * @returns their warnings
   */
  async function bothSay(reason: RegExp): Promise<string[]> {
    for (const at of [a, b])
      await eventually(async () => {
        const { status, body } = await health(at);
        return status === 503 && reason.test(body.reason);
      });
    return [...replicas.warnings];
  }

  async function bothContinue(): Promise<void> {
    await Promise.all([healthy(a), healthy(b)]);
    const client = await mint(a);
    expect(await ping(b, client, await token(b, client))).toBe(200);
    expect((await admin(b, `GET /requests/count?client=${client.clientId}`)).body).toEqual({ count: 2 });
  }

  const restored: readonly (readonly [string, RegExp, Command, (before: unknown) => Command, RegExp | undefined])[] = [
    [
      "a record that is not JSON",
      /the record clock\. Give/,
      changing("clock", "{"),
      (head) => undoing("clock", head),
      /no sandbox wrote/,
    ],
    [
      "a record of another kind",
      /the record use:demo\. Give/,
      changing("use:demo", "5"),
      (head) => undoing("use:demo", head),
      /no sandbox wrote/,
    ],
    [
      "the key of the replicas that are alive, of a wrong type",
      /WRONGTYPE/,
      ["SET", keys.alive, "foreign"],
      () => ["DEL", keys.alive],
      /no sandbox wrote/,
    ],
    [
      "no memory for new data",
      /OOM command not allowed/,
      ["CONFIG", "SET", "maxmemory", "1"],
      () => ["CONFIG", "SET", "maxmemory", "0"],
      undefined,
    ],
    [
      "a Redis that becomes a copy of another one",
      /READONLY/,
      ["REPLICAOF", "127.0.0.1", "1"],
      () => ["REPLICAOF", "NO", "ONE"],
      undefined,
    ],
  ];

  it.each(restored)(
    "%s: both report the reason, and recover afterwards",
    async (_name, reason, damage, repair, said) => {
      const client = await mint(a);
      const bearer = await token(a, client);
      const made = await redis.command(...damage);
      const warnings = await bothSay(reason);
      expect((await send(b, client, "GET /v1/ping", { Authorization: `Bearer ${bearer}` })).body).toMatchObject({
        code: "SERVICE_UNAVAILABLE",
      });
      expect(await admin(a, "POST /clients", { clientId: "never" })).toMatchObject({
        status: 503,
        body: { code: "SHARED_STATE_UNAVAILABLE", message: expect.stringMatching(reason) },
      });
      await redis.command(...repair(made));
      await bothContinue();
      expect((await admin(b, "GET /clients/never")).status).toBe(404);
      expect(await ping(b, client, bearer)).toBe(200);
      // Each replica reports a lasting problem once.
      const lasting = warnings.filter((text) => !text.includes("missed changes"));
      expect(lasting).toEqual(said ? [expect.stringMatching(said), expect.stringMatching(said)] : []);
    },
  );

  it("a password that replicas do not have: reported when they connect again", async () => {
    const other = await redis.connect();
    await other.sendCommand(["CONFIG", "SET", "requirepass", "new"]);
    await other.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
    await bothSay(/NOAUTH/);
    await other.sendCommand(["CONFIG", "SET", "requirepass", ""]);
    other.destroy();
    await bothContinue();
  });

  it("invalid journal entries have no effect", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    await redis.command("XADD", keys.journal, "*", "foreign", "entry");
    await redis.command("XADD", keys.journal, "*", ..."e 9 h 9 l 9 s 9".split(" "), "b", "{");
    await redis.command("XADD", keys.journal, "*", "b", "x".repeat(20_000_000));
    for (let round = 0; round < 3; round++) expect(await ping(b, client, bearer)).toBe(200);
    for (const at of [a, b])
      expect((await admin(at, `GET /requests?client=${client.clientId}`)).body.items).toHaveLength(4);
    expect((await admin(b, "GET /report")).status).toBe(200);
    await bothContinue();
    expect(replicas.warnings).toEqual([]);
  });

  it.each([
    ["entries", () => keys.journal],
    ["numbers", () => keys.numbers],
    ["batches", async () => ((await redis.command("KEYS", lastBatchKey("*"))) as string[])[0] as string],
  ])("%s of the journal of a wrong type: 503 only for what reads the journal", async (_name, find) => {
    const client = await mint(a);
    const bearer = await token(a, client);
    const key = await find();
    await redis.command("SET", key, "foreign");
    for (const at of [a, b]) expect(await ping(at, client, bearer)).toBe(200);
    const reads = ["GET /requests", "GET /report"] as const;
    const statuses = async () => {
      const calls = [a, b].flatMap((at) => reads.map(async (call) => (await admin(at, call)).status));
      return [...new Set(await Promise.all(calls))];
    };
    expect(await statuses()).toContain(503);
    expect(await ping(a, client, bearer)).toBe(200);
    await redis.command("DEL", key);
    await eventually(async () => (await statuses()).join() === "200");
    await bothContinue();
  });

  it("a change of the journal alone is a new version of the state", async () => {
    const version = async () => Number.parseInt(String(await redis.command("GET", keys.head)), 10);
    const before = await version();
    expect((await admin(a, "DELETE /requests")).status).toBe(204);
    expect(await version()).toBeGreaterThan(before);
    await bothContinue();
  });

  it("counters of a wrong type: 503 only for the requests that they count", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "internal-error-once" });
    expect(await ping(a, client, bearer)).toBe(500);
    const counters = (await redis.command("KEYS", "*:counters:*internal-error-once*")) as string[];
    for (const key of counters) await redis.command("SET", key, "foreign");
    const answer = await send(b, client, "GET /v1/ping", { Authorization: `Bearer ${bearer}` });
    expect([answer.status, answer.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    await bothContinue();
    for (const key of counters) await redis.command("DEL", key);
    expect([await ping(b, client, bearer), await ping(a, client, bearer)]).toEqual([500, 200]);
  });

  it("a record that cannot be read: a replica that joins says so, and the others continue", async () => {
    for (const text of ["no JSON", '{"client":5}']) {
      await redis.command("HSET", keys.records, "client:foreign", text);
      await redis.command("ZADD", keys.changes, "1", "client:foreign");
      await expect(replicas.start()).rejects.toThrow("no sandbox wrote: the record client:foreign");
    }
    await redis.command("HDEL", keys.records, "client:foreign");
    await redis.command("ZREM", keys.changes, "client:foreign");
    await bothContinue();
  });

  it("the newest changes are lost, as in a failover: replicas go back to what is there, and say so", async () => {
    const before = String(await redis.command("GET", keys.head));
    const { clientId } = await mint(a);
    // Both have it.
    expect((await admin(b, `GET /clients/${clientId}`)).status).toBe(200);
    const lost = String(await redis.command("GET", keys.head));
    const names = ["registrations", `client:${clientId}`];
    const text = `redis.call('SET', KEYS[1], ARGV[1]) redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('HDEL', KEYS[4], ARGV[4]) redis.call('ZREM', KEYS[3], ARGV[3], ARGV[4])`;
    const where = [keys.head, keys.heads, keys.changes, keys.records];
    await redis.command("EVAL", text, "4", ...where, before, lost, ...names);
    await eventually(() => replicas.warnings.length >= 2);
    expect(replicas.warnings.join("")).toMatch(/gone back.*gone back/s);
    await bothContinue();
    expect((await admin(b, `GET /clients/${clientId}`)).status).toBe(404);
  });

  it("a replica that is too many changes behind reads everything again", async () => {
    const client = await mint(a);
    await redis.command("DEL", keys.heads);
    await admin(a, "POST /clock", { advance: "1s" });
    await bothContinue();
    const { offset } = (await admin(a, "GET /clock")).body;
    // While it reads everything, it answers 503.
    await eventually(async () => (await admin(b, "GET /clock")).body.offset === offset);
    expect(await ping(b, client, await token(b, client))).toBe(200);
  });

  it("the head is missing: everything begins again; invalid facts: no replica joins", async () => {
    const client = await mint(a);
    await redis.command("DEL", keys.head);
    await eventually(() => replicas.warnings.length >= 2);
    expect(replicas.warnings.join()).toContain("Redis has lost its data");
    await bothContinue();
    await eventually(async () => (await admin(b, `GET /clients/${client.clientId}`)).status === 404);
    await redis.command("SET", keys.facts, "foreign");
    await expect(replicas.start()).rejects.toThrow("no sandbox wrote: payments-sandbox:facts");
    await redis.command("SET", keys.records, "foreign");
    const lost = () => replicas.warnings.filter((warning) => warning.includes("Redis has lost its data")).length;
    const lostBefore = lost();
    await redis.command("FLUSHDB");
    // Until it is noticed, both seem healthy.
    await eventually(() => lost() >= lostBefore + 2);
    await bothContinue();
  });
});
