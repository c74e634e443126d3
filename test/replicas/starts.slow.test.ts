import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { SharedStateError } from "../../src/replicas/redis.js";
import { Shared } from "../../src/replicas/shared.js";
import type { SharedSettings } from "../../src/sandbox/config/configuration.js";
import { resolveConfiguration } from "../../src/sandbox/config/resolve.js";
import type { GivenSettings } from "../../src/sandbox/config/settings.js";
import { issueTestCertificates } from "../support/certificates.js";
import { afterFile } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { freePort } from "../support/ports.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { admin, mint, ping, token } from "./replicas.js";
import { failing, run } from "./running.js";

const secret = "never-to-be-seen";

/**
 * Listens on loopback.
 * @returns the address
 */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that sends the same reply to each command, like one that is not ready. */
const replying = (text: string) =>
  createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => socket.write(text.repeat(data.toString().match(/^\*/gm)?.length ?? 1)));
  });

const greeting = (text: string) =>
  createServer((socket) =>
    socket
      .on("error", () => {})
      .resume()
      .write(text),
  );

/** The message of a replica that cannot share its state. */
async function refusal(given: GivenSettings, variables: Readonly<Record<string, string>> = {}): Promise<string> {
  const { shared } = await resolveConfiguration({ config: undefined, ...given }, variables, tmpdir());
  const own = { ca: "ca", seed: undefined, release: "1", settings: {} };
  const opening = Shared.open(shared as SharedSettings, own, () => {});
  const error = await opening.catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(SharedStateError);
  return (error as Error).message;
}

describe("a replica says in one line why it cannot share its state, without the password, if there is", () => {
  it.each([
    ["a silent server", "redis", greeting("")],
    ["HTTP", "redis", createHttpServer()],
    ["HTTP instead of TLS", "rediss", createHttpServer()],
    ["a greeting of another protocol", "redis", greeting("220 ready\r\n")],
    ["a Redis that loads its data", "redis", replying("-LOADING Redis is loading the dataset in memory\r\n")],
    ["a read-only copy", "redis", replying("-READONLY You can't write against a read only replica.\r\n")],
    ["no memory", "redis", replying("-OOM command not allowed when used memory > 'maxmemory'.\r\n")],
    ["an OK to everything", "redis", replying("+OK\r\n")],
    ["a number for everything", "redis", replying(":1\r\n")],
    ["nothing for everything", "redis", replying("$-1\r\n")],
  ])("%s", async (_name, protocol, server) => {
    const address = await listening(server);
    const message = await refusal({ shared: `${protocol}://u:${secret}@${address}` });
    expect(message).toMatch(new RegExp(`^Redis at ${protocol}://\\[redacted\\]@${address} [^\n]+\\.$`));
    expect(message).not.toContain(secret);
    // Nothing keeps the process alive.
    await eventually(async () => (await promisify(server.getConnections.bind(server))()) === 0);
  });
});

describe("a start without its Redis ends with one line and status 1, if there is", () => {
  it.each([
    ["nothing at all", undefined],
    ["a silent server", greeting("")],
    ["a Redis that wants a password", replying("-NOAUTH Authentication required.\r\n")],
  ])("%s", async (_name, server) => {
    const address = server ? await listening(server) : `127.0.0.1:${await freePort()}`;
    const variables = { SANDBOX_SHARED_PASSWORD: secret };
    const { status, lines } = await failing(`redis://${address}`, inject("built").certs, [], variables);
    expect(lines).toEqual([expect.stringContaining(`payments-sandbox: Redis at redis://${address} `)]);
    expect(status).toBe(1);
    expect(lines.join()).not.toContain(secret);
  });
});

describe.skipIf(!hasRedis)("a Redis with TLS, a user and a password", () => {
  const { ca, server, client, otherCa, untrusted } = issueTestCertificates();
  const folder = mkdtempSync(join(tmpdir(), "sandbox-redis-tls-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const files = {
    ca: file("ca.pem", ca.cert),
    cert: file("client.pem", client.cert),
    key: file("client-key.pem", client.key),
    otherCa: file("other-ca.pem", otherCa.cert),
    otherCert: file("other.pem", untrusted.cert),
    otherKey: file("other-key.pem", untrusted.key),
    noPem: file("no.pem", "no PEM"),
  };
  const login = { SANDBOX_SHARED_USER: "sandbox", SANDBOX_SHARED_PASSWORD: secret };
  const withCa = { sharedCa: files.ca };
  const complete = { ...withCa, sharedCert: files.cert, sharedKey: files.key };
  let redis: RedisServer;
  let tls = "";

  beforeAll(async () => {
    const port = await freePort();
    const own = ["--tls-cert-file", file("server.pem", server.cert), "--tls-key-file", file("key.pem", server.key)];
    const user = ["--user", "sandbox", "on", `>${secret}`, "~*", "&*", "+@all", "--user", "default", "off"];
    redis = await RedisServer.start("--tls-port", `${port}`, "--tls-ca-cert-file", files.ca, ...own, ...user);
    tls = `rediss://127.0.0.1:${port}`;
  });

  it("is shared by two replicas, which make one new certs folder together", async () => {
    const certs = join(folder, "certs");
    const options = ["--shared-ca", files.ca, "--shared-cert", files.cert, "--shared-key", files.key];
    const [a, b] = await Promise.all([run(tls, certs, options, login), run(`${tls}/0`, certs, options, login)]);
    const minted = await mint(a);
    expect(await ping(b, minted, await token(a, minted))).toBe(200);
    expect((await admin(b, "GET /requests/count")).body.count).toBe(2);
    expect([a.errors, b.errors]).toEqual([[], []]);
  });

  it.each([
    ["no CA", {}, login],
    ["another CA", { sharedCa: files.otherCa }, login],
    ["no client certificate", withCa, login],
    ["one of another CA", { ...withCa, sharedCert: files.otherCert, sharedKey: files.otherKey }, login],
    ["the key of another", { ...complete, sharedKey: files.otherKey }, login],
    ["a CA that is not PEM", { sharedCa: files.noPem }, login],
    ["another password", complete, { ...login, SANDBOX_SHARED_PASSWORD: `${secret}-2` }],
    ["no password", complete, {}],
  ])("does not accept a replica with %s, which reports it", async (_name, options, variables) => {
    const message = await refusal({ shared: tls, ...options }, variables);
    expect(message).toMatch(new RegExp(`^Redis at ${tls} [^\n]+\\.$`));
    expect(message).not.toContain(secret);
  });

  it("cannot be used without TLS", async () => {
    const shared = `rediss://127.0.0.1:${redis.port}`;
    expect(await refusal({ shared, ...complete }, login)).toContain(`Redis at ${shared} cannot be reached: `);
  });
});
