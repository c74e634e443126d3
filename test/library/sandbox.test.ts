import { createServer } from "node:http";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { connect } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { splitPem } from "../../src/base/x509/certificate.js";
import {
  connectSandbox,
  SandboxError,
  type SandboxHandle,
  type StartedSandbox,
  startSandbox,
  type TlsIdentity,
} from "../../src/index.js";
import { constraintsFormOf } from "../../src/sandbox/pki/name-constraints.js";

let sandbox: StartedSandbox;

/** The status of a ping. */
function fetchOver(url: string, tls: TlsIdentity): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { ...tls, agent: false };
    get(`${url}/v1/ping`, options, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });
}

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

describe("a sandbox", () => {
  it("has its URLs, and is ready", async () => {
    expect(sandbox.url).toMatch(/^https:\/\/localhost:\d+$/);
    expect(sandbox.adminUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(sandbox.ca).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(sandbox.seed).toMatch(/^[0-9a-f]{12}$/);
    expect(sandbox.adminToken).toBeUndefined();
    expect(await sandbox.health()).toMatchObject({ status: "ok", identities: "ready" });
    const { ports } = await sandbox.health();
    expect(sandbox.url).toBe(`https://localhost:${ports.api}`);
  });

  it("has URLs with defective certificates, also for connected handles", async () => {
    const { expired, wrongHost, untrusted } = sandbox.defectUrls;
    const client = await sandbox.createClient();
    const ping = (url: string) => fetchOver(url, client.tls);
    await expect(ping(expired)).rejects.toMatchObject({ code: "CERT_HAS_EXPIRED" });
    await expect(ping(wrongHost)).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    await expect(ping(untrusted)).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(await client.countRequests()).toBe(0);
    expect(await ping(sandbox.url)).toBe(401);
    expect((await client.requests()).map(({ serverDefect }) => serverDefect)).toEqual([null]);
    const connected = await connectSandbox({ adminUrl: sandbox.adminUrl });
    expect(connected.defectUrls).toEqual(sandbox.defectUrls);
    await connected.close();
  });

  it("renews its certificate, and changes its CA; the handles trust both", async () => {
    await using own = await startSandbox();
    const client = await own.createClient();
    const { ca } = own;
    const first = await own.serverCertificate();
    const renewed = await own.renewServerCertificate();
    expect([first.issuer, renewed.issuer]).toEqual(["root", "root"]);
    expect(renewed.thumbprint).not.toBe(first.thumbprint);
    expect(await own.serverCertificate()).toEqual(renewed);
    await client.token();
    const announced = await own.announceNextCa();
    expect([own.ca, client.ca]).toEqual([announced.ca, announced.ca]);
    expect(own.ca).toContain(ca.trim());
    expect((await own.renewServerCertificate({ issuer: "next-ca" })).issuer).toBe("next-ca");
    await client.token();
    await expect(fetchOver(own.url, { ...client.tls, ca })).rejects.toMatchObject({
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    });
  });

  it.each(["names", "strict"] as const)("has name constraints of the form %s, and so has its next CA", async (form) => {
    await using own = await startSandbox({ tls: { nameConstraints: form } });
    const announced = await own.announceNextCa();
    expect(splitPem(announced.ca).map((certPem) => constraintsFormOf({ certPem }))).toEqual([form, form]);
  });

  it("reports if it has none of these", async () => {
    await using without = await startSandbox({ defectPorts: false });
    expect(() => without.defectUrls).toThrow(expect.objectContaining({ code: "NO_DEFECT_PORTS" }));
    const connected = await connectSandbox({ adminUrl: without.adminUrl });
    expect(() => connected.defectUrls).toThrow(/--defect-ports/);
    await connected.close();
  });

  it("has a scenario for all clients without their own", async () => {
    const [one, two] = [await sandbox.createClient(), await sandbox.createClient()];
    await two.useScenario(null);
    expect(await sandbox.useScenario("invalid-client")).toEqual({ name: "invalid-client", source: "all" });
    expect(await one.scenario()).toMatchObject({ name: "invalid-client", source: "all" });
    await expect(one.token()).rejects.toMatchObject({ code: "TOKEN_REFUSED", status: 400 });
    expect(await two.token()).toMatch(/^ey/);
    expect(await sandbox.clearScenario()).toEqual({ name: null, source: "none" });
    expect(await sandbox.scenario()).toMatchObject({ name: null, source: "none" });
  });

  it("makes new connections after a choice for all, because it may affect the server's certificate", async () => {
    const client = await sandbox.createClient();
    const connections = async () => {
      const ids = (await client.requests()).map(async ({ id }) => (await sandbox.request(id)).connection?.id);
      return new Set(await Promise.all(ids)).size;
    };
    await client.request("/v1/ping");
    await client.request("/v1/ping");
    expect(await connections()).toBe(1);
    await sandbox.useScenario("example-error");
    await client.request("/v1/ping");
    expect(await connections()).toBe(2);
    await sandbox.clearScenario();
    await client.request("/v1/ping");
    expect(await connections()).toBe(3);
  });

  it("accepts scenarios as YAML and as objects, and removes them", async () => {
    const yaml = "description: Teapot.\nrules:\n  - then: { respond: { status: 418 } }\n";
    expect(await sandbox.defineScenario("teapot", yaml)).toMatchObject({
      name: "teapot",
      description: "Teapot.",
      origin: "uploaded",
      rules: 1,
      problems: [],
    });
    await expect(
      sandbox.defineScenario("odd", { rules: [{ when: { list: "nowhere" }, then: { delay: "1ms" } }] }),
    ).rejects.toMatchObject({
      code: "INVALID_SCENARIO",
      message: expect.stringContaining('There is no list "nowhere"'),
    });
    await sandbox.defineScenario("slow-ping", { rules: [{ when: { operation: "ping" }, then: { delay: "1ms" } }] });
    const names = (await sandbox.scenarios()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["teapot", "slow-ping", "invalid-cursor"]));
    await sandbox.removeScenario("teapot");
    await expect(sandbox.removeScenario("teapot")).rejects.toMatchObject({ code: "UNKNOWN_SCENARIO" });
    await expect(sandbox.defineScenario("broken", "rules: 3")).rejects.toMatchObject({
      code: "INVALID_SCENARIO",
      message: expect.stringMatching(/broken:1:\d+/),
    });
  });

  it("has a journal", async () => {
    await sandbox.reset();
    const client = await sandbox.createClient();
    const token = await client.token();
    for (let page = 0; page < 5; page++) await client.request("/v1/payments", { token });
    expect(await sandbox.requests()).toHaveLength(6);
    expect(await sandbox.requests({ list: "payments", limit: 2 })).toHaveLength(2);
    expect(await sandbox.countRequests({ status: 200, since: new Date(0) })).toBe(6);
    await expect(sandbox.countRequests({ code: "x".repeat(101) })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    // @ts-expect-error: a misspelt filter must not match everything
    await expect(sandbox.requests({ operatoin: "ping" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("operatoin"),
    });
    await sandbox.clearRequests({ operation: "list" });
    expect(await sandbox.countRequests()).toBe(1);
    await sandbox.clearRequests();
    expect(await sandbox.countRequests()).toBe(0);
  });

  it("reports failed handshakes", async () => {
    const { port } = new URL(sandbox.url);
    await new Promise((resolve) =>
      connect({ port: Number(port), host: "127.0.0.1", servername: "localhost" }).on("error", resolve),
    );
    await expect.poll(async () => (await sandbox.handshakes())[0]?.explanation).toContain("ca.pem");
  });

  it("reports its assumptions", async () => {
    const found = (await sandbox.assumptions()).find(({ id }) => id === "token.lifetime");
    expect(found).toMatchObject({ setting: 300, changed: false });
  });

  it("is independent of others", async () => {
    await using other = await startSandbox();
    expect(other.url).not.toBe(sandbox.url);
    expect(other.ca).not.toBe(sandbox.ca);
    const client = await other.createClient({ clientId: "same" });
    await sandbox.createClient({ clientId: "same" });
    await other.useScenario("maintenance");
    expect(await sandbox.scenario()).toMatchObject({ name: null });
    await expect(sandbox.createClient({ clientId: "same" })).rejects.toMatchObject({
      code: "CLIENT_EXISTS",
      status: 409,
    });
    expect(await client.countRequests()).toBe(0);
  });

  it("cannot be used once it is closed, and says so", async () => {
    const other = await startSandbox();
    const client = await other.createClient();
    await client.request("/v1/ping");
    await Promise.all([other.close(), other.close()]);
    await expect(other.health()).rejects.toMatchObject({ code: "CLOSED" });
    await expect(client.request("/v1/ping")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(fetch(other.adminUrl)).rejects.toThrow();
  });
});

describe("connectSandbox", () => {
  const handles: SandboxHandle[] = [];
  const connected = async (...options: Parameters<typeof connectSandbox>) => {
    const handle = await connectSandbox(...options);
    handles.push(handle);
    return handle;
  };

  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(handles.splice(0).map((handle) => handle.close()));
  });

  it("controls a sandbox that runs elsewhere, and leaves it running", async () => {
    const handle = await connected({ adminUrl: `${sandbox.adminUrl}/` });
    expect(handle).toMatchObject({ url: sandbox.url, adminUrl: sandbox.adminUrl, ca: sandbox.ca, seed: undefined });
    const client = await handle.createClient();
    expect(await client.token()).toMatch(/^ey/);
    await handle.close();
    expect((await sandbox.client(client.clientId)).thumbprint).toBe(client.thumbprint);
  });

  it("finds the sandbox of `run` through the environment, and uses its token", async () => {
    await using guarded = await startSandbox({ adminAuth: "token", adminToken: "s3cret" });
    expect(guarded.adminToken).toBe("s3cret");
    vi.stubEnv("SANDBOX_ADMIN_URL", guarded.adminUrl);
    await expect(connectSandbox()).rejects.toMatchObject({ code: "ADMIN_TOKEN_REQUIRED", status: 401 });
    vi.stubEnv("SANDBOX_ADMIN_TOKEN", "s3cret");
    expect((await connected()).url).toBe(guarded.url);
  });

  it("gets the URL for clients, not the one on which the sandbox listens", async () => {
    await using mapped = await startSandbox({ publicUrl: "https://localhost:9999" });
    expect((await connected({ adminUrl: mapped.adminUrl })).url).toBe("https://localhost:9999");
  });

  it("is told the URL whatever quotes client.env needs for it", async () => {
    await using odd = await startSandbox({ basePath: "/it's/$5" });
    const { url, defectUrls } = await connected({ adminUrl: odd.adminUrl });
    expect({ url, defectUrls }).toEqual({ url: odd.url, defectUrls: odd.defectUrls });
  });

  it("does not wait for the identities of a first start", async () => {
    const starting = createServer(({ url }, response) => {
      const health = {
        status: "starting",
        identities: "pending",
        version: "0",
        uptime: 0,
        ports: { api: 1, admin: 2 },
      };
      if (url !== "/health") response.end("CA");
      else response.writeHead(503, { "Content-Type": "application/json" }).end(JSON.stringify(health));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => starting.once("listening", resolve));
    const handle = await connected({ adminUrl: `http://127.0.0.1:${(starting.address() as AddressInfo).port}` });
    expect(handle.url).toBe("https://localhost:1");
    expect((await handle.health()).status).toBe("starting");
    await new Promise((resolve) => starting.close(resolve));
  });

  it("reports a wrong URL, and another server at the URL", async () => {
    const otherServer = createServer((_request, response) => response.end("<html>")).listen(0, "127.0.0.1");
    await new Promise((resolve) => otherServer.once("listening", resolve));
    const adminUrl = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`;
    await expect(connectSandbox({ adminUrl })).rejects.toMatchObject({ code: "NO_SANDBOX" });
    await new Promise((resolve) => otherServer.close(resolve));

    for (const answer of ["{", "1,2"]) {
      const liar = createServer((_request, response) =>
        response.setHeader("Content-Type", "application/json").end(answer),
      ).listen(0, "127.0.0.1");
      await new Promise((resolve) => liar.once("listening", resolve));
      const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}`;
      await expect(connectSandbox({ adminUrl: url })).rejects.toMatchObject({ code: "NO_SANDBOX" });
      await new Promise((resolve) => liar.close(resolve));
    }

    const unreachable = connectSandbox({ adminUrl });
    await expect(unreachable).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: expect.stringContaining(adminUrl),
    });
    await expect(unreachable).rejects.toBeInstanceOf(SandboxError);
    await expect(connectSandbox({ adminUrl: sandbox.url })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    const wrongPort = connectSandbox({ adminUrl: sandbox.url.replace("https:", "http:") });
    await expect(wrongPort).rejects.toMatchObject({ code: "NO_SANDBOX" });
  });
});
