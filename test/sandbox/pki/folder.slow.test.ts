import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { open, openWhole, temporaryFolder, wholeFolder } from "./fixture.js";
import { handshake } from "./handshake.js";

// More of folder.test.ts: complete folders with RSA keys.

describe("a first start", () => {
  it("makes RSA keys by default", async () => {
    const directory = temporaryFolder();
    const certs = await openWhole(directory, { keyType: undefined });
    const files = ["ca.pem", "server.pem", ...identityProfiles.map(({ kind, name }) => `${kind}s/${name}/cert.pem`)];
    for (const file of files) {
      const { publicKey } = new X509Certificate(readFileSync(join(directory, file)));
      // A key pair of RSA takes as long as the rest of a start, and one more certificate needs none of its own.
      const length = file.includes("chained") ? undefined : 2048;
      expect([file, publicKey.asymmetricKeyDetails?.modulusLength]).toEqual([file, length]);
    }
    const outcome = await handshake(
      { cert: certs.server.certPem, key: certs.server.keyPem, ca: certs.caPem },
      { cert: certs.clients[0]?.certPem, key: certs.clients[0]?.keyPem, ca: certs.caPem },
    );
    expect(outcome).toEqual({ refusal: undefined, clientTrusted: true });
  });
});

describe("--fresh-certs", () => {
  it("changes the type of the keys", async () => {
    const directory = await wholeFolder({ keyType: "ec" });
    await expect(open(directory, { keyType: "rsa" })).rejects.toMatchObject({
      code: "KEY_TYPE",
      message: expect.stringMatching(/was made with EC keys, not RSA.*--fresh-certs/),
    });
    const certs = await openWhole(directory, { keyType: "rsa", fresh: true });
    expect(new X509Certificate(certs.caPem).publicKey.asymmetricKeyType).toBe("rsa");
  });
});
