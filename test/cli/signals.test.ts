import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTcp, parseResponses } from "../support/raw-client.js";
import { CommandProcess, clientOf, connectionOf, start, tokenRequest, workFolder } from "./command.js";

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

describe("SIGTERM in the first moments of a start", () => {
  const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

  it.each<[string, (certs: string) => boolean]>([
    ["at once", () => true],
    ["when the folder is there", (certs) => existsSync(certs)],
    ["when the lock is there", (certs) => filesIn(certs).includes(".lock")],
    ["when the CA is there", (certs) => filesIn(certs).includes("ca.pem")],
    ["when a client is there", (certs) => filesIn(join(certs, "clients")).length > 0],
  ])(
    "%s: gone, and no lock or temporary folder is left",
    async (_when, reached) => {
      const certs = join(workFolder(), "certs");
      const child = new CommandProcess(["start", "--port", "0", "--admin-port", "0", "--certs", certs]);
      await expect.poll(() => reached(certs), { timeout: 60_000, interval: 1 }).toBe(true);
      const { code, signal, stderr } = await child.stop("SIGTERM");
      // Before the command handles the signal, it is the system that ends the process.
      expect([code ?? signal, stderr]).toEqual([existsSync(certs) ? 0 : "SIGTERM", ""]);
      expect(filesIn(certs).filter((name) => name.startsWith("."))).toEqual([]);
    },
    90_000,
  );
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
