import { expect, it } from "vitest";
import { startSandbox } from "../../src/index.js";
import { Connections } from "../../src/library/connections.js";
import { afterTest } from "../support/cleanups.js";

async function sending(limits: { timeoutMs: number; longest: number }, connection?: "drip" | "hang") {
  const sandbox = await startSandbox();
  afterTest(() => sandbox.close());
  const { url, tls, ...client } = await sandbox.createClient();
  if (connection) await client.useScenario({ rules: [{ name: "a", then: { connection } }] });
  const connections = new Connections(limits);
  afterTest(() => connections.close());
  return connections.send(url, tls, "/v1/ping");
}

it("an answer within the bounds is read", async () => {
  expect((await sending({ timeoutMs: 60_000, longest: 1000 })).json()).toMatchObject({ code: "UNAUTHORIZED" });
});

it("an answer that is too long is not read to its end", async () => {
  const message = "The answer to /v1/ping is longer than 10 bytes.";
  await expect(sending({ timeoutMs: 60_000, longest: 10 })).rejects.toThrow(message);
});

it.each(["hang", "drip"] as const)(
  "an answer that does not come, or not to its end, is given up: %s",
  { tags: "slow" },
  async (fault) => {
    const message = "There was no whole answer to /v1/ping within 0.1 s.";
    await expect(sending({ timeoutMs: 100, longest: 1000 }, fault)).rejects.toThrow(message);
  },
);
