import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, steadyPing as ping, Replicas, send, token } from "./replicas.js";

async function pair() {
  const replicas = new Replicas((await RedisServer.start()).url);
  const [a, b] = [await replicas.start(), await replicas.start()];
  return { a, b, names: [a, b].map(({ url }) => `${hostname()}:${new URL(url).port}`) };
}

const then = "then";
const failNext = { onTop: true, rules: [{ limit: 1, [then]: { error: "INTERNAL_SERVER_ERROR" } }] };

describe.skipIf(!hasRedis)("of several replicas", () => {
  it("each entry says which one answered, and the overview names those that answered a client", async () => {
    const { a, b, names } = await pair();
    const client = await mint(a);
    const bearer = await token(a, client);
    await ping(b, client, bearer);
    for (const at of [a, b]) {
      const { body } = await admin(at, `GET /requests?client=${client.clientId}`);
      expect(body.items.map((item: { replica: string }) => item.replica)).toEqual([...names].reverse());
      const overview = (await admin(at, "GET /journal/overview?buckets=1")).body;
      expect(overview.clients).toMatchObject([{ client: client.clientId, replicas: [...names].sort() }]);
    }
    const { agent } = await mint(a);
    const stranger = { clientId: "nobody", agent };
    agent.options.ca = "";
    await expect(send(b, stranger, "GET /v1/ping")).rejects.toThrow();
    await eventually(async () => {
      const { items } = (await admin(a, "GET /handshakes")).body;
      return items[0]?.replica === names[1];
    });
  });

  it("a rule on top fails one request at any of them, and an undo at another takes a choice back", async () => {
    const { a, b } = await pair();
    const client = await mint(a);
    const bearer = await token(a, client);
    const path = `/clients/${client.clientId}/scenario`;
    await admin(a, `PUT ${path}`, { name: "example-error" });
    await admin(b, `PUT ${path}`, failNext);
    expect((await admin(a, `GET ${path}`)).body).toMatchObject({ source: "client", below: "example-error" });
    const statuses: number[] = [];
    for (const at of [a, b, a]) statuses.push(await ping(at, client, bearer));
    expect(statuses).toEqual([500, 400, 400]);
    await admin(a, `POST ${path}/undo`);
    expect((await admin(b, `GET ${path}`)).body).toMatchObject({ name: "example-error", source: "client" });
    await admin(b, `POST ${path}/undo`);
    expect((await admin(a, `GET ${path}`)).body).toMatchObject({ name: null, source: "none" });
    expect(await ping(a, client, bearer)).toBe(200);
  });
});
