import { expect, it } from "vitest";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, Replicas, send, token } from "./replicas.js";

it.skipIf(!hasRedis)("the position of a cursor is that of all replicas", async () => {
  const replicas = new Replicas((await RedisServer.start()).url);
  const [a, b] = [await replicas.start(), await replicas.start()];
  const client = await mint(a);
  const Authorization = `Bearer ${await token(a, client)}`;
  const page = async (at: typeof a, query: string) =>
    (await send(at, client, `GET /v1/payouts?pageSize=5${query}`, { Authorization })).body;
  const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);
  const all = ids(await page(a, "0"));
  expect(all.length).toBeGreaterThan(20);
  await admin(b, `PUT /clients/${client.clientId}/scenario`, { name: "cursor-advances" });
  const { nextCursor } = await page(b, "");
  const read = [];
  for (const at of [a, b, b, a]) read.push(...ids(await page(at, `&cursor=${nextCursor}`)));
  expect(read).toEqual(all.slice(5));
  expect(replicas.warnings).toEqual([]);
});
