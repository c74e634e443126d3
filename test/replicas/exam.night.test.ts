import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keys } from "../../src/replicas/keys.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, type Minted, mint, ping, Replicas, send, steadyPing, token } from "./replicas.js";
import { run } from "./running.js";

type At = Parameters<typeof admin>[0];

/** The verdict of one check on a client, or on all. */
async function verdict(at: At, client: string | undefined, check: string): Promise<string | undefined> {
  const { body } = await admin(at, client === undefined ? "GET /report" : `GET /report?client=${client}`);
  const checks = body.drills[0].checks as { readonly id: string; readonly verdict: string }[];
  return checks.find(({ id }) => id === check)?.verdict;
}

/** A configuration whose journal keeps so many requests. */
function keeping(requests: number): string {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-shared-config-"));
  afterFile(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "sandbox.yaml");
  writeFileSync(config, `journal: { requests: ${requests} }\n`);
  return config;
}

describe.skipIf(!hasRedis)("the common exam of all replicas", () => {
  it("has a common time, however long each replica has run", async () => {
    const { url } = await RedisServer.start();
    const replicas = new Replicas(url);
    const old = await replicas.start();
    const young = await run(url, replicas.certs);
    const client = await mint(old);
    // One after the other. According to the clock of the newer process, the second was before the first.
    await token(old, client);
    await token(young, client);
    for (const at of [old, young]) expect(await verdict(at, client.clientId, "token.shared")).toBe("pass");
  });

  it("judges in the order of time, whichever replica writes its exchanges first", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const clients = await Promise.all(Array.from({ length: 8 }, () => mint(a)));
    // Each replica writes some time after its first answer. Here the one that answers the clients last writes first.
    await ping(b, clients[0] as Minted, "no-token");
    for (const at of [a, b]) for (const client of clients) await token(at, client);
    for (const { clientId } of clients)
      for (const at of [a, b]) expect(await verdict(at, clientId, "token.shared")).toBe("pass");
  });

  it("is the same at a replica that joins after resets at two others, and so is the journal", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const [client, other] = [await mint(a), await mint(a)];
    await admin(a, "POST /reset", {});
    // A second token would be one too many, unless it arrives so soon that the order of the requests is unknown.
    const bearer = await token(a, client);
    await steadyPing(a, client, bearer);
    await steadyPing(b, client, bearer);
    await admin(b, "POST /reset", { client: other.clientId });
    await admin(a, "DELETE /requests?operation=token");
    await ping(b, client, "no-token");
    const late = await replicas.start();
    const verdicts = await Promise.all([a, b, late].map((at) => verdict(at, client.clientId, "token.reused")));
    expect(verdicts).toEqual(["pass", "pass", "pass"]);
    const journals = await Promise.all(
      [a, b, late].map(async (at) => (await admin(at, `GET /requests?client=${client.clientId}`)).body.items),
    );
    expect(journals[0].map(({ status }: { status: number }) => status)).toEqual([401, 200, 200]);
    expect([journals[1], journals[2]]).toEqual([journals[0], journals[0]]);
  });

  it("has nothing from before a reset at a replica that joins later: no handshakes, and nothing that Redis keeps longer", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const config = keeping(100);
    const [a, b] = [await replicas.start({ config }), await replicas.start({ config })];
    const client = await mint(a);
    const bearer = await token(a, client);
    // Plain HTTP on the TLS port, and refusals, which the journal of a process keeps instead of successes.
    await fetch(a.url.replace("https:", "http:")).catch(() => {});
    await eventually(async () => (await verdict(b, undefined, "tls.encrypted")) === "fail");
    for (let sent = 0; sent < 30; sent++) await ping(a, client, "no-token");
    expect((await admin(a, "GET /requests/count")).status).toBe(200);
    for (let sent = 0; sent < 120; sent++) await ping(b, client, bearer);
    expect((await admin(a, "POST /reset", {})).status).toBe(204);
    const late = await replicas.start({ config });
    for (const at of [a, b, late]) {
      expect((await admin(at, "GET /requests/count")).body).toEqual({ count: 0 });
      expect(await verdict(at, undefined, "tls.encrypted")).toBe("not-exercised");
    }
  });

  it("has what the journal has dropped since, also at a replica that nobody uses, and at one that joins later", async () => {
    const redis = await RedisServer.start();
    const replicas = new Replicas(redis.url);
    const config = keeping(20);
    const [busy, idle] = [await replicas.start({ config }), await replicas.start({ config })];
    const [wrong, client, patient] = [await mint(busy), await mint(busy), await mint(busy)];
    await send(busy, wrong, "GET /v1/ping?access_token=a");
    const bearer = await token(busy, client);
    const steady = async () => {
      for (let sent = 0; sent < 200; sent++) await steadyPing(busy, client, bearer);
    };
    // Its entry is dropped before it is over.
    await admin(busy, `PUT /clients/${patient.clientId}/scenario`, { name: "slow" });
    const slow = send(busy, patient, "GET /v1/ping?access_token=a");
    await steady();
    await slow;
    await steady();
    const commands = await redis.connect();
    await eventually(async () => {
      await steadyPing(busy, client, bearer);
      const [oldest] = (await commands.sendCommand(["XRANGE", keys.journal, "-", "+", "COUNT", "1"])) as [
        [string, string[]],
      ];
      return Number(oldest[1][3]) > 300;
    });
    const late = await replicas.start({ config });
    for (const at of [busy, idle, late]) {
      expect(await verdict(at, wrong.clientId, "token.header")).toBe("fail");
      expect(await verdict(at, patient.clientId, "token.header")).toBe("fail");
      expect(await verdict(at, client.clientId, "token.header")).toBe("pass");
    }
    const reports = await Promise.all([busy, idle, late].map(async (at) => (await admin(at, "GET /report")).body));
    expect([reports[1], reports[2]]).toEqual([reports[0], reports[0]]);
  });

  it("is saved in time, however often admin calls change something, and a reset of one client is no reset of another", async () => {
    const redis = await RedisServer.start();
    const replicas = new Replicas(redis.url);
    const config = keeping(20);
    const [a, b] = [await replicas.start({ config }), await replicas.start({ config })];
    const [wrong, busy, forgotten, other] = [await mint(a), await mint(a), await mint(a), await mint(a)];
    for (const client of [wrong, forgotten]) await send(a, client, "GET /v1/ping?access_token=a");
    const bearer = await token(a, busy);
    let isOver = false;
    const calls = [a, b].map(async (at, caller) => {
      for (let made = 0; !isOver; made++) {
        const call = `PUT /clients/${other.clientId}/clock`;
        expect((await admin(at, call, { offset: `${caller + made}s` })).status).toBe(200);
        if (made === 5) expect((await admin(at, "POST /reset", { client: forgotten.clientId })).status).toBe(204);
      }
    });
    for (let sent = 0; sent < 300; sent++) expect(await steadyPing(sent % 2 === 0 ? a : b, busy, bearer)).toBe(200);
    isOver = true;
    await Promise.all(calls);
    const commands = await redis.connect();
    const [oldest] = (await commands.sendCommand(["XRANGE", keys.journal, "-", "+", "COUNT", "1"])) as [
      [string, string[]],
    ];
    expect(Number(oldest[1][3])).toBeGreaterThan(200);
    const late = await replicas.start({ config });
    const reports = await Promise.all([a, b, late].map(async (at) => (await admin(at, "GET /report")).body));
    expect([reports[1], reports[2]]).toEqual([reports[0], reports[0]]);
    for (const at of [a, b, late]) {
      expect(await verdict(at, wrong.clientId, "token.header")).toBe("fail");
      expect(await verdict(at, busy.clientId, "token.header")).toBe("pass");
      expect(await verdict(at, forgotten.clientId, "token.header")).toBe("not-exercised");
    }
  });

  it("judges all that are open at the same time, although the journal keeps only some of them", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const config = keeping(20);
    const sandbox = await replicas.start({ config });
    const clients = await Promise.all(Array.from({ length: 60 }, () => mint(sandbox)));
    await admin(sandbox, "PUT /scenario", { name: "slow" });
    await Promise.all(clients.map((client) => send(sandbox, client, "GET /v1/ping?access_token=a")));
    for (const { clientId } of clients) expect(await verdict(sandbox, clientId, "token.header")).toBe("fail");
  });
});
