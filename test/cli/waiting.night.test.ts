import { createServer } from "node:http";
import { expect, it } from "vitest";
import { afterFile } from "../support/cleanups.js";
import { beginTokenRequest, connectionOf, run, start } from "./command.js";

// Tests that mostly wait; they run in parallel.

it.concurrent("requests in flight get five seconds", async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  await beginTokenRequest(client);
  const { code, duration } = await sandbox.stop();
  expect(code).toBe(0);
  expect(duration).toBeGreaterThan(4_000);
});

it.concurrent("health: status 1 for something that never answers, after half a minute", async () => {
  const { code, stderr, duration } = await run(["health", "--admin-port", String(await silence())]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^payments-sandbox: No sandbox answers .*\n$/);
  expect(duration).toBeGreaterThan(29_000);
});

/** The port of a server that accepts requests and never answers. */
async function silence(): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as { port: number }).port;
}
