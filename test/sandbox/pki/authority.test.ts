import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { issueCertificate, loadAuthority, newAuthority } from "../../../src/sandbox/pki/authority.js";
import type { Authority, ConstraintsForm } from "../../../src/sandbox/pki/certs.js";
import { serverHostnames } from "../../../src/sandbox/pki/hostnames.js";
import { issueIdentity, issueServer, mintClient } from "../../../src/sandbox/pki/issue.js";
import { generateKeys, type KeyType, privateKeyPem } from "../../../src/sandbox/pki/keys.js";
import { constraintsFormOf, constraintsOf } from "../../../src/sandbox/pki/name-constraints.js";
import { identityProfiles } from "../../../src/sandbox/pki/profiles.js";
import { day, temporaryFolder } from "./fixture.js";
import { missing, run } from "./programs.js";

const now = Date.now();
const hostnames = serverHostnames(["shop.test"]);

async function authorityOf(keyType: KeyType): Promise<Authority> {
  return loadAuthority(newAuthority({ keys: await generateKeys(keyType), hostnames, constraints: "names", now }));
}

function write(folder: string, name: string, pem: string): string {
  const path = join(folder, name);
  writeFileSync(path, pem);
  return path;
}

describe.each<KeyType>(["ec", "rsa"])("an %s authority", (keyType) => {
  let authority: Authority;
  beforeAll(async () => {
    authority = await authorityOf(keyType);
  });

  it.skipIf(missing.openssl)(
    "issues certificates that `openssl verify -x509_strict` accepts (openssl)",
    { tags: "slow" },
    async () => {
      const folder = temporaryFolder();
      const ca = write(folder, "ca.pem", authority.certPem);
      const keys = await generateKeys(keyType);
      const server = write(folder, "server.pem", issueServer(authority, keys, hostnames, now));
      const client = write(folder, "client.pem", (await mintClient(authority, { clientId: "a.b", keys, now })).certPem);
      const verify = (purpose: string, path: string): ReturnType<typeof run> =>
        run("openssl", "verify", "-x509_strict", "-check_ss_sig", "-purpose", purpose, "-CAfile", ca, path);
      expect(await verify("sslserver", server)).toEqual({ status: 0, output: `${server}: OK\n` });
      expect(await verify("sslclient", client)).toEqual({ status: 0, output: `${client}: OK\n` });
      expect((await verify("sslclient", server)).output).toContain("unsuitable certificate purpose");
    },
  );

  it.skipIf(missing.openssl || keyType !== "ec").each([
    ["demo", "OK"],
    ["other", "OK"],
    ["unregistered", "OK"],
    ["renewed", "OK"],
    ["lookalike", "OK"],
    ["expired", "certificate has expired"],
    ["not-yet-valid", "certificate is not yet valid"],
    ["untrusted", "unable to get local issuer certificate"],
    ["wrong-usage", "unsuitable certificate purpose"],
  ])("issues %s so that openssl says %s (openssl)", async (name, verdict) => {
    const folder = temporaryFolder();
    const profile = identityProfiles.find((candidate) => candidate.name === name);
    if (!profile) throw new Error(name);
    const ca = write(folder, "ca.pem", authority.certPem);
    const leaf = write(folder, "leaf.pem", await issueIdentity(authority, profile, await generateKeys("ec"), now));
    const { output } = await run("openssl", "verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", ca, leaf);
    expect(output).toContain(verdict);
  });

  it("is the same after loading it from its files", async () => {
    const made = newAuthority({ keys: await generateKeys(keyType), hostnames, constraints: "names", now });
    const loaded = loadAuthority(made);
    expect(loaded.subject).toEqual(made.subject);
    expect(loaded.keyIdentifier).toEqual(made.keyIdentifier);
    expect(loaded.notAfter).toBe(made.notAfter);
    expect(constraintsOf(loaded)?.permittedNames).toEqual(["localhost", "sandbox", "test", "host.docker.internal"]);
  });
});

describe("the CA's certificate", () => {
  it.skipIf(missing.openssl).each<[ConstraintsForm, string]>([
    ["names", "Permitted: DNS:localhost DNS:sandbox DNS:test DNS:host.docker.internal X509v3"],
    [
      "strict",
      "critical Permitted: DNS:localhost DNS:sandbox DNS:test DNS:host.docker.internal IP:127.0.0.0/255.0.0.0 IP:0:0:0:0:0:0:0:1/",
    ],
  ])("with constraints of the form %s: for TLS, and for one CA below it (openssl)", async (constraints, shown) => {
    const made = newAuthority({ keys: await generateKeys("ec"), hostnames, constraints, now });
    const path = write(temporaryFolder(), "ca.pem", made.certPem);
    const { output } = await run("openssl", "x509", "-in", path, "-noout", "-text", "-certopt", "no_sigdump");
    const text = `${output} X509v3`.replace(/\s+/g, " ");
    expect(text).toContain("X509v3 Basic Constraints: critical CA:TRUE, pathlen:1");
    expect(text).toContain("X509v3 Key Usage: critical Certificate Sign, CRL Sign");
    expect(text).toContain("TLS Web Server Authentication, TLS Web Client Authentication");
    expect(text).toContain(`X509v3 Name Constraints: ${shown}`);
    expect(text).toContain("X509v3 Subject Key Identifier:");
    expect(constraintsFormOf(made)).toBe(constraints);
  });

  it("has a unique name, and is valid for ten years", async () => {
    const [one, another] = [await authorityOf("ec"), await authorityOf("ec")].map(
      ({ certPem }) => new X509Certificate(certPem),
    );
    expect(one?.subject).toMatch(/^O=Business Payments Sandbox\nCN=Business Payments Sandbox CA [0-9a-f]{8}$/);
    expect(one?.subject).not.toBe(another?.subject);
    expect(Date.parse(one?.validTo ?? "") - now).toBeGreaterThan(3649 * day);
  });
});

describe("issueCertificate", () => {
  it("gives every certificate a random positive serial number of 128 bits", async () => {
    const authority = await authorityOf("ec");
    const serials = new Set<string>();
    for (let count = 0; count < 16; count += 1) {
      const { certPem } = await mintClient(authority, { clientId: "same", now });
      serials.add(new X509Certificate(certPem).serialNumber);
    }
    expect(serials.size).toBe(16);
    for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
  });

  it("starts a day in the past and is valid for less than 398 days", async () => {
    const x509 = new X509Certificate((await mintClient(await authorityOf("ec"), { clientId: "c", now })).certPem);
    const [from, until] = [Date.parse(x509.validFrom), Date.parse(x509.validTo)];
    expect(now - from).toBeGreaterThanOrEqual(day);
    expect(until - from).toBeLessThan(398 * day);
    expect(until - now).toBeGreaterThan(390 * day);
  });

  it("issues nothing that outlives the CA", async () => {
    const authority = await authorityOf("ec");
    const { certPem } = await mintClient(authority, { clientId: "late", now: now + 3600 * day });
    expect(new X509Certificate(certPem).validTo).toBe(new X509Certificate(authority.certPem).validTo);
  });

  it("writes years from 2050 on with four digits", async () => {
    const keys = await generateKeys("ec");
    const late = Date.UTC(2050, 0, 1);
    const authority = newAuthority({ keys, hostnames, constraints: "names", now: late });
    const certPem = issueCertificate(authority, {
      profile: "client",
      commonName: "late",
      publicKey: keys.publicKey,
      notBefore: late - 1000,
      notAfter: late,
    });
    const x509 = new X509Certificate(certPem);
    expect([x509.validFrom, x509.validTo]).toEqual(["Dec 31 23:59:59 2049 GMT", "Jan  1 00:00:00 2050 GMT"]);
  });

  it("keeps non-ASCII letters in a name", async () => {
    const { certPem } = await mintClient(await authorityOf("ec"), { clientId: "Zoë", now });
    expect(new X509Certificate(certPem).subject).toContain("CN=Zoë");
  });
});

describe("mintClient", () => {
  it("has no dot in the common name, because OpenSSL would interpret it as a host name", async () => {
    const { certPem } = await mintClient(await authorityOf("ec"), { clientId: "team.example.com", now });
    expect(new X509Certificate(certPem).subject).toContain("CN=team-example-com");
  });
});

describe.skipIf(missing.python)("Python with VERIFY_X509_STRICT (python3)", () => {
  const script = `
import socket, ssl, sys
ca, cert, key, server_cert, server_key = sys.argv[1:]
def context(purpose, chain):
    made = ssl.create_default_context(purpose, cafile=ca)
    made.verify_flags |= ssl.VERIFY_X509_STRICT
    made.load_cert_chain(*chain)
    return made
client = context(ssl.Purpose.SERVER_AUTH, (cert, key))
server = context(ssl.Purpose.CLIENT_AUTH, (server_cert, server_key))
server.verify_mode = ssl.CERT_REQUIRED
pipes = [ssl.MemoryBIO() for _ in range(2)]
ends = [client.wrap_bio(pipes[0], pipes[1], server_hostname="localhost"), server.wrap_bio(pipes[1], pipes[0], server_side=True)]
for _ in range(10):
    for end in ends:
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            pass
print(ends[0].version(), ends[1].getpeercert()["subject"][-1][0][1])
`;

  it("accepts server and client", { tags: "slow" }, async () => {
    const folder = temporaryFolder();
    const authority = await authorityOf("ec");
    const keys = await generateKeys("ec");
    const client = await mintClient(authority, { clientId: "demo", now });
    const files = {
      ca: authority.certPem,
      cert: client.certPem,
      key: client.keyPem,
      serverCert: issueServer(authority, keys, hostnames, now),
      serverKey: privateKeyPem(keys.privateKey),
    };
    const paths = Object.entries(files).map(([name, pem]) => write(folder, `${name}.pem`, pem));
    expect(await run("python3", "-c", script, ...paths)).toEqual({ status: 0, output: "TLSv1.3 demo\n" });
  });
});
