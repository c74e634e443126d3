import { describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, steadyPing as ping, Replicas, token } from "./replicas.js";

const rules = `description: Of a test.
rules:
  - { name: plain, when: { headers: { X-Try: plain } }, then: { error: FORBIDDEN } }
  - { name: late, when: { operation: ping }, skip: 1, then: { error: FORBIDDEN } }
  - { name: together, share: all, when: { operation: ping }, limit: 1, then: { error: NOT_FOUND } }
  - { name: never, when: { client: demmo }, then: { error: NOT_FOUND } }
`;

describe.skipIf(!hasRedis)("the counts of rules", () => {
  it("are those of the requests at all replicas", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const client = await mint(a);
    const bearer = await token(a, client);
    await admin(a, "PUT /scenarios/counted", rules);
    await admin(a, "PUT /scenario", { name: "counted" });
    for (const each of [a, b, a]) await ping(each, client, bearer);
    // A refused request: its fault does not act.
    await ping(b, client, "no-token");
    const counts = async (at: typeof a, path: string) => {
      const { body } = await admin(at, `GET ${path}`);
      const found = body.rules as { name: string; matched: number; acted: number }[];
      return found.map(({ name, matched, acted }) => `${name} ${matched} ${acted}`);
    };
    const expected = ["plain 0 0", "late 4 2", "together 1 1", "never 0 0"];
    for (const each of [a, b])
      for (const path of ["/scenario", `/clients/${client.clientId}/scenario`])
        await eventually(async () => JSON.stringify(await counts(each, path)) === JSON.stringify(expected));
    expect(replicas.warnings).toEqual([]);
  });

  it("are complete also for a rule that needs no counter", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    const client = await mint(a);
    const bearer = await token(a, client);
    const text = "description: x\nrules:\n  - { name: plain, when: { operation: ping }, then: { error: FORBIDDEN } }\n";
    await admin(a, "PUT /scenarios/plain", text);
    await admin(b, "PUT /scenario", { name: "plain" });
    for (const each of [a, b, b]) await ping(each, client, bearer);
    await ping(a, client, "no-token");
    for (const path of ["/scenario", `/clients/${client.clientId}/scenario`])
      await eventually(async () => {
        const { body } = await admin(b, `GET ${path}`);
        return JSON.stringify(body.rules) === JSON.stringify([{ name: "plain", matched: 4, acted: 3 }]);
      });
  });
});

describe.skipIf(!hasRedis)("an undo of a choice", () => {
  it.each(["", "/clients/demo"])("at another replica returns to the choice before it: %j", async (owner) => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const [a, b] = [await replicas.start(), await replicas.start()];
    for (const name of ["maintenance", "flaky"]) await admin(a, `PUT ${owner}/scenario`, { name });
    await admin(b, `POST ${owner}/scenario/undo`);
    for (const each of [a, b])
      await eventually(async () => (await admin(each, `GET ${owner}/scenario`)).body.name === "maintenance");
    // One step is remembered.
    await admin(a, `POST ${owner}/scenario/undo`);
    for (const each of [b, a])
      await eventually(async () => (await admin(each, `GET ${owner}/scenario`)).body.name === null);
  });
});
