import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { createSecureContext } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thumbprintOf } from "../../src/base/x509/certificate.js";
import { type ClientHandle, type SandboxError, type StartedSandbox, startSandbox } from "../../src/index.js";

let sandbox: StartedSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: "library" });
});

afterAll(() => sandbox.close());

describe("a client that a test makes", () => {
  it("has everything that a request needs", async () => {
    const client = await sandbox.createClient({ clientId: "alice", seed: "7", scopes: ["read", "write"] });
    expect(client).toMatchObject({ clientId: "alice", seed: "7", scopes: ["read", "write"], url: sandbox.url });
    expect(client.tls).toEqual({ ca: sandbox.ca, cert: client.certificate, key: client.key });
    expect(new X509Certificate(client.certificate).publicKey.asymmetricKeyType).toBe("ec");

    const answer = await client.request("/v1/ping", { token: await client.token() });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.json()).toEqual({ status: "OK" });
  });

  it("works with an HTTPS client that knows nothing of the library", async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    const status = await new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}` };
      request(`${client.url}/v1/ping`, { ...client.tls, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it("has a PKCS#12 bundle and an environment", async () => {
    const client = await sandbox.createClient();
    const pfx = Buffer.from(await client.p12());
    expect(() => createSecureContext({ pfx, passphrase: "sandbox" })).not.toThrow();
    expect(await client.env()).toContain(`SANDBOX_CLIENT_ID=${client.clientId}`);
  });

  it("is found again by its id, like the standing ones", async () => {
    const made = await sandbox.createClient();
    const found = await sandbox.client(made.clientId);
    expect(found.tls).toEqual(made.tls);
    expect(found.thumbprint).toBe(made.thumbprint);
    expect(found.seed).toBe(made.seed);
    const demo = await sandbox.client("demo");
    expect(await demo.token()).toMatch(/^ey/);
    expect((await sandbox.clients()).map(({ clientId }) => clientId)).toContain("demo");
  });

  it("is in the list of all, which may have several pages", { tags: "slow" }, async () => {
    // A page ends after 500,000 characters: 5 kB each.
    const scopes = Array.from({ length: 50 }, (_, at) => `${"s".repeat(98)}${at}`);
    const made = await Promise.all(Array.from({ length: 110 }, () => sandbox.createClient({ scopes })));
    const page = (await (await fetch(`${sandbox.adminUrl}/clients`)).json()) as { nextCursor?: string };
    expect(page.nextCursor).toMatch(/^\d+$/);
    const all = (await sandbox.clients()).map(({ clientId }) => clientId);
    expect(all).toEqual(expect.arrayContaining(made.map(({ clientId }) => clientId)));
    expect(new Set(all).size).toBe(all.length);
  });

  it("can have a certificate of the caller, whose key is not sent", async () => {
    const deleted = await sandbox.createClient();
    await deleted.delete();
    const { certificate, key } = deleted;

    const client = await sandbox.createClient({ clientId: "own", certificate, key });
    expect(client.thumbprint).toBe(deleted.thumbprint);
    expect(await client.token()).toMatch(/^ey/);

    const found = await sandbox.client("own");
    expect((await found.info()).downloads).toEqual([]);
    expect(() => found.key).toThrow(expect.objectContaining({ code: "NO_KEY" }));
    await expect(found.request("/v1/ping")).rejects.toMatchObject({ code: "NO_KEY" });
    await found.rotate();
    expect(await found.token()).toMatch(/^ey/);
  });

  it("is refused once it is deleted", async () => {
    const client = await sandbox.createClient();
    const token = await client.token();
    await client.delete();
    expect((await client.request("/v1/ping", { token })).status).toBe(401);
    const refused: SandboxError = await client.token().catch((error) => error);
    expect(refused).toMatchObject({ code: "TOKEN_REFUSED", status: 400 });
    const [entry] = await sandbox.requests({ operation: "token", limit: 1 });
    expect(entry?.explanation).toContain(`registered for ${client.clientId}`);
    expect(refused.message.split("\n")).toEqual([
      expect.stringMatching(/^The client "client-.*" got no token: 400 \{.*"code":"INVALID_CLIENT".*\}$/),
      entry?.explanation,
    ]);
    await expect(client.info()).rejects.toMatchObject({ code: "UNKNOWN_CLIENT", status: 404 });
  });
});

describe("a standing identity", () => {
  it("is refused if it is a misfit", async () => {
    const misfit = await sandbox.identity("expired");
    expect(misfit.clientId).toBe("demo");
    await expect(misfit.token()).rejects.toMatchObject({ code: "TOKEN_REFUSED", status: 400 });
  });

  it("is found only by its name", async () => {
    expect((await sandbox.identity("other")).tls).toEqual((await sandbox.client("other")).tls);
    await expect(sandbox.identity("nobody")).rejects.toMatchObject({ code: "UNKNOWN_IDENTITY" });
  });
});

describe("certificates of a client", () => {
  it("can be added: the token of one is not valid on the other", async () => {
    const before = await sandbox.createClient();
    const token = await before.token();
    const after = await before.addCertificate();
    expect(after.clientId).toBe(before.clientId);
    expect(after.certificate).not.toBe(before.certificate);
    expect((await before.request("/v1/ping", { token })).status).toBe(200);
    expect((await after.request("/v1/ping", { token })).status).toBe(401);
    expect((await after.request("/v1/ping", { token: await after.token() })).status).toBe(200);
  });

  it("can be rotated: the handle has the new one, and the old one is refused from then on", async () => {
    const client = await sandbox.createClient();
    const [other, { thumbprint, tls }] = [await sandbox.client(client.clientId), client];
    await client.rotate();
    expect(client.tls).toEqual({ ca: tls.ca, cert: client.certificate, key: client.key });
    expect(thumbprintOf(new X509Certificate(client.tls.cert).raw)).toBe(client.thumbprint);
    expect(await client.token()).toMatch(/^ey/);
    // Another handle keeps its certificate.
    expect(other.tls).toEqual(tls);
    await expect(other.token()).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    expect((await sandbox.client(client.clientId)).tls).toEqual(client.tls);
    const { certificates } = await client.info();
    expect(certificates.map(({ thumbprint, valid, ended }) => [thumbprint, valid, ended])).toEqual([
      [thumbprint, false, "renewed"],
      [client.thumbprint, true, null],
    ]);
  });

  it("can be removed after a rotation: it is the new one that goes", async () => {
    const client = await sandbox.createClient();
    await client.rotate({ overlap: "1h" });
    const { thumbprint } = client;
    await client.removeCertificate();
    const { certificates } = await client.info();
    expect(certificates.map((each) => each.thumbprint)).not.toContain(thumbprint);
    expect(certificates).toHaveLength(1);
  });
});

describe("the clock of a client", () => {
  it("can be set, offset, frozen and read", async () => {
    const { clock } = await sandbox.createClient();
    expect((await clock.set("2031-05-06T07:08:09Z")).now).toMatch(/^2031-05-06T07:08:09/);
    expect((await clock.set(new Date(Date.UTC(2032, 0, 1)))).now).toMatch(/^2032-01-01T00:00:00/);
    expect(await clock.offset("-1h")).toMatchObject({ mode: "offset", offset: -3_600_000 });
    const frozen = await clock.freeze(new Date(Date.UTC(2030, 0, 1)));
    expect(frozen).toMatchObject({ mode: "frozen", now: "2030-01-01T00:00:00.000Z" });
    expect(await clock.read()).toEqual(frozen);
    await clock.reset();
    expect((await clock.freeze()).mode).toBe("frozen");
    await expect(clock.set(new Date(Number.NaN))).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("the scenario of a client", () => {
  let client: ClientHandle;
  const ping = async () => (await client.request("/v1/ping", { token: await client.token() })).status;

  beforeAll(async () => {
    client = await sandbox.createClient();
  });

  it("is chosen by name, cleared, and reset", async () => {
    expect(await client.useScenario("maintenance")).toEqual({ name: "maintenance", source: "client" });
    expect(await client.scenario()).toMatchObject({ name: "maintenance", source: "client" });
    expect(await client.useScenario(null)).toEqual({ name: null, source: "client" });
    expect(await client.clearScenario()).toEqual({ name: null, source: "none" });
    await client.useScenario("maintenance");
    await client.reset();
    expect(await client.scenario()).toMatchObject({ name: null, source: "none" });
  });

  it("can be a definition", async () => {
    const definition = {
      rules: [{ when: { operation: "ping" }, limit: 1, then: { error: "SERVICE_UNAVAILABLE" } }],
    } as const;
    const active = await client.useScenario(definition);
    expect(active.name).toMatch(/^inline-[0-9a-f]{16}$/);
    expect([await ping(), await ping()]).toEqual([503, 200]);
    // The same choice again starts from zero.
    expect(await client.useScenario(definition)).toEqual(active);
    expect([await ping(), await ping()]).toEqual([503, 200]);
  });

  it("breaks the connection as defined, and no request is repeated", async () => {
    await client.useScenario({ rules: [{ when: { operation: "ping" }, limit: 1, then: { connection: "reset" } }] });
    const token = await client.token();
    await expect(client.request("/v1/ping", { token })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await client.request("/v1/ping", { token })).status).toBe(200);
  });

  it("reports the problem of a name or a definition", async () => {
    await expect(client.useScenario("rate-limitd")).rejects.toMatchObject({
      code: "UNKNOWN_SCENARIO",
      message: expect.stringContaining("rate-limited"),
    });
    // @ts-expect-error: no such fault
    const wrong = client.useScenario({ rules: [{ then: { connexion: "reset" } }] });
    await expect(wrong).rejects.toMatchObject({
      code: "INVALID_SCENARIO",
      message: expect.stringContaining("connexion"),
    });
  });
});

describe("the journal of a client", () => {
  it("has its requests, with their explanations", async () => {
    const client = await sandbox.createClient();
    const other = await sandbox.createClient();
    await other.token();
    const token = await client.token();
    await client.request("/v1/ping", { token });
    await other.request("/v1/ping", { token });

    expect(await client.countRequests()).toBe(3);
    expect(await client.countRequests({ operation: "token" })).toBe(1);
    expect(await client.waitForRequest({ operation: "token" })).toMatchObject({ operation: "token", status: 200 });
    await expect(client.waitForRequest({ list: "payouts" }, { timeout: "1ms" })).rejects.toMatchObject({
      code: "NOTHING_MATCHED",
      message: expect.stringContaining(`The last ones of ${client.clientId}: `),
    });
    const [refused, ...more] = await client.requests({ status: "4xx" });
    expect(more).toEqual([]);
    expect(await client.requests({ q: "UNAUTH* -op:token" })).toEqual([refused]);
    expect(refused).toMatchObject({ status: 401, code: "UNAUTHORIZED", client: client.clientId });
    expect(refused?.certificateClient).toBe(other.clientId);
    expect(refused?.explanation).toContain(client.thumbprint);
    const detail = await sandbox.request(refused?.id ?? "");
    expect(detail.peer?.thumbprint).toBe(other.thumbprint);
    expect(detail.decisions.some(({ outcome }) => outcome === "refused")).toBe(true);

    await client.reset();
    expect(await client.countRequests()).toBe(0);
    expect(await other.countRequests({ operation: "token" })).toBe(1);
  });
});
