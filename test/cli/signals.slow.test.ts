import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseResponses } from "../support/raw-client.js";
import {
  beginTokenRequest,
  CommandProcess,
  clientOf,
  connectionOf,
  refusesConnections,
  start,
  workFolder,
} from "./command.js";

// More of signals.test.ts.

describe("SIGINT", () => {
  it("idle: gone, status 0, nothing more printed", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    // A kept-alive connection is idle, too.
    expect((await client.send("/v1/ping")).status).toBe(401);
    await fetch(`${sandbox.adminUrl}/health`);
    const { code, stderr } = await sandbox.stop("SIGINT");
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("a request in flight is answered first; no new connection is taken meanwhile", async () => {
    const sandbox = await start();
    const client = await connectionOf(sandbox);
    const rest = await beginTokenRequest(client);
    const stopped = sandbox.stop("SIGINT");
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
    ["when the folder is there", (certs) => existsSync(certs)],
    ["when the lock is there", (certs) => filesIn(certs).includes(".lock")],
    ["when a client is there", (certs) => filesIn(join(certs, "clients")).length > 0],
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
