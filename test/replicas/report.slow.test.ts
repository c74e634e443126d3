import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keys } from "../../src/replicas/keys.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, send, steadyPing, token } from "./replicas.js";

type At = Parameters<typeof admin>[0];

const report = async (at: At, query = "") => (await admin(at, `GET /report${query}`)).body;

/** One check of the report on a client, or on all. */
async function check(at: At, client: string | undefined, id: string) {
  const { drills } = await report(at, client === undefined ? "" : `?client=${client}`);
  return drills[0].checks.find((one: { readonly id: string }) => one.id === id);
}

async function pair(settings: { readonly config?: string } = {}) {
  const redis = await RedisServer.start();
  const replicas = new Replicas(redis.url);
  return { redis, replicas, a: await replicas.start(settings), b: await replicas.start(settings) };
}

const wrong = "GET /v1/ping?access_token=a";

describe.skipIf(!hasRedis)("the report of a replica", () => {
  it("covers what reached this replica, names entries of the common journal, and says that there are others", async () => {
    const { a, b, replicas } = await pair();
    const client = await mint(a);
    await steadyPing(b, client, await token(a, client));
    await send(b, client, wrong);
    expect(await check(a, client.clientId, "token.header")).toMatchObject({ verdict: "not-exercised" });
    const failed = await check(b, client.clientId, "token.header");
    expect(failed).toMatchObject({ verdict: "fail", exchanges: [expect.any(String)] });
    for (const at of [a, b]) {
      expect((await admin(at, `GET /requests/${failed.exchanges[0]}`)).body.target).toContain("access_token=");
      await eventually(async () => (await report(at)).replicas === 2);
    }
    await b.close(0);
    replicas.all.splice(1, 1);
    await eventually(async () => (await report(a)).replicas === undefined);
  });

  it("begins again at each replica if it does at one: for one client or for all, by a reset or an emptied journal", async () => {
    const { a, b } = await pair();
    const [one, other] = [await mint(a), await mint(a)];
    const verdicts = () =>
      Promise.all(
        [a, b].flatMap((at) =>
          [one, other].map(async ({ clientId }) => (await check(at, clientId, "token.header")).verdict),
        ),
      );
    const fail = async () => {
      for (const at of [a, b]) for (const client of [one, other]) await send(at, client, wrong);
      expect(await verdicts()).toEqual(["fail", "fail", "fail", "fail"]);
    };
    for (const call of [`DELETE /requests?client=${one.clientId}`, "POST /reset"]) {
      await fail();
      expect((await admin(a, call, call === "POST /reset" ? { client: one.clientId } : undefined)).status).toBe(204);
      await eventually(async () => (await verdicts()).join() === "not-exercised,fail,not-exercised,fail");
      expect((await admin(b, "POST /reset", {})).status).toBe(204);
      await eventually(async () => (await verdicts()).every((verdict) => verdict === "not-exercised"));
    }
    // A change of something else does not repeat a reset.
    await fail();
    await admin(b, `PUT /clients/${one.clientId}/clock`, { offset: "1s" });
    await admin(a, "PUT /clock", { offset: "1s" });
    for (const at of [a, b]) expect(await steadyPing(at, one, "no-token")).toBe(401);
    expect(await verdicts()).toEqual(["fail", "fail", "fail", "fail"]);
  });

  it("keeps what the journal has dropped since, although nobody reads it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-shared-config-"));
    afterFile(() => rmSync(folder, { recursive: true }));
    const config = join(folder, "sandbox.yaml");
    writeFileSync(config, "journal: { requests: 20 }\n");
    const { redis, a, b } = await pair({ config });
    const client = await mint(a);
    await send(a, client, wrong);
    const bearer = await token(a, client);
    const commands = await redis.connect();
    const oldest = async () => {
      const [first] = (await commands.sendCommand(["XRANGE", keys.journal, "-", "+", "COUNT", "1"])) as [
        [string, string[]],
      ];
      return Number(first[1][3]);
    };
    for (let sent = 0; sent < 60; sent++) await steadyPing(sent % 2 === 0 ? a : b, client, bearer);
    expect(await oldest()).toBeGreaterThan(30);
    for (const at of [a, b]) expect((await admin(at, "GET /requests/count")).body).toEqual({ count: 20 });
    expect(await check(a, client.clientId, "token.header")).toMatchObject({ verdict: "fail", exchanges: ["1"] });
  });
});
