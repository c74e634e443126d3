import { X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { splitPem } from "../../src/base/x509/certificate.js";
import { start, startShared, type TestSandbox } from "./fixture.js";

const day = 86_400_000;

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await startShared();
});

describe("validFor", () => {
  it("is how long a certificate is valid, on the clock of its client", async () => {
    const client = await sandbox.mint({ clientId: "brief", validFor: "90s" });
    const token = await client.token();
    const end = Date.parse(new X509Certificate(client.minted.certificate).validTo);
    const at = (offset: number) =>
      sandbox.admin.put("/clients/brief/clock", { frozenAt: new Date(end + offset).toISOString() });
    await at(0);
    expect((await client.ping(token)).status).toBe(200);
    await at(1000);
    expect((await client.ping(token)).status).toBe(401);
    expect((await client.requestToken()).json.code).toBe("INVALID_CLIENT");
  });

  it("counts from the sandbox's clock", async () => {
    const own = await start();
    await own.admin.post("/clock", { advance: "500d" });
    const { minted } = await own.mint({ validFor: "10d" });
    const { validTo } = new X509Certificate(minted.certificate);
    expect(Math.round((Date.parse(validTo) - Date.now()) / day)).toBe(510);
    const { json } = await own.admin.get(`/clients/${minted.clientId}`);
    expect(json.certificates[0].valid).toBe(true);
  });

  it.each(["0s", "999ms", "399d", "soon", "-5s"])("refuses %s", async (validFor) => {
    const { status, json } = await sandbox.admin.post("/clients", { validFor });
    expect([status, json.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(json.message).toContain('from "1s" to "398d"');
  });

  it("is for a certificate that the sandbox makes", async () => {
    const { minted } = await sandbox.mint();
    const { status, json } = await sandbox.admin.post("/clients", { certificate: minted.certificate, validFor: "1d" });
    expect([status, json.message]).toEqual([400, expect.stringContaining("leave them out if you give certificate")]);
  });
});

describe("issuer: intermediate", () => {
  it("sends leaf and intermediate, and its files have both", async () => {
    const client = await sandbox.mint({ clientId: "indirect", issuer: "intermediate" });
    const [leaf, intermediate] = splitPem(client.minted.certificate).map((pem) => new X509Certificate(pem));
    expect(intermediate && leaf?.verify(intermediate.publicKey)).toBe(true);
    expect(intermediate?.verify(new X509Certificate(sandbox.sandbox.caPem).publicKey)).toBe(true);
    expect((await client.ping()).status).toBe(200);
    const { text } = await sandbox.admin.get("/clients/indirect/identity.pem");
    expect(splitPem(text)).toEqual(splitPem(client.minted.certificate));
    expect(text).toContain("-----BEGIN PRIVATE KEY-----");
  });

  it("the chain is judged by what the client sends", async () => {
    const { json } = await sandbox.admin.post("/clients", { clientId: "leaf-only", issuer: "intermediate" });
    const [leaf = ""] = splitPem(json.certificate);
    const client = sandbox.connect({ cert: leaf, key: json.key }, "leaf-only");
    // Registration is by the exact certificate, whatever its issuer: only `require` refuses it.
    expect((await client.ping()).status).toBe(200);
    const strict = await start({ tls: { clientCertificate: "require", clientCa: [] } });
    const minted = (await strict.admin.post("/clients", { clientId: "a", issuer: "intermediate" })).json;
    const whole = strict.connect({ cert: minted.certificate, key: minted.key }, "a");
    expect((await whole.ping()).status).toBe(200);
    const alone = strict.connect({ cert: splitPem(minted.certificate)[0] ?? "", key: minted.key }, "a");
    await expect(alone.ping()).rejects.toThrow();
    const [failure] = (await strict.admin.get("/handshakes")).json.items;
    expect(failure.cause).toBe("client-certificate-untrusted");
  });
});

describe("a client of sandbox.yaml without certificates", () => {
  it("gets a certificate that is made for it", async () => {
    const made = { keyType: "ec", validFor: 5 * day, issuer: "intermediate" } as const;
    const base = { certificates: [], scopes: ["read"], grantTypes: ["client_credentials"] };
    const own = await start({ clients: [{ clientId: "acme", ...base, made }] });
    const [cert, key] = await Promise.all(
      ["cert.pem", "key.pem"].map(async (file) => (await own.admin.get(`/clients/acme/${file}`)).text),
    );
    expect(splitPem(cert ?? "")).toHaveLength(2);
    expect((await own.connect({ cert: cert ?? "", key: key ?? "" }, "acme").ping()).status).toBe(200);
    const [facts] = (await own.admin.get("/clients/acme")).json.certificates;
    expect(Math.round((Date.parse(facts.notAfter) - Date.now()) / day)).toBe(5);
  });
});
