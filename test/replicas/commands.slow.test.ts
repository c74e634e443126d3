import { beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/library/composition/sandbox.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, send, token } from "./replicas.js";

describe.skipIf(!hasRedis)("changes by admin calls are at every replica when the calls return", () => {
  let [a, b] = [] as unknown as [Sandbox, Sandbox];

  beforeAll(async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    a = await replicas.start();
    b = await replicas.start();
  });

  it("clients: made at one, known at the other immediately, with tokens of either", async () => {
    for (let round = 0; round < 10; round++) {
      const client = await mint(round % 2 === 0 ? a : b);
      const bearer = await token(round % 2 === 0 ? b : a, client);
      expect([await ping(a, client, bearer), await ping(b, client, bearer)]).toEqual([200, 200]);
    }
    const seen = await Promise.all([a, b].map(async (each) => (await admin(each, "GET /clients")).body.items));
    const still = (clients: object[]) => clients.map((client) => ({ ...client, clock: undefined }));
    expect(still(seen[0])).toEqual(still(seen[1]));
  });

  it("two clients with the same id at the same time: one is made", async () => {
    const answers = await Promise.all([a, b, a, b].map((each) => admin(each, "POST /clients", { clientId: "wanted" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it("scenarios: no replica has a stale one in 80 changes", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    const stale: number[] = [];
    for (let round = 0; round < 80; round++) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a];
      const name = round % 4 < 2 ? "internal-error-always" : null;
      expect((await admin(here, `PUT /clients/${client.clientId}/scenario`, { name })).status).toBe(200);
      if ((await ping(there, client, bearer)) !== (name === null ? 200 : 500)) stale.push(round);
    }
    expect(stale).toEqual([]);
  });

  it("uploads, clocks, deleted certificates and clients", async () => {
    const client = await mint(a);
    const bearer = await token(a, client);
    const text =
      "description: Of a test.\nrules:\n  - name: teapot\n    when: { operation: ping }\n    then:\n      respond:\n        status: 418\n";
    expect(await admin(a, "PUT /scenarios/teapot", text)).toMatchObject({ status: 200 });
    const headers = { Authorization: `Bearer ${bearer}`, "Sandbox-Scenario": "teapot" };
    expect((await send(b, client, "GET /v1/ping", headers)).status).toBe(418);
    await admin(b, `POST /clients/${client.clientId}/clock`, { advance: "301s" });
    expect(await ping(a, client, bearer)).toBe(401);
    expect((await admin(a, "DELETE /scenarios/teapot")).status).toBe(204);
    expect((await send(b, client, "GET /v1/ping", headers)).status).toBe(400);
    expect((await admin(b, `DELETE /clients/${client.clientId}`)).status).toBe(204);
    expect((await admin(a, `GET /clients/${client.clientId}`)).status).toBe(404);
  });
});
