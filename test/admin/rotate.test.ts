import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mostCertificates } from "../../src/admin/client-errors.js";
import { splitPem } from "../../src/base/x509/certificate.js";
import { issueCertificate } from "../support/certificates.js";
import { start, startShared, type TestSandbox } from "./fixture.js";
import { startInFolder } from "./rotating.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

const rotate = (id: string, body: object = {}) => sandbox.admin.post(`/clients/${id}/rotate`, body);

/** Stops the clock of a client at an instant. */
const freeze = (id: string, at: number) =>
  sandbox.admin.put(`/clients/${id}/clock`, { frozenAt: new Date(at).toISOString() });

describe("POST /clients/ID/rotate", () => {
  it("answers with the new certificate, and the end of the old one", async () => {
    const { minted } = await sandbox.mint({ clientId: "shape" });
    const now = Date.now();
    await freeze("shape", now);
    const { status, json } = await rotate("shape", { overlap: "30s", validFor: "90d" });
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(
      ["ca", "certificate", "clientId", "key", "notAfter", "previous", "thumbprint"].sort(),
    );
    expect(json.previous).toEqual({ thumbprint: minted.thumbprint, endsAt: new Date(now + 30_000).toISOString() });
    expect(json.ca).toBe(sandbox.sandbox.caPem);
    const x509 = new X509Certificate(json.certificate);
    expect(x509.checkPrivateKey(createPrivateKey(json.key))).toBe(true);
    expect(Date.parse(json.notAfter)).toBe(Date.parse(x509.validTo));
    expect(Math.abs(Date.parse(json.notAfter) - now - 90 * 86_400_000)).toBeLessThan(1000);
  });

  it("both certificates are good in the overlap, and the old one is refused from its end on", async () => {
    const old = await sandbox.mint({ clientId: "cut" });
    const [oldToken, now] = [await old.token(), Date.now()];
    await freeze("cut", now);
    const { json } = await rotate("cut", { overlap: "30s" });
    const next = sandbox.connect({ cert: json.certificate, key: json.key }, "cut");
    const nextToken = await next.token();
    await freeze("cut", now + 29_999);
    expect([(await old.ping(oldToken)).status, (await next.ping(nextToken)).status]).toEqual([200, 200]);
    // A token is bound to its certificate (§4.1 rule 2).
    expect([(await next.ping(oldToken)).status, (await old.ping(nextToken)).status]).toEqual([401, 401]);
    await freeze("cut", now + 30_000);
    expect([(await old.ping(oldToken)).status, (await next.ping(nextToken)).status]).toEqual([401, 200]);
    expect((await old.requestToken()).json.code).toBe("INVALID_CLIENT");
    const [entry] = (await sandbox.admin.get("/requests?client=cut&operation=ping&status=401&pageSize=1")).json.items;
    expect(entry.explanation).toContain("was replaced by another one and ended at");
    expect(entry.explanation).toContain(`has the thumbprint ${json.thumbprint}`);
  });

  it("keeps the issuer, the type of the key, and the key if that is wanted", { tags: "slow" }, async () => {
    const { minted } = await sandbox.mint({ clientId: "like", keyType: "rsa", issuer: "intermediate" });
    const { json: same } = await rotate("like", { sameKey: true });
    expect(createPrivateKey(same.key).equals(createPrivateKey((minted as unknown as { key: string }).key))).toBe(true);
    expect(splitPem(same.certificate)).toHaveLength(2);
    const { json: other } = await rotate("like");
    expect(createPrivateKey(other.key).asymmetricKeyType).toBe("rsa");
    expect(splitPem(other.certificate)).toHaveLength(2);
    const { json: ec } = await rotate("like", { keyType: "ec" });
    expect(createPrivateKey(ec.key).asymmetricKeyType).toBe("ec");
  });

  it("replaces a certificate of one's own, whose key the sandbox does not have", async () => {
    const own = issueCertificate({ commonName: "own" });
    await sandbox.admin.post("/clients", { clientId: "foreign", certificate: own.cert });
    expect((await rotate("foreign", { sameKey: true })).json.code).toBe("NO_KEY");
    expect((await rotate("foreign")).json.previous.thumbprint).toBe(
      (await sandbox.admin.get("/clients/foreign")).json.certificates[0].thumbprint,
    );
    const answer = await sandbox.connect(own, "foreign").requestToken();
    expect(answer.json.code).toBe("INVALID_CLIENT");
  });

  it("an end does not come later than that of the dates, or than an earlier one", async () => {
    const { minted } = await sandbox.mint({ clientId: "short", validFor: "60s" });
    const { json } = await rotate("short", { overlap: "1h" });
    expect(Date.parse(json.previous.endsAt)).toBe(Date.parse(new X509Certificate(minted.certificate).validTo));
  });

  it("ended certificates do not count as those of the client, and the oldest are forgotten", {
    tags: "slow",
  }, async () => {
    const own = await start();
    await own.mint({ clientId: "many" });
    for (let count = 0; count < mostCertificates + 5; count += 1)
      expect((await own.admin.post("/clients/many/rotate", {})).status).toBe(200);
    const { json } = await own.admin.get("/clients/many");
    expect(json.certificates.filter(({ valid }: { valid: boolean }) => valid)).toHaveLength(1);
    expect(json.certificates.length).toBeLessThan(30);
  });

  it.each([
    [{ overlap: "soon" }, "overlap: give a number with a unit"],
    [{ overlap: "-1s" }, "overlap: give a number with a unit"],
    [{ validFor: "500d" }, "validFor: "],
    [{ sameKey: true, keyType: "ec" }, "give keyType or sameKey"],
    [{ issuer: "another" }, "issuer"],
  ])("refuses %j", async (body, message) => {
    await sandbox.mint({ clientId: "strict" }).catch(() => {});
    const { status, json } = await rotate("strict", body);
    expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(json.message).toContain(message);
  });

  it("an unknown client", async () => {
    expect((await rotate("nobody")).json.code).toBe("UNKNOWN_CLIENT");
  });
});

describe("POST /clients/ID/certificates/THUMBPRINT/end", () => {
  it.each(["revoked", "expired"])("refuses it from now on: %s", async (how) => {
    const client = await sandbox.mint();
    const token = await client.token();
    const path = `/clients/${client.clientId}/certificates/${client.minted.thumbprint}/end`;
    const { status, json } = await sandbox.admin.post(path, { how });
    expect([status, json.certificates[0].ended, json.certificates[0].valid]).toEqual([200, how, false]);
    expect((await client.ping(token)).status).toBe(401);
  });

  it("an unknown certificate", async () => {
    const { json } = await sandbox.admin.post(`/clients/demo/certificates/${"a".repeat(43)}/end`, {});
    expect(json.code).toBe("UNKNOWN_CERTIFICATE");
  });
});

describe("an identity with files", () => {
  async function inFolder() {
    const { own, certs } = await startInFolder();
    return { own, file: (name: string) => readFileSync(join(certs, name)), certs };
  }

  it("gets new files, which fit, and its client goes on with them", async () => {
    const { own, file, certs } = await inFolder();
    const before = file("clients/demo/client.p12");
    const { json } = await own.admin.post("/clients/demo/rotate", { validFor: "90d" });
    expect(file("clients/demo/cert.pem").toString()).toBe(json.certificate);
    expect(file("clients/demo/key.pem").toString()).toBe(json.key);
    expect(file("clients/demo/identity.pem").toString()).toBe(json.certificate + json.key);
    expect(file("clients/demo/client.p12").equals(before)).toBe(false);
    expect(file("clients/demo/client.env").toString()).toContain("SANDBOX_IDENTITY_FILE=");
    const text = file("clients/demo/identity.pem").toString();
    expect((await own.connect({ cert: text, key: text }).ping()).status).toBe(200);
    const { items } = (await own.admin.get("/identities")).json;
    expect(items.find(({ name }: { name: string }) => name === "demo")).toMatchObject({
      thumbprint: json.thumbprint,
      registeredFor: "demo",
    });
    const again = await start({ certs, hostCerts: certs, keyType: "ec" });
    expect((await again.connect({ cert: text, key: text }).ping()).status).toBe(200);
  });

  it("rotations at the same time leave the files of the newest certificate", { tags: "slow" }, async () => {
    const { own, file } = await inFolder();
    await Promise.all(Array.from({ length: 8 }, () => own.admin.post("/clients/demo/rotate", {})));
    const text = file("clients/demo/identity.pem").toString();
    expect((await own.connect({ cert: text, key: text }).ping()).status).toBe(200);
  });
});
