import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, Replicas, token } from "./replicas.js";

describe.skipIf(!hasRedis)("rotation with replicas", () => {
  it("all know the new certificate and the end of the old one; the one that was asked writes the files", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const read = () => readFileSync(join(replicas.certs, "clients/demo/identity.pem"), "utf8");
    const clientWith = (pem: string) => {
      const agent = new Agent({ keepAlive: true, cert: pem, key: pem, ca: a.caPem });
      afterFile(() => agent.destroy());
      return { clientId: "demo", agent };
    };
    const old = clientWith(read());
    const bearer = await token(a, old);
    const { status, body } = await admin(b, "POST /clients/demo/rotate", { overlap: "30s" });
    expect([status, read()]).toEqual([200, body.certificate + body.key]);
    const next = clientWith(read());
    expect([await ping(a, old, bearer), await ping(b, next, await token(a, next))]).toEqual([200, 200]);
    await admin(a, "POST /clients/demo/clock", { advance: "30s" });
    expect([await ping(a, old, bearer), await ping(b, old, bearer)]).toEqual([401, 401]);
    expect(await ping(a, next, await token(b, next))).toBe(200);
    const [ofA, ofB] = [(await admin(a, "GET /clients/demo")).body, (await admin(b, "GET /clients/demo")).body];
    expect(ofA.certificates).toEqual(ofB.certificates);
  });

  it("a scenario renews on all of them, and a replica that joins later knows it", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const client = await mint(a);
    const bearer = await token(a, client);
    const rules =
      "description: A renewal.\nrules:\n  - { limit: 1, then: { certificate: { renew: { overlap: 0s } } } }\n";
    expect((await admin(a, "PUT /scenarios/renews", rules)).status).toBe(200);
    expect((await admin(a, `PUT /clients/${client.clientId}/scenario`, { name: "renews" })).status).toBe(200);
    expect([await ping(b, client, bearer), await ping(a, client, bearer)]).toEqual([200, 401]);
    const c = await replicas.start();
    expect(await ping(c, client, bearer)).toBe(401);
    const pem = await (await fetch(`${c.adminUrl}/clients/${client.clientId}/identity.pem`)).text();
    expect(pem).toContain("-----BEGIN PRIVATE KEY-----");
  });
});
