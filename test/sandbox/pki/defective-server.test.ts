import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { type ServerDefect, serverDefects } from "../../../src/sandbox/connection/server-defect.js";
import { loadAuthority, newAuthority } from "../../../src/sandbox/pki/authority.js";
import { issueDefectiveServer } from "../../../src/sandbox/pki/defective-server.js";
import { serverHostnames } from "../../../src/sandbox/pki/hostnames.js";
import { generateKeys, type KeyType } from "../../../src/sandbox/pki/keys.js";
import { day, temporaryFolder } from "./fixture.js";
import { missing, run } from "./programs.js";

const now = Date.now();

/** What a good server certificate would have; each defect differs in one point. */
const good = {
  sent: 1,
  usage: ["1.3.6.1.5.5.7.3.1"],
  isOfRoot: true,
  valid: "now",
  hasNames: true,
  bits: undefined as number | undefined,
};

const differences: Readonly<Record<ServerDefect, Partial<typeof good>>> = {
  expired: { valid: "before" },
  "wrong-host": { hasNames: false },
  untrusted: { isOfRoot: false },
  incomplete: { isOfRoot: false },
  "expired-intermediate": { isOfRoot: false, sent: 2 },
  "self-signed": { isOfRoot: false },
  "not-yet-valid": { valid: "later" },
  "wrong-usage": { usage: ["1.3.6.1.5.5.7.3.2"] },
  "common-name-only": { hasNames: false },
  sha1: {},
  "rsa-1024": { bits: 1024 },
};

describe.each<KeyType>(["ec", "rsa"])("below a CA with an %s key", (keyType) => {
  const root = generateKeys(keyType).then((keys) => {
    return loadAuthority(newAuthority({ keys, hostnames: serverHostnames([]), constraints: "names", now }));
  });

  it.each(serverDefects)("%s is the only defect", async (defect) => {
    const authority = await root;
    const made = await issueDefectiveServer(authority, defect, { hostnames: [], hostname: "sandbox", now });
    const chain = splitPem(made.certPem).map((pem) => new X509Certificate(pem));
    const [leaf, intermediate] = chain as [X509Certificate, X509Certificate | undefined];
    const [from, until] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
    expect({
      sent: chain.length,
      usage: leaf.keyUsage,
      isOfRoot: leaf.verify(new X509Certificate(authority.certPem).publicKey),
      valid: until < now - day / 2 ? "before" : from > now + 300 * day ? "later" : "now",
      hasNames: ["localhost", "sandbox"].every((name) => leaf.checkHost(name, { subject: "never" })),
      bits: leaf.publicKey.asymmetricKeyDetails?.modulusLength,
    }).toEqual({ ...good, ...differences[defect] });
    expect(leaf.subject).toContain(defect === "common-name-only" ? "CN=sandbox" : "CN=Business Payments Sandbox");
    expect(leaf.verify(leaf.publicKey)).toBe(defect === "self-signed");
    expect(leaf.issuer === leaf.subject).toBe(defect === "self-signed");
    if (!intermediate) return;
    expect(leaf.verify(intermediate.publicKey)).toBe(true);
    expect(Date.parse(intermediate.validTo)).toBeLessThan(now);
    expect(intermediate.verify(new X509Certificate(authority.certPem).publicKey)).toBe(true);
  });

  it.skipIf(missing.openssl)("only sha1 is signed with SHA-1 (openssl)", { tags: "slow" }, async () => {
    const folder = temporaryFolder();
    const signed: string[] = [];
    for (const defect of serverDefects) {
      const made = await issueDefectiveServer(await root, defect, { hostnames: [], hostname: "sandbox", now });
      const path = join(folder, `${defect}.pem`);
      writeFileSync(path, made.certPem);
      const { output } = await run("openssl", "x509", "-noout", "-text", "-in", path);
      if (/Signature Algorithm: (ecdsa-with-SHA1|sha1WithRSAEncryption)/.test(output)) signed.push(defect);
    }
    expect(signed).toEqual(["sha1"]);
  });
});
