import { request } from "node:http";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import type { AdminApp } from "../../src/admin/app.js";
import { adminLimits, startAdminServer } from "../../src/admin/server.js";
import { startSandbox } from "../../src/library/composition/sandbox.js";
import { resolveConfiguration } from "../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../src/sandbox/config/settings.js";
import { ListenError } from "../../src/sandbox/connection/listen-error.js";
import { folderWith } from "../sandbox/config/configuration.js";
import { afterTest } from "../support/cleanups.js";
import { freePort } from "../support/ports.js";
import { openTcp } from "../support/raw-client.js";

const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
const loopback = ["127.0.0.1", "::1"];

/** A sandbox with the defaults of the command, on free ports. */
async function start(settings: GivenSettings = {}) {
  const { certs: _, ...configuration } = await resolveConfiguration(
    { port: 0, adminPort: 0, log: "none", ...settings },
    {},
    folderWith({}),
  );
  const sandbox = await startSandbox({ ...configuration, certs: undefined });
  afterTest(() => sandbox.close(0));
  return { sandbox, port: Number(new URL(sandbox.adminUrl).port) };
}

interface Call {
  readonly host: string;
  readonly port: number;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function statusOf({ path = "/ca.pem", ...options }: Call): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ ...options, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

function occupy(host: string, port: number): Promise<void> {
  const server = createServer();
  afterTest(() => void server.close());
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ host, port, ipv6Only: true }, resolve);
  });
}

describe.runIf(hasIpv6)("the admin API listens on both addresses of loopback", () => {
  it("on the same free port, and demands no token", async () => {
    const { sandbox, port } = await start();
    expect(sandbox.adminUrl).toBe(`http://localhost:${port}`);
    for (const host of loopback) expect(await statusOf({ host, port })).toBe(200);
  });

  it("a page of [::1] may change something, and one of another origin may not", async () => {
    const { port } = await start();
    const post = (origin: string) =>
      statusOf({ host: "::1", port, method: "POST", path: "/clients", headers: { Origin: origin } });
    expect(await post(`http://[::1]:${port}`)).toBe(201);
    expect(await post(`http://localhost:${port}`)).toBe(403);
    expect(await statusOf({ host: "::1", port, headers: { Host: "evil.test" } })).toBe(403);
  });

  it("a port that is in use only on ::1 is an error that names it, and 127.0.0.1 is released", async () => {
    const port = await freePort();
    await occupy("::1", port);
    const error = await start({ adminPort: port }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: "EADDRINUSE", message: expect.stringContaining(`[::1]:${port} is in use`) });
    await occupy("127.0.0.1", port);
  });

  it("its close ends both", async () => {
    const { sandbox, port } = await start();
    const clients = await Promise.all(loopback.map((host) => openTcp(port, host)));
    await sandbox.close(0);
    await Promise.all(clients.map(({ closed }) => closed));
    for (const host of loopback) await expect(openTcp(port, host)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("a given address is the only one", async () => {
    const { port } = await start({ adminHost: "127.0.0.1" });
    expect(await statusOf({ host: "127.0.0.1", port })).toBe(200);
    await expect(openTcp(port, "::1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("both share the limit of connections", async () => {
    const limits = { ...adminLimits, mostConnections: 1 };
    const app = { fetch: () => new Response("here") } as unknown as AdminApp;
    const server = await startAdminServer(app, loopback, 0, limits);
    afterTest(() => server.close(0));
    const first = await openTcp(server.port, "127.0.0.1");
    first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await first.waitFor("here");
    const further = await openTcp(server.port, "::1");
    await further.closed;
    expect(further.received).toBe("");
    first.socket.destroy();
  });
});

it("an address that this machine does not have is left out, such as ::1 without IPv6", async () => {
  const app = { fetch: () => new Response("here") } as unknown as AdminApp;
  const server = await startAdminServer(app, ["127.0.0.1", "192.0.2.1"], 0);
  afterTest(() => server.close(0));
  expect(await statusOf({ host: "127.0.0.1", port: server.port })).toBe(200);
});
