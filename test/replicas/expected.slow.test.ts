import { describe, expect, it } from "vitest";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, send, token } from "./replicas.js";

describe.skipIf(!hasRedis)("errors that a client is declared to provoke", () => {
  it("are declared at one replica and count at every one, until they are removed at any", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const client = await mint(a, { expected: ["INVALID_PAGE_SIZE"] });
    const path = `/clients/${client.clientId}`;
    const Authorization = `Bearer ${await token(b, client)}`;
    const provoke = async (at: typeof a, query: string) =>
      (await send(at, client, `GET /v1/payments?${query}`, { Authorization })).body.code;

    expect(await provoke(b, "pageSize=0")).toBe("INVALID_PAGE_SIZE");
    await admin(b, `PUT ${path}/expected`, { expected: ["INVALID_CURSOR"] });
    expect(await provoke(a, "cursor=x")).toBe("INVALID_CURSOR");
    const late = await replicas.start();
    expect(await provoke(late, "cursor=y")).toBe("INVALID_CURSOR");
    const reports = async () =>
      Promise.all([a, b, late].map(async (at) => (await admin(at, `GET /report?client=${client.clientId}`)).body));
    for (const [index, { summary, drills }] of (await reports()).entries()) {
      expect(summary.fail).toBe(0);
      expect(drills[0].expected).toMatchObject([
        { code: index === 1 ? "INVALID_PAGE_SIZE" : "INVALID_CURSOR", count: 1 },
      ]);
    }

    await admin(late, `PUT ${path}/expected`, { expected: [] });
    for (const at of [a, b, late]) expect((await admin(at, `GET ${path}`)).body.expected).toEqual([]);
    expect(await provoke(b, "pageSize=0")).toBe("INVALID_PAGE_SIZE");
    const failed = (await reports()).map(({ drills }) =>
      drills[0].checks.flatMap(({ id, verdict }: Record<string, string>) => (verdict === "fail" ? [id] : [])),
    );
    expect(failed).toEqual([[], ["list.page-size"], []]);
    expect(replicas.warnings).toEqual([]);
  });
});
