import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { describe, expect, it } from "vitest";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { configurationOf } from "../../../src/sandbox/config/complete.js";
import { emptyFile } from "../../../src/sandbox/config/shape.js";
import { encodeBundle } from "../../../src/sandbox/pki/pkcs12.js";
import { start } from "../../admin/fixture.js";
import { authority, issueCertificate } from "../../support/certificates.js";
import { open, openWhole, temporaryFolder, wholeFolder } from "./fixture.js";
import { missing, opened, run } from "./programs.js";

describe("chained", () => {
  it("is a leaf and its intermediate, in this order", { tags: "slow" }, async () => {
    const directory = await wholeFolder();
    const ca = new X509Certificate(readFileSync(join(directory, "ca.pem")));
    const chain = splitPem(readFileSync(join(directory, "clients/chained/cert.pem"), "utf8"));
    const [leaf, intermediate, ...more] = chain.map((pem) => new X509Certificate(pem));
    expect(more).toEqual([]);
    expect(leaf?.subject).toContain("CN=chained");
    expect(intermediate && leaf?.verify(intermediate.publicKey)).toBe(true);
    expect(intermediate?.verify(ca.publicKey)).toBe(true);
    expect([leaf?.ca, intermediate?.ca]).toEqual([false, true]);
  });

  it.skipIf(missing.openssl)(
    "verifies with the intermediate, and not without it (openssl)",
    { tags: "slow" },
    async () => {
      const directory = await wholeFolder();
      const [leaf = "", intermediate = ""] = splitPem(
        readFileSync(join(directory, "clients/chained/cert.pem"), "utf8"),
      );
      const paths = { leaf: join(directory, ".leaf.pem"), intermediate: join(directory, ".intermediate.pem") };
      writeFileSync(paths.leaf, leaf);
      writeFileSync(paths.intermediate, intermediate);
      const verify = ["verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", join(directory, "ca.pem")];
      const whole = await run("openssl", ...verify, "-untrusted", paths.intermediate, paths.leaf);
      expect(whole).toEqual({ status: 0, output: `${paths.leaf}: OK\n` });
      const alone = await run("openssl", ...verify, paths.leaf);
      expect(alone.status).not.toBe(0);
      expect(alone.output).toContain("unable to get local issuer certificate");
    },
  );

  it.skipIf(missing.openssl)("has both in client.p12 (openssl)", { tags: "slow" }, async () => {
    const directory = await wholeFolder();
    const bundle = join(directory, "clients/chained/client.p12");
    const { output } = await run("openssl", "pkcs12", "-in", bundle, "-passin", "pass:sandbox", "-nokeys");
    expect(splitPem(output)).toHaveLength(3);
    expect(output).toContain("CN = Business Payments Sandbox Intermediate CA");
  });

  it.skipIf(missing.openssl)(
    "and in the legacy form, which has 3DES and SHA-1 (openssl)",
    { tags: "slow" },
    async () => {
      const directory = await wholeFolder();
      const read = (file: string) => readFileSync(join(directory, file), "utf8");
      const identity = { certPem: read("clients/chained/cert.pem"), keyPem: read("clients/chained/key.pem") };
      const path = join(directory, ".legacy.p12");
      writeFileSync(path, await encodeBundle({ name: "chained", ...identity, caPem: read("ca.pem") }, "legacy"));
      const { status, output } = await opened(path);
      expect([status, splitPem(output).length]).toEqual([0, 3]);
      expect(output).toContain("-----BEGIN PRIVATE KEY-----");
      expect(output).toMatch(/MAC: sha1, Iteration 2048/);
      expect(output).toContain("pbeWithSHA1And3-KeyTripleDES-CBC");
      expect(() => createSecureContext({ pfx: readFileSync(path), passphrase: "sandbox" })).not.toThrow();
    },
  );
});

describe("a folder whose CA permits no intermediate CA", () => {
  /** A folder as earlier releases made it: the path length of its CA is 0, and nothing is below an intermediate. */
  function olderFolder(): string {
    const directory = temporaryFolder();
    const ca = issueCertificate({ commonName: "Older CA", ca: true, extensions: [authority(0)] });
    writeFileSync(join(directory, "ca.pem"), ca.cert);
    writeFileSync(join(directory, "ca.key.pem"), ca.key, { mode: 0o400 });
    return directory;
  }

  it("has everything else", async () => {
    const directory = olderFolder();
    const certs = await openWhole(directory);
    expect(certs.clients.map(({ name }) => name)).toEqual(["demo", "other"]);
    expect(existsSync(join(directory, "clients/chained"))).toBe(false);
    expect((await openWhole(directory)).clients).toHaveLength(2);
  });

  it("refuses a client below an intermediate CA, and says what to do", async () => {
    const directory = olderFolder();
    const settings = { port: 0, adminPort: 0, log: "none", certs: directory } as const;
    const { admin } = await start(await configurationOf(settings, emptyFile, directory));
    const refused = await admin.post("/clients", { issuer: "intermediate" });
    expect([refused.status, refused.json.code]).toEqual([503, "CANNOT_ISSUE"]);
    expect(refused.json.message).toContain("--fresh-certs");
    expect((await admin.post("/clients", {})).status).toBe(201);
  });

  it("can be read without the CA's key", async () => {
    const directory = await wholeFolder();
    rmSync(join(directory, "ca.key.pem"));
    rmSync(join(directory, "clients/chained"), { recursive: true });
    expect((await open(directory)).clients.map(({ name }) => name)).toEqual(["demo", "other"]);
  });
});

describe("identity.pem", () => {
  it("has certificate, chain and key of every identity", async () => {
    const directory = await wholeFolder();
    for (const { folder, certPem, keyPem } of await (await openWhole(directory)).complete)
      expect(readFileSync(join(directory, folder, "identity.pem"), "utf8")).toBe(certPem + keyPem);
  });

  it("is added to a folder of an earlier release", async () => {
    const directory = await wholeFolder();
    const path = join(directory, "clients/demo/identity.pem");
    const before = readFileSync(path, "utf8");
    rmSync(path);
    const certs = await openWhole(directory);
    await certs.writeEnvironment({ url: "https://localhost:8443", certsPath: directory });
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});
