import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/sandbox/clock.js";
import type { CertificateSet, Identity } from "../../../src/sandbox/pki/certs.js";
import type { KeyType } from "../../../src/sandbox/pki/keys.js";
import { certsInMemory } from "../../../src/sandbox/pki/make.js";
import { encodeBundle } from "../../../src/sandbox/pki/pkcs12.js";
import { named, temporaryFolder } from "./fixture.js";
import { handshake } from "./handshake.js";
import { missing, opened } from "./programs.js";

/** Registers the tests of a PKCS#12 bundle with a key of this type. */
export function bundleIsRead(keyType: KeyType): void {
  let certs: CertificateSet;
  let demo: Identity;
  let bundle: Buffer;
  beforeAll(async () => {
    certs = await certsInMemory({ keyType, clock: systemClock });
    demo = named(certs.clients, "demo");
    bundle = await encodeBundle({ ...demo, caPem: certs.caPem });
  });

  function written(): string {
    const path = join(temporaryFolder(), "client.p12");
    writeFileSync(path, bundle);
    return path;
  }

  it("can be used by Node's TLS, with its key, its certificate and its CA", async () => {
    const { certPem: cert, keyPem: key } = certs.server;
    const outcome = await handshake({ cert, key, ca: certs.caPem }, { pfx: bundle, passphrase: "sandbox" });
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });

  it("does not open with another password", async () => {
    const { certPem: cert, keyPem: key } = certs.server;
    await expect(handshake({ cert, key }, { pfx: bundle, passphrase: "other" })).rejects.toThrow("mac verify failure");
  });

  it.skipIf(missing.openssl)("is read by openssl, with AES-256 and SHA-256 throughout (openssl)", async () => {
    const path = written();
    const { status, output } = await opened(path);
    expect(status).toBe(0);
    expect(output).toContain("MAC: sha256, Iteration 2048");
    expect(output).toContain("PKCS7 Encrypted data: PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256");
    expect(output).toContain("Shrouded Keybag: PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256");
    expect(output).toContain("friendlyName: demo");
    expect(output.match(/localKeyID: (.*)/g)).toHaveLength(2);
    const identifiers = new Set(output.match(/localKeyID: (.*)/g));
    expect(identifiers.size).toBe(1);
    const [leaf, ca] = output.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    expect(new X509Certificate(leaf ?? "").fingerprint256).toBe(new X509Certificate(demo.certPem).fingerprint256);
    expect(new X509Certificate(ca ?? "").fingerprint256).toBe(new X509Certificate(certs.caPem).fingerprint256);
    const [key] = output.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n/) ?? [];
    expect(key).toBe(demo.keyPem);
  });
}
