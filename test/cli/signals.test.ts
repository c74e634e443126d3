import { describe, expect, it } from "vitest";
import { openTcp, parseResponses } from "../support/raw-client.js";
import { clientOf, connectionOf, start, tokenRequest } from "./command.js";

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("idle: gone within a second, status 0, nothing more printed", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    // A kept-alive connection is idle, too.
    expect((await client.send("/v1/ping")).status).toBe(401);
    await fetch(`${sandbox.adminUrl}/health`);
    const { code, duration, stderr } = await sandbox.stop(signal);
    expect([code, stderr]).toEqual([0, ""]);
    expect(duration).toBeLessThan(1_000);
  });

  it("a request in flight is answered first; no new connection is taken meanwhile", async () => {
    const sandbox = await start();
    const client = await connectionOf(sandbox);
    client.send(tokenRequest.slice(0, -30));
    // The request has begun when the server has read its first bytes.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = sandbox.stop(signal);
    await expect.poll(() => connectionOf(sandbox).catch(({ code }) => code), { timeout: 4_000 }).toBe("ECONNREFUSED");
    client.send(tokenRequest.slice(-30));
    await client.closed;
    const [answer] = parseResponses(client.received);
    expect([answer?.status, answer?.headers["connection"]]).toEqual([200, "close"]);
    const { code, duration } = await stopped;
    expect(code).toBe(0);
    expect(duration).toBeLessThan(2_000);
  });
});

it("a second signal ends it at once, whatever is in flight", async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  client.send(tokenRequest.slice(0, -30));
  await new Promise((resolve) => setTimeout(resolve, 100));
  sandbox.kill("SIGINT");
  // Signals that a busy process has not seen yet become one: the first must have taken effect.
  await expect.poll(() => connectionOf(sandbox).catch(({ code }) => code), { timeout: 4_000 }).toBe("ECONNREFUSED");
  const { code, duration } = await sandbox.stop("SIGINT");
  expect(code).toBe(1);
  expect(duration).toBeLessThan(1_000);
});

it("a client that only connected, or stopped in its handshake, holds nothing up", async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  const half = await openTcp(Number(new URL(sandbox.url).port));
  half.send("\x16\x03\x01");
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { code, duration } = await sandbox.stop();
  expect(code).toBe(0);
  expect(duration).toBeLessThan(1_000);
  await Promise.all([client.closed, half.closed]);
});
