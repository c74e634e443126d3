import { expect, it } from "vitest";
import { startSandbox } from "../../src/index.js";

it("reads a journal of many pages", async () => {
  await using sandbox = await startSandbox();
  const client = await sandbox.createClient();
  const send = () => client.request("/v1/ping");
  for (let round = 0; round < 21; round++) await Promise.all(Array.from({ length: 50 }, send));
  const requests = await client.requests();
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1050);
});
