import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTcp, parseResponses } from "../support/raw-client.js";
import {
  beginTokenRequest,
  CommandProcess,
  clientOf,
  connectionOf,
  refusesConnections,
  start,
  workFolder,
} from "./command.js";

describe("SIGTERM", () => {
  it("idle: gone, status 0, nothing more printed", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    // A kept-alive connection is idle, too.
    expect((await client.send("/v1/ping")).status).toBe(401);
    await fetch(`${sandbox.adminUrl}/health`);
    const { code, stderr } = await sandbox.stop("SIGTERM");
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("a request in flight is answered first; no new connection is taken meanwhile", async () => {
    const sandbox = await start();
    const client = await connectionOf(sandbox);
    const rest = await beginTokenRequest(client);
    const stopped = sandbox.stop("SIGTERM");
    await refusesConnections(sandbox);
    client.send(rest);
    await client.closed;
    const answer = parseResponses(client.received).at(-1);
    expect([answer?.status, answer?.headers["connection"]]).toEqual([200, "close"]);
    expect((await stopped).code).toBe(0);
  });
});

describe("SIGTERM in the first moments of a start", () => {
  const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

  it.each<[string, (certs: string) => boolean]>([
    ["at once", () => true],
    ["when the CA is there", (certs) => filesIn(certs).includes("ca.pem")],
  ])("%s: gone, and no lock or temporary folder is left", async (_when, reached) => {
    const certs = join(workFolder(), "certs");
    const child = new CommandProcess(["start", "--port", "0", "--admin-port", "0", "--certs", certs]);
    await expect.poll(() => reached(certs), { interval: 1 }).toBe(true);
    const { code, signal, stderr } = await child.stop("SIGTERM");
    // Before the command handles the signal, it is the system that ends the process.
    expect([existsSync(certs) ? [0] : [0, "SIGTERM"], stderr]).toEqual([expect.arrayContaining([code ?? signal]), ""]);
    expect(filesIn(certs).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

it("a second signal ends it at once, whatever is in flight", async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  await beginTokenRequest(client);
  sandbox.kill("SIGINT");
  // Signals that a busy process has not seen yet become one: the first must have taken effect.
  await refusesConnections(sandbox);
  // The status of one that had waited is 0.
  expect((await sandbox.stop("SIGINT")).code).toBe(1);
});

it("a client without a complete handshake does not delay the end", async () => {
  const sandbox = await start();
  const client = await connectionOf(sandbox);
  const half = await openTcp(Number(new URL(sandbox.url).port));
  half.send("\x16\x03\x01");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect((await sandbox.stop()).code).toBe(0);
  await Promise.all([client.closed, half.closed]);
});
