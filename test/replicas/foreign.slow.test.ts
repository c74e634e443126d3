import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { keys } from "../../src/replicas/keys.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, send, token } from "./replicas.js";
import { health, healthy } from "./running.js";

type Command = readonly string[];

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

  const entry = ["XADD", keys.log, "*", "n"];
  const restored: readonly (readonly [string, RegExp, Command, (before: unknown) => Command, RegExp | undefined])[] = [
    [
      "an entry of the log that is invalid",
      /entry \d+-\d+ of payments-sandbox:log\. Give/,
      ["XADD", keys.log, "*", "foreign", "entry"],
      (made) => ["XDEL", keys.log, String(made)],
      /no sandbox wrote/,
    ],
    [
      "an entry of the log that is not JSON",
      /entry \d+-\d+ of payments-sandbox:log\. Give/,
      [...entry, "5", "c", "{"],
      (made) => ["XDEL", keys.log, String(made)],
      /no sandbox wrote/,
    ],
    [
      "a gap in the log",
      /before which others are missing/,
      [...entry, "99999", "c", "{}"],
      (made) => ["XDEL", keys.log, String(made)],
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

  it("an invalid snapshot that must be read: the loss is reported once it can be read again", async () => {
    await mint(a);
    await redis.command("SET", keys.snapshot, "no JSON");
    const [[last]] = (await redis.command("XREVRANGE", keys.log, "+", "-", "COUNT", "1")) as [[string]];
    await redis.command("XDEL", keys.log, last);
    expect((await bothSay(/no sandbox wrote/)).join("")).not.toMatch(/missed changes|gone back/);
    await redis.command("DEL", keys.snapshot);
    await bothContinue();
    expect(replicas.warnings.join("")).toMatch(/gone back/);
  });

  it("an invalid snapshot: a replica that joins reports it, and the others continue", async () => {
    for (const text of ["no JSON", "{}", '{"position":"1-1","snapshot":{"clients":5}}']) {
      await redis.command("SET", keys.snapshot, text);
      await expect(replicas.start()).rejects.toThrow(`no sandbox wrote: ${keys.snapshot}`);
    }
    await redis.command("DEL", keys.snapshot);
    await bothContinue();
    // The log alone is the whole state only if it is complete from its beginning.
    await redis.command("XTRIM", keys.log, "MAXLEN", "1");
    await expect(replicas.start()).rejects.toThrow(`${keys.log} without the ${keys.snapshot}`);
    await bothContinue();
  });

  it("the common initial state is missing, or invalid: it is made again, or the replicas wait", async () => {
    const client = await mint(a);
    await redis.command("DEL", keys.facts);
    await eventually(() => replicas.warnings.length >= 2);
    expect(replicas.warnings.join()).toContain("Redis has lost its data");
    await bothContinue();
    await eventually(async () => (await admin(b, `GET /clients/${client.clientId}`)).status === 404);
    await redis.command("SET", keys.facts, "foreign");
    await bothSay(/no sandbox wrote: payments-sandbox:facts/);
    await expect(replicas.start()).rejects.toThrow("no sandbox wrote");
    await redis.command("SET", keys.log, "foreign");
    await redis.command("FLUSHDB");
    await bothContinue();
  });
});
