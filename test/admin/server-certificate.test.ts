import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitPem, thumbprintOf } from "../../src/base/x509/certificate.js";
import { configurationOf } from "../../src/sandbox/config/complete.js";
import { emptyFile } from "../../src/sandbox/config/shape.js";
import { temporaryFolder } from "../sandbox/pki/fixture.js";
import { openTls, startTls } from "../support/raw-client.js";
import { eventually, start, type TestSandbox } from "./fixture.js";

const ping = "GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Connects, verifying with a CA. Returns the thumbprint of the server's certificate, or the code of the refusal. */
async function seen({ sandbox }: TestSandbox, ca = sandbox.caPem): Promise<string> {
  const client = startTls({ port: Number(new URL(sandbox.url).port), ca });
  const { socket } = client;
  return new Promise((resolve) => {
    socket.once("secureConnect", () => {
      resolve(thumbprintOf(socket.getPeerX509Certificate()?.raw ?? Buffer.alloc(0)));
      socket.destroy();
    });
    socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
}

const open = ({ sandbox }: TestSandbox) => openTls({ port: Number(new URL(sandbox.url).port), ca: sandbox.caPem });

const untrusted = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";

describe("POST /server/certificate", () => {
  it("renews: new connections get a new certificate with a new key, open ones keep the old one", async () => {
    const it = await start();
    const { caPem } = it.sandbox;
    const before = (await it.admin.get("/server/certificate")).json;
    expect(before).toMatchObject({ issuer: "root", thumbprint: await seen(it) });
    const opened = await open(it);
    const { json } = await it.admin.post("/server/certificate", {});
    expect(json.issuer).toBe("root");
    expect(json.thumbprint).not.toBe(before.thumbprint);
    expect((await it.admin.get("/server/certificate")).json).toEqual(json);
    expect(await seen(it)).toBe(json.thumbprint);
    const [old, renewed] = [before, json].map(({ certificate }) => new X509Certificate(certificate));
    expect(renewed?.publicKey.equals(old?.publicKey as never)).toBe(false);
    expect(renewed?.subjectAltName).toBe(old?.subjectAltName);
    opened.send(ping);
    await opened.waitFor("UNAUTHORIZED");
    expect((await it.admin.get("/ca.pem")).text).toBe(caPem);
    const [{ id }] = (await it.admin.get("/requests")).json.items;
    const shown = (await it.admin.get(`/requests/${id}`)).json.connection.serverCertificate;
    expect(shown).toBe(before.thumbprint);
  });

  it("with an intermediate CA: both certificates are sent", async () => {
    const it = await start();
    const { json } = await it.admin.post("/server/certificate", { issuer: "intermediate" });
    expect(splitPem(json.certificate)).toHaveLength(2);
    expect(await seen(it)).toBe(json.thumbprint);
    expect((await it.admin.post("/server/certificate", { issuer: "root" })).json.issuer).toBe("root");
  });

  it("explains a client that pins: which certificate it was shown, and what it trusts instead", async () => {
    const it = await start();
    const { json } = await it.admin.post("/server/certificate", {});
    const pinned = startTls({
      port: Number(new URL(it.sandbox.url).port),
      ca: it.sandbox.caPem,
      checkServerIdentity: () => new Error("pinned"),
    });
    await pinned.closed;
    const [handshake] = await eventually(async () => {
      const { items } = (await it.admin.get("/handshakes")).json;
      return items.length > 0 && items;
    });
    expect(handshake).toMatchObject({ serverDefect: null, serverCertificate: json.thumbprint });
    expect(handshake.explanation).toContain(
      `The server presented its renewed certificate (thumbprint ${json.thumbprint}), by the admin API. It is good: a client that trusts the CA goes on, and one that pins`,
    );
  });

  it("refuses another issuer, and says which there are", async () => {
    const it = await start();
    const { status, json } = await it.admin.post("/server/certificate", { issuer: "other" });
    expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(json.message).toContain("give one of root, intermediate, next-ca");
  });
});

describe("POST /server/next-ca, and the cut", () => {
  it("announces both roots first; the cut is for clients that have read them", async () => {
    const it = await start();
    const { caPem: old } = it.sandbox;
    const first = await seen(it);
    const early = await it.mint();
    expect((await it.admin.get("/ca-next.pem")).status).toBe(404);
    const { json } = await it.admin.post("/server/next-ca", {});
    expect(json).toEqual({
      ca: (await it.admin.get("/ca.pem")).text,
      nextCa: (await it.admin.get("/ca-next.pem")).text,
    });
    expect((await it.admin.post("/server/next-ca", {})).json).toEqual(json);
    expect(splitPem(json.ca)).toEqual([...splitPem(old), ...splitPem(json.nextCa)]);
    const root = new X509Certificate(json.nextCa);
    expect([root.ca, root.verify(root.publicKey)]).toEqual([true, true]);
    expect(await seen(it, old)).toBe(first);
    expect(await seen(it, json.nextCa)).toBe(untrusted);

    const cut = (await it.admin.post("/server/certificate", { issuer: "next-ca" })).json;
    expect(cut.issuer).toBe("next-ca");
    expect(await seen(it, old)).toBe(untrusted);
    expect(await seen(it, json.ca)).toBe(cut.thumbprint);
    expect(await seen(it, json.nextCa)).toBe(cut.thumbprint);
    const explanations = await eventually(async () => {
      const { items } = (await it.admin.get("/handshakes")).json;
      const ofCut = items.filter((each: { serverCertificate: string }) => each.serverCertificate === cut.thumbprint);
      return ofCut.length > 0 && ofCut.map((each: { explanation: string }) => each.explanation);
    });
    expect(explanations[0]).toContain(`a certificate of the next CA (thumbprint ${cut.thumbprint}), by the admin API`);

    // The clients of the old CA go on; new and rotated ones come from the next CA, and are trusted.
    const connect = (identity: { certificate: string; key: string }, clientId: string) => {
      const own = new (Object.getPrototypeOf(it).constructor)({ ...it.sandbox, caPem: json.ca }) as TestSandbox;
      return own.connect({ cert: identity.certificate, key: identity.key }, clientId);
    };
    expect((await connect(early.minted, early.clientId).ping()).status).toBe(200);
    const rotated = (await it.admin.post(`/clients/${early.clientId}/rotate`, {})).json;
    const late = (await it.admin.post("/clients", {})).json;
    const chained = (await it.admin.post("/clients", { issuer: "intermediate" })).json;
    for (const each of [rotated, late, chained]) {
      expect(each.ca).toBe(json.ca);
      const last = new X509Certificate(splitPem(each.certificate).at(-1) ?? "");
      expect(last.verify(root.publicKey)).toBe(true);
      expect((await connect(each, each.clientId).ping()).status).toBe(200);
    }
    expect((await connect(early.minted, early.clientId).requestToken()).status).toBe(400);
  });

  it("is both at once without an announcement; the first CA can be had again", async () => {
    const it = await start();
    const { caPem: old } = it.sandbox;
    await it.admin.post("/server/certificate", { issuer: "next-ca" });
    expect(splitPem((await it.admin.get("/ca.pem")).text)).toHaveLength(2);
    expect(await seen(it, old)).toBe(untrusted);
    const { json } = await it.admin.post("/server/certificate", { issuer: "root" });
    expect(await seen(it, old)).toBe(json.thumbprint);
  });

  it("with tls.clientCertificate: require, trusts the clients of both CAs in the handshake", async () => {
    const it = await start({ tls: { clientCertificate: "require", clientCa: [] } });
    const early = await it.mint();
    await it.admin.post("/server/next-ca", {});
    const { json } = await it.admin.post("/server/certificate", { issuer: "next-ca" });
    expect(json.issuer).toBe("next-ca");
    const late = (await it.admin.post("/clients", {})).json;
    for (const { certificate: cert, key } of [early.minted, late]) {
      const client = await openTls({ port: Number(new URL(it.sandbox.url).port), ca: late.ca, cert, key });
      client.send(ping);
      await client.waitFor("UNAUTHORIZED");
      client.socket.destroy();
    }
  });
});

describe("the certificates folder", () => {
  const inFolder = async (certs: string) =>
    start(await configurationOf({ port: 0, adminPort: 0, log: "none", keyType: "ec", certs }, emptyFile, certs));

  it("has both roots from the announcement on, and the next start issues from the first again", async () => {
    const certs = join(temporaryFolder(), "certs");
    const read = (file: string) => readFileSync(join(certs, file), "utf8");
    const it = await inFolder(certs);
    await it.sandbox.identities;
    const old = read("ca.pem");
    const { json } = await it.admin.post("/server/next-ca", {});
    expect([read("ca.pem"), read("ca-next.pem")]).toEqual([json.ca, json.nextCa]);
    await it.admin.post("/server/certificate", { issuer: "next-ca" });
    await it.admin.post("/clients/demo/rotate", {});
    const leaf = () => new X509Certificate(read("clients/demo/cert.pem"));
    expect(leaf().verify(new X509Certificate(json.nextCa).publicKey)).toBe(true);
    await it.sandbox.close(0);

    const again = await inFolder(certs);
    await again.sandbox.identities;
    // The certificates that the next CA issued are good, and new ones come from the first CA.
    expect(again.sandbox.caPem).toBe(json.ca);
    expect(leaf().verify(new X509Certificate(json.nextCa).publicKey)).toBe(true);
    const demo = await again.standing("demo");
    const answer = await demo.ping();
    expect(answer.status).toBe(200);
    const { id } = (await again.admin.get("/requests")).json.items[0];
    expect((await again.admin.get(`/requests/${id}`)).json.peer.chain).toBe("trusted");
    expect(await seen(again, old)).toBe((await again.admin.get("/server/certificate")).json.thumbprint);
    const late = (await again.admin.post("/clients", {})).json;
    expect(new X509Certificate(late.certificate).verify(new X509Certificate(old).publicKey)).toBe(true);
    await again.admin.post("/server/next-ca", {});
    expect(splitPem(read("ca.pem")).slice(0, 2)).toEqual(splitPem(json.ca));
  });

  it("with --fresh-certs has one root again", { tags: "slow" }, async () => {
    const certs = join(temporaryFolder(), "certs");
    const it = await inFolder(certs);
    await it.sandbox.identities;
    await it.admin.post("/server/next-ca", {});
    await it.sandbox.close(0);
    const settings = { port: 0, adminPort: 0, log: "none", keyType: "ec", certs, freshCerts: true } as const;
    const fresh = await start(await configurationOf(settings, emptyFile, certs));
    await fresh.sandbox.identities;
    expect(splitPem(readFileSync(join(certs, "ca.pem"), "utf8"))).toHaveLength(1);
    expect(existsSync(join(certs, "ca-next.pem"))).toBe(false);
  });
});

describe("a scenario", () => {
  const define = (it: TestSandbox, certificate: string) =>
    it.admin.putYaml(`/scenarios/shows-${certificate}`, `description: x.\nserver: { certificate: ${certificate} }\n`);

  it.each(["renewed", "next-ca"])(
    "shows %s to connections that begin after its first request",
    { tags: "slow" },
    async (certificate) => {
      const it = await start();
      const first = await seen(it);
      const openedBefore = await open(it);
      expect((await define(it, certificate)).status).toBe(200);
      await it.admin.put("/scenario", { name: `shows-${certificate}` });
      const ca = (await it.admin.get("/ca.pem")).text;
      expect(splitPem(ca)).toHaveLength(certificate === "renewed" ? 1 : 2);
      expect(await seen(it, ca)).toBe(first);
      expect(await openedBefore.sendAndClose(ping)).toContain("\r\nConnection: close\r\n");
      const second = await seen(it, ca);
      expect(second).not.toBe(first);
      if (certificate === "next-ca") expect(await seen(it)).toBe(untrusted);
      const after = await openTls({ port: Number(new URL(it.sandbox.url).port), ca });
      after.send(ping);
      expect(await after.waitFor("UNAUTHORIZED")).not.toContain("Connection: close");
      await it.admin.delete("/scenario");
      expect(await seen(it, ca)).toBe(first);
      // The next activation begins with the known certificate again.
      await it.admin.put("/scenario", { name: `shows-${certificate}` });
      expect(await seen(it, ca)).toBe(first);
    },
  );
});
