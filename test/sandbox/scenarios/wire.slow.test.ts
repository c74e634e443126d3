import { expect, it } from "vitest";
import { sharedSandbox } from "./sandbox.js";

// More of wire.test.ts.
const sandbox = sharedSandbox();

it("truncate: half the body arrives, every time", async () => {
  await sandbox().upload("truncated", "  - { name: it, then: { connection: truncate } }");
  const client = await sandbox().clientUnder("truncated");
  for (let round = 0; round < 30; round++) {
    const wire = await client.wire("/v1/payments?pageSize=100");
    expect(await wire.end()).toBe("RST");
    expect(wire.body).toHaveLength(Math.floor(wire.announced / 2));
  }
});
