import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { IdentityStore } from "../../src/admin/identities.js";
import { mostClients } from "../../src/admin/routes/clients.js";
import * as der from "../../src/sandbox/pki/der.js";
import { extendedKeyUsage, extension, issueCertificate, purpose } from "../support/certificates.js";
import { afterTest } from "../support/cleanups.js";
import { HttpsClient } from "../support/https-client.js";
import { start, startShared, type TestSandbox } from "./fixture.js";

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
  await sandbox.sandbox.identities;
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("GET /clients", () => {
  it("has pages in the order of registration, and a removal does not shift them", async () => {
    for (const clientId of ["page-1", "page-2", "page-3", "page-4"]) await sandbox.admin.post("/clients", { clientId });
    const { json: first } = await sandbox.admin.get("/clients?pageSize=1");
    expect(first.items.map(({ clientId }: { clientId: string }) => clientId)).toEqual(["demo"]);
    const seen: string[] = [];
    for (let cursor = first.nextCursor; cursor !== undefined; ) {
      const { json } = await sandbox.admin.get(`/clients?pageSize=2&cursor=${cursor}`);
      seen.push(...json.items.map(({ clientId }: { clientId: string }) => clientId));
      if (seen.at(-1) === "page-3") await sandbox.admin.delete("/clients/page-3");
      cursor = json.nextCursor;
    }
    expect(seen.filter((id) => id.startsWith("page-"))).toEqual(["page-1", "page-2", "page-3", "page-4"]);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe("POST /clients", () => {
  it("answers with everything that a client needs, and the client is served", async () => {
    const client = await sandbox.mint();
    const { minted } = client;
    expect(minted.url).toBe(sandbox.sandbox.url);
    expect(minted.ca).toBe(sandbox.sandbox.caPem);
    expect(minted.clientId).toMatch(/^client-[0-9a-f-]{13}$/);
    const certificate = new X509Certificate(minted.certificate);
    expect(certificate.verify(new X509Certificate(minted.ca).publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyType).toBe("ec");
    expect((await client.ping()).json).toEqual({ status: "OK" });
  });

  it("accepts an empty body", async () => {
    const { status } = await sandbox.admin.send("POST", "/clients");
    expect(status).toBe(201);
  });

  it("accepts an id, scopes and a seed", async () => {
    const request = { clientId: "A.b_c-9", scopes: ["read", "payments:write"], seed: "abc.1" };
    const client = await sandbox.mint(request);
    expect(client.minted).toMatchObject(request);
    const { json } = await client.requestToken({ scope: "payments:write read" });
    expect(json.scope).toBe("payments:write read");
    const { json: shown } = await sandbox.admin.get("/clients/A.b_c-9");
    expect(shown).toMatchObject({ ...request, grantTypes: ["client_credentials"], scenario: null });
  });

  it("refuses an id that is taken, the built-in ones among them", async () => {
    await sandbox.mint({ clientId: "taken" });
    for (const clientId of ["taken", "demo", "other"]) {
      const { status, json } = await sandbox.admin.post("/clients", { clientId });
      expect([status, json]).toEqual([
        409,
        { code: "CLIENT_EXISTS", message: `There is a client "${clientId}" already.` },
      ]);
    }
  });

  it("registers one of several simultaneous requests for the same id, and keeps nothing of the others", async () => {
    const kept = vi.spyOn(IdentityStore.prototype, "add");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.admin.post("/clients", { clientId: "wanted" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(kept).toHaveBeenCalledTimes(1);
    const won = answers.find(({ status }) => status === 201)?.json;
    const [file, { json: shown }] = await Promise.all([
      sandbox.admin.get("/clients/wanted/cert.pem"),
      sandbox.admin.get("/clients/wanted"),
    ]);
    expect(file.text).toBe(won.certificate);
    expect(shown.certificates.map(({ thumbprint }: { thumbprint: string }) => thumbprint)).toEqual([won.thumbprint]);
  });

  it("refuses more certificates for a client than the limit", async () => {
    const { clients } = sandbox.sandbox.explanations;
    const { json } = await sandbox.admin.post("/clients", {});
    const client = clients.get(json.clientId);
    if (!client) throw new Error("The client does not exist.");
    for (let at = 1; at < 100; at++) clients.addCertificate(client, `thumbprint-${at}`);
    const { status, json: refused } = await sandbox.admin.post(`/clients/${client.id}/certificates`, {});
    expect([status, refused]).toEqual([
      409,
      { code: "TOO_MANY_CERTIFICATES", message: "The client has 100 certificates; remove some." },
    ]);
  });

  it("refuses more clients than the limit", { tags: "slow" }, async () => {
    const { clients } = sandbox.sandbox.explanations;
    const fillers: string[] = [];
    while (clients.size < mostClients) {
      const id = `filler-${fillers.length}`;
      clients.register({ id, thumbprints: [], scopes: [] });
      fillers.push(id);
    }
    const { status, json } = await sandbox.admin.post("/clients", {});
    for (const id of fillers) clients.remove(id);
    expect([status, json]).toEqual([
      409,
      { code: "TOO_MANY_CLIENTS", message: "There are 50000 clients; delete some." },
    ]);
  });
});

describe("POST /clients with the caller's certificate", () => {
  it("registers it, from any issuer, without its key", async () => {
    const own = issueCertificate({ commonName: "somebody's own" });
    const { status, json } = await sandbox.admin.post("/clients", { clientId: "own", certificate: own.cert });
    expect(status).toBe(201);
    expect(json).toMatchObject({ clientId: "own", key: null });
    expect(new X509Certificate(json.certificate).raw).toEqual(own.x509.raw);
    expect((await sandbox.connect(own, "own").ping()).status).toBe(200);
    const { json: shown } = await sandbox.admin.get("/clients/own");
    expect(shown.downloads).toEqual([]);
    expect(shown.certificates).toMatchObject([{ subject: "CN=somebody's own", valid: true, identity: null }]);
    for (const file of ["cert.pem", "key.pem", "client.p12", "client.env"]) {
      const refused = await sandbox.admin.get(`/clients/own/${file}`);
      expect([refused.status, refused.json]).toEqual([
        404,
        { code: "NO_KEY", message: 'The sandbox does not have the key of "own": its certificate is your own.' },
      ]);
    }
  });

  it("shows one without an end of validity", async () => {
    const own = issueCertificate({ commonName: "for ever", notAfter: Date.UTC(9999, 11, 31, 23, 59, 59) });
    const { status } = await sandbox.admin.post("/clients", { clientId: "for-ever", certificate: own.cert });
    expect(status).toBe(201);
    const { json } = await sandbox.admin.get("/clients/for-ever");
    expect(json.certificates[0].notAfter).toBe("9999-12-31T23:59:59.000Z");
  });

  it("may have many names: its client is served, over each version of TLS", async () => {
    const names = Array.from({ length: 1000 }, (_, at) => Buffer.from(`name-${at}.of-a-long-domain.test`));
    const subjectAltName = extension(
      "2.5.29.17",
      der.encode(der.sequence(...names.map((each) => der.taggedBytes(2, each)))),
    );
    const own = issueCertificate({
      commonName: "many names",
      extensions: [extendedKeyUsage(purpose.client), subjectAltName],
    });
    expect(own.cert.length).toBeGreaterThan(40_000);
    const body = { clientId: "many-names", certificate: own.cert };
    const { status, json } = await sandbox.admin.post("/clients", body);
    expect(status).toBe(201);
    const form = "grant_type=client_credentials&client_id=many-names&scope=read";
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const client = new HttpsClient(json.url, { ca: json.ca, identity: own, maxVersion });
      afterTest(() => client.close());
      const answer = await client.send("/oauth/v2/oauth-token", { method: "POST", headers, body: form });
      expect(answer.status).toBe(200);
    }
  });

  it("has at most 64 KiB, and a longer one is told so", async () => {
    const own = issueCertificate({ commonName: "padded" });
    const padded = (length: number) => own.cert + "\n".repeat(length - own.cert.length);
    const post = (path: string, length: number) => sandbox.admin.post(path, { certificate: padded(length) });
    for (const path of ["/clients", "/clients/demo/certificates"]) {
      const { status, json } = await post(path, 65_537);
      expect([status, json.message]).toEqual([
        400,
        "In the body: certificate: it is too long: at most 65,536 characters of PEM are accepted.",
      ]);
    }
    expect((await post("/clients", 65_536)).status).toBe(201);
  });

  it("refuses one that belongs to another client", async () => {
    const own = issueCertificate({ commonName: "shared" });
    await sandbox.admin.post("/clients", { clientId: "first", certificate: own.cert });
    const { status, json } = await sandbox.admin.post("/clients", { clientId: "second", certificate: own.cert });
    expect([status, json.code]).toEqual([409, "CERTIFICATE_IN_USE"]);
    expect(json.message).toContain('is registered for the client "first" already');
    expect((await sandbox.admin.get("/clients/second")).status).toBe(404);
  });

  it("refuses what is not a certificate, and does not repeat what was sent", async () => {
    const { key } = issueCertificate({ commonName: "careless" });
    const bodies = ["hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", ""];
    for (const certificate of bodies) {
      const { status, json } = await sandbox.admin.post("/clients", { certificate });
      expect([status, json.message]).toEqual([400, "In the body: certificate: this is not a certificate in PEM form."]);
    }
    const { status, json, text } = await sandbox.admin.post("/clients", { certificate: key });
    expect(status).toBe(400);
    expect(json.message).toContain("this holds a private key");
    expect(text).not.toContain(key.slice(40, 80));
  });
});

describe("the files of a client", () => {
  it.each(["rsa"] as const)("%s: PEM and PKCS#12 that TLS libraries read", async (keyType) => {
    const { minted } = await sandbox.mint({ keyType });
    const path = `/clients/${minted.clientId}`;
    const [cert, key, p12] = await Promise.all([
      sandbox.admin.get(`${path}/cert.pem`),
      sandbox.admin.get(`${path}/key.pem`),
      sandbox.admin.get(`${path}/client.p12`),
    ]);
    expect(cert.text).toBe(minted.certificate);
    expect(key.text).toBe(minted.key);
    expect(cert.headers["content-disposition"]).toBe(`attachment; filename="${minted.clientId}-cert.pem"`);
    expect(() => createSecureContext({ pfx: p12.bytes, passphrase: "sandbox" })).not.toThrow();
    expect(() => createSecureContext({ pfx: p12.bytes, passphrase: "another" })).toThrow();
    expect((await sandbox.admin.get(`${path}/client.p12`)).bytes).toEqual(p12.bytes);
  });

  it("client.env names the downloaded files, and says how to download them", async () => {
    const { minted } = await sandbox.mint({ clientId: "env.client" });
    const { text, headers } = await sandbox.admin.get("/clients/env.client/client.env");
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(text).toContain(
      `#   for f in cert.pem key.pem identity.pem client.p12; do curl -fsS -o env.client-$f ${sandbox.sandbox.adminUrl}/clients/env.client/$f; done\n`,
    );
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))).toEqual([
      `SANDBOX_URL=${minted.url}`,
      "SANDBOX_CLIENT_ID=env.client",
      "SANDBOX_CA_FILE=ca.pem",
      "SANDBOX_CERT_FILE=env.client-cert.pem",
      "SANDBOX_KEY_FILE=env.client-key.pem",
      "SANDBOX_IDENTITY_FILE=env.client-identity.pem",
      "SANDBOX_P12_FILE=env.client-client.p12",
      "SANDBOX_P12_PASSWORD=sandbox",
    ]);
  });

  it("client.env quotes what a shell would act on", async () => {
    const odd = await start({ basePath: "/a&b", defectPorts: [0, 0, 0] });
    const { minted } = await odd.mint();
    const { text } = await odd.admin.get(`/clients/${minted.clientId}/client.env`);
    expect(text).toContain(`\nSANDBOX_URL='${minted.url}'\n`);
    expect(text).toContain(`\nSANDBOX_EXPIRED_URL='${odd.sandbox.defectUrls?.expired}'\n`);
  });
});

describe("GET /identities", () => {
  it("says what each is for, which client it belongs to, and whether it is valid", async () => {
    const { json } = await sandbox.admin.get("/identities");
    const byName = new Map(json.items.map((item: { name: string }) => [item.name, item]));
    expect([...byName.keys()]).toEqual([
      "demo",
      "other",
      "chained",
      "unregistered",
      "expired",
      "not-yet-valid",
      "untrusted",
      "renewed",
      "lookalike",
      "wrong-usage",
    ]);
    expect(byName.get("demo")).toMatchObject({ kind: "client", registeredFor: "demo", valid: true });
    expect(byName.get("expired")).toMatchObject({ kind: "misfit", registeredFor: "demo", valid: false });
    expect(byName.get("unregistered")).toMatchObject({
      registeredFor: null,
      valid: true,
      folder: "misfits/unregistered",
    });
  });

  it("serves their files, for users who cannot read the folder", async () => {
    const cert = await sandbox.admin.get("/identities/expired/cert.pem");
    const key = await sandbox.admin.get("/identities/expired/key.pem");
    const { json } = await sandbox.connect({ cert: cert.text, key: key.text }).requestToken();
    expect(json.code).toBe("INVALID_CLIENT");
    const { text } = await sandbox.admin.get("/identities/expired/client.env");
    expect(text).toContain("SANDBOX_CLIENT_ID=demo\n");
    expect(text).toContain(`/identities/expired/$f; done`);
    const unknown = await sandbox.admin.get("/identities/nobody/cert.pem");
    expect(unknown.json).toMatchObject({ code: "UNKNOWN_IDENTITY" });
    expect(unknown.json.message).toContain("there are demo, other, chained, unregistered,");
  });
});
