import { beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, type Minted, mint, ping, Replicas, send, token } from "./replicas.js";

describe.skipIf(!hasRedis)("the common journal, read at either replica", () => {
  const replicas = hasRedis ? RedisServer.start().then(({ url }) => new Replicas(url)) : undefined;
  let [a, b] = [] as unknown as [Sandbox, Sandbox];

  beforeAll(async () => {
    const set = await replicas;
    if (!set) return;
    a = await set.start();
    b = await set.start();
  });

  const requests = async (at: Sandbox, client: Minted) =>
    (await admin(at, `GET /requests?client=${client.clientId}`)).body.items;

  it("has the exchanges of both, with the same ids, explanations and details", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    await ping(b, client, bearer);
    await ping(a, client, "no-token");
    await send(b, client, "GET /v1/payments?pageSize=3", { Authorization: `Bearer ${bearer}` });
    await send(a, client, "GET /v1/payments?pageSize=0", { Authorization: `Bearer ${bearer}` });
    const headers = { Authorization: `Bearer ${bearer}`, "Sandbox-Scenario": "internal-error-once" };
    await send(b, client, "GET /v1/ping", headers);
    const [atA, atB] = [await requests(a, client), await requests(b, client)];
    expect(atA).toEqual(atB);
    expect(atA.map(({ operation, status }: Record<string, unknown>) => `${operation} ${status}`).sort()).toEqual(
      ["list 200", "list 400", "ping 200", "ping 401", "ping 500", "token 200"].sort(),
    );
    for (const { id } of atA) {
      const details = await Promise.all([a, b].map(async (at) => (await admin(at, `GET /requests/${id}`)).body));
      expect(details[0]).toEqual(details[1]);
      expect(details[0].decisions.length).toBeGreaterThan(2);
    }
    const pages = await Promise.all([a, b].map((at) => admin(at, `GET /journal?q=client:${client.clientId}`)));
    expect(pages[0]?.body.items).toHaveLength(6);
    expect(pages[0]?.body).toEqual(pages[1]?.body);
    const files = await Promise.all([a, b].map((at) => admin(at, "GET /journal/export?format=ndjson")));
    expect(files[0]?.body).toEqual(files[1]?.body);
    const failed = atA.find(({ status }: { status: number }) => status === 400);
    const repeated = (await admin(a, `POST /requests/${failed.id}/repeat`, {})).body;
    expect(repeated).toMatchObject({ status: 400, id: expect.any(String) });
    expect((await admin(b, `GET /requests/${repeated.id}`)).body.target).toBe(failed.target);
  });

  it("contains a test's own requests immediately, however often it is read", async () => {
    const client = await mint(b);
    const bearer = await token(b, client);
    for (let round = 1; round <= 20; round++) {
      await ping(round % 2 === 0 ? a : b, client, bearer);
      const { count } = (
        await admin(round % 2 === 0 ? b : a, `GET /requests/count?client=${client.clientId}&operation=ping`)
      ).body;
      expect(count).toBe(round);
    }
  });

  it("is emptied at both, for one client or for all, also for a replica that joins later", async () => {
    const [one, other] = [await mint(a), await mint(a)];
    for (const client of [one, other]) await ping(b, client, await token(a, client));
    expect((await admin(a, "POST /reset", { client: one.clientId })).status).toBe(204);
    const late = (await (await replicas)?.start()) as Sandbox;
    for (const at of [a, b, late]) {
      expect(await requests(at, one)).toEqual([]);
      expect(await requests(at, other)).toHaveLength(2);
    }
    expect((await admin(b, "DELETE /requests")).status).toBe(204);
    for (const at of [a, b, late]) expect((await admin(at, "GET /requests/count")).body).toEqual({ count: 0 });
    await late.close(0);
  });

  it("the stream of one replica sends requests of the other", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    const stream = await fetch(`${a.adminUrl}/requests/stream?client=${client.clientId}&operation=ping`);
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    await ping(b, client, bearer);
    let text = "";
    while (!text.includes("event: request")) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toContain(client.clientId);
    await reader.cancel();
  });
});
