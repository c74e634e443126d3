import { once } from "node:events";
import { createServer, type ListenOptions, Server } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ListenError } from "../../../src/sandbox/connection/listen-error.js";
import { freePort } from "../../support/ports.js";
import { certificates, startServer } from "./fixture.js";

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
const loopback = ["127.0.0.1", "::1"];
const request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const blockers: Server[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const server of blockers.splice(0)) server.close();
});

/** Occupies a port, like another program. */
async function occupy(host: string, port = 0): Promise<number> {
  const server = createServer().listen({ host, port, ipv6Only: true });
  blockers.push(server);
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe.runIf(hasIpv6)("with IPv6", () => {
  test("two hosts get the same free port", async () => {
    const server = await startServer({ hosts: loopback });
    expect(server.addresses).toEqual(loopback);
    for (const host of loopback) expect(await (await server.open({ host })).sendAndClose(request)).toContain("200 OK");
    expect(server.requests.map(({ connection }) => connection.facts.remoteAddress)).toEqual(["127.0.0.1", "::1"]);
  });

  test("all addresses of both kinds get the same free port as well", async () => {
    const server = await startServer({ hosts: ["0.0.0.0", "::"] });
    for (const host of loopback) expect(await (await server.open({ host })).sendAndClose(request)).toContain("200 OK");
  });

  test("a given port that is in use only on the second host is an error, and the first is released", async () => {
    const port = await occupy("::1", await freePort());
    const error = await startServer({ hosts: loopback, port }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: "EADDRINUSE", message: expect.stringContaining(`[::1]:${port}`) });
    await occupy("127.0.0.1", port);
  });

  test("if a free port is in use on the second host, another one is tried", async () => {
    const taken = await occupy("::1");
    const listen = Server.prototype.listen as (this: Server, options: ListenOptions, listening: () => void) => Server;
    const tried: [string | undefined, number | undefined][] = [];
    vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...args: unknown[]) {
      const [options, listening] = args as [ListenOptions, () => void];
      tried.push([options.host, options.port]);
      // The first port turns out to be in use on the other host.
      return listen.call(this, { ...options, port: tried.length === 2 ? taken : (options.port ?? 0) }, listening);
    });
    const server = await startServer({ hosts: loopback });
    expect(tried.map(([host]) => host)).toEqual(["127.0.0.1", "::1", "127.0.0.1", "::1"]);
    expect(tried[3]?.[1]).toBe(server.port);
    expect(server.addresses).toEqual(loopback);
    await occupy("127.0.0.1", tried[1]?.[1]);
  });
});

test("a port in use is an error that names host and port", async () => {
  const port = await occupy("127.0.0.1");
  const error = await startServer({ port }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ListenError);
  expect(error).toMatchObject({ code: "EADDRINUSE", message: expect.stringContaining(`127.0.0.1:${port}`) });
});

test("an address that this machine does not have is an error for the first host", async () => {
  const error = await startServer({ hosts: ["192.0.2.1", "127.0.0.1"] }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ListenError);
  expect(error).toMatchObject({ code: "EADDRNOTAVAIL" });
});

test("an unavailable address is left out for the other hosts", async () => {
  const server = await startServer({ hosts: ["127.0.0.1", "192.0.2.1"] });
  expect(server.addresses).toEqual(["127.0.0.1"]);
  expect((await server.client().send("/")).status).toBe(200);
});

test("connections beyond the limit are closed", async () => {
  const server = await startServer({ limits: { maxConnections: 1 } });
  const first = await server.open();
  await expect(server.open()).rejects.toThrow();
  expect(await first.sendAndClose(request)).toContain("200 OK");
});

test("an unreadable certificate or key is an error", async () => {
  await expect(startServer({ certificate: "nonsense" })).rejects.toThrow();
  await expect(startServer({ key: certificates.client.key })).rejects.toThrow(/mismatch/);
});
