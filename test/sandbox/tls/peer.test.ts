import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import type { CertificatePeer } from "../../../src/sandbox/connection/peer.js";
import * as der from "../../../src/sandbox/pki/der.js";
import { PeerJudge } from "../../../src/sandbox/tls/peer.js";
import {
  authority,
  type CertificateRequest,
  commonName,
  extendedKeyUsage,
  issueCertificate,
  keyUsage,
  name,
  purpose,
  type TestIdentity,
} from "../../support/certificates.js";
import { certificates, startServer } from "./fixture.js";

const { ca, client, expired, otherCa, untrusted } = certificates;

/** The server's findings on a client that sends this chain in a real handshake. */
async function present(identity: TestIdentity, ...chain: TestIdentity[]): Promise<CertificatePeer> {
  const server = await startServer();
  // OpenSSL completes the chain from the agent's own `ca`. It sends only the CA itself from there, which does not
  // change the verdict, so a raw connection without it would not be better.
  await server.client({ cert: [identity, ...chain].map(({ cert }) => cert).join(""), key: identity.key }).send("/");
  const peer = server.requests[0]?.peer;
  if (peer?.kind !== "certificate") throw new Error("no certificate arrived");
  return peer;
}

/** A client that sends only its certificate. */
const presented = (own: Buffer) => ({ own, issuers: () => [], isAuthorized: false });

function judge(request: Partial<CertificateRequest>, judgeWith = new PeerJudge([ca.cert])): CertificatePeer {
  const peer = judgeWith.judge(presented(issueCertificate({ commonName: "x", issuer: ca, ...request }).x509.raw));
  if (peer.kind !== "certificate") throw new Error("no certificate was found");
  return peer;
}

test("no certificate", async () => {
  const server = await startServer();
  await server.client().send("/");
  expect(server.requests[0]?.peer).toEqual({ kind: "none" });
});

test("a certificate of a trusted CA", async () => {
  const peer = await present(client);
  expect(peer).toEqual({
    kind: "certificate",
    chain: "trusted",
    chainReason: "",
    certificate: {
      thumbprint: expect.stringMatching(/^[\w-]{43}$/),
      subject: "CN=test client",
      issuer: "CN=Test CA",
      serialNumber: client.x509.serialNumber,
      notBefore: Date.parse(client.x509.validFrom),
      notAfter: Date.parse(client.x509.validTo),
      clientUsage: true,
    },
  });
  const hex = Buffer.from(peer.certificate.thumbprint, "base64url").toString("hex");
  expect(hex).toBe(client.x509.fingerprint256.replaceAll(":", "").toLowerCase());
});

test("a certificate of another CA of the same name", async () => {
  const peer = await present(untrusted);
  expect(peer).toMatchObject({ chain: "untrusted", certificate: { subject: "CN=test client", issuer: "CN=Test CA" } });
  expect(peer.chainReason).toBe(
    "It names CN=Test CA as its issuer, but was not signed by the trusted CA of that name.",
  );
});

test("the chain with the untrusted CA is not trusted either", async () => {
  expect((await present(untrusted, otherCa)).chain).toBe("untrusted");
});

test("a certificate of an unknown CA", () => {
  const unknownCa = issueCertificate({ commonName: "Unknown CA", ca: true });
  expect(judge({ issuer: unknownCa })).toMatchObject({
    chain: "untrusted",
    chainReason: "Its issuer, CN=Unknown CA, is not among the trusted CAs.",
  });
});

test("a self-signed certificate", () => {
  const selfSigned = issueCertificate({ commonName: "self" });
  expect(new PeerJudge([ca.cert]).judge(presented(selfSigned.x509.raw))).toMatchObject({
    chain: "untrusted",
    chainReason: "It is self-signed, and not among the trusted certificates.",
  });
  expect(new PeerJudge([selfSigned.cert]).judge(presented(selfSigned.x509.raw))).toMatchObject({ chain: "trusted" });
});

test("time is not checked here", async () => {
  expect(await present(expired)).toMatchObject({ chain: "trusted", certificate: { clientUsage: true } });
});

test("a certificate for servers only", () => {
  expect(judge({ extensions: [extendedKeyUsage(purpose.server)] })).toMatchObject({
    chain: "trusted",
    certificate: { clientUsage: false },
  });
});

test("several trusted CAs, in one text", () => {
  const both = new PeerJudge([`a bundle\n${otherCa.cert}\n${ca.cert}`]);
  expect(both.judge(presented(client.x509.raw))).toMatchObject({ chain: "trusted" });
  expect(both.judge(presented(untrusted.x509.raw))).toMatchObject({ chain: "trusted" });
});

test("a trusted certificate that is not a CA cannot issue", () => {
  expect(judge({ issuer: client }, new PeerJudge([client.cert]))).toMatchObject({ chain: "untrusted" });
});

test("an issuer without the right to sign cannot issue", () => {
  const powerless = issueCertificate({ commonName: "CA", ca: true, extensions: [authority(), keyUsage(0x80)] });
  expect(judge({ issuer: powerless }, new PeerJudge([powerless.cert]))).toMatchObject({ chain: "untrusted" });
});

test("a certificate that a CA signed under the name of another one", async () => {
  const intermediate = issueCertificate({ commonName: "Intermediate", issuer: ca, ca: true });
  const misnamed = { ...intermediate, subject: name("Somebody else") };
  const leaf = issueCertificate({ commonName: "leaf", issuer: misnamed });
  expect(await present(leaf, intermediate)).toMatchObject({
    chain: "untrusted",
    chainReason: "Its issuer, CN=Somebody else, is not among the trusted CAs.",
  });
});

test("a chain over intermediates, in any order", async () => {
  const one = issueCertificate({ commonName: "Intermediate 1", issuer: ca, ca: true });
  const two = issueCertificate({ commonName: "Intermediate 2", issuer: one, ca: true });
  const leaf = issueCertificate({ commonName: "leaf", issuer: two });
  expect((await present(leaf, two, one)).chain).toBe("trusted");
  expect((await present(leaf, one, two)).chain).toBe("trusted");
  expect(await present(leaf, two)).toMatchObject({
    chain: "untrusted",
    chainReason: "Its issuer, CN=Intermediate 1, is not among the trusted CAs.",
  });
  expect((await present(leaf, one)).chain).toBe("untrusted");
});

test("a complete chain is not cached for a later incomplete one", async () => {
  const intermediate = issueCertificate({ commonName: "Intermediate", issuer: ca, ca: true });
  const leaf = issueCertificate({ commonName: "leaf", issuer: intermediate });
  const server = await startServer();
  await server.client({ cert: leaf.cert + intermediate.cert, key: leaf.key }).send("/");
  await server.client({ cert: leaf.cert, key: leaf.key }).send("/");
  const chains = server.requests.map(({ peer }) => (peer.kind === "certificate" ? peer.chain : "none"));
  expect(chains).toEqual(["trusted", "untrusted"]);
});

test("a client's certificate is not an intermediate CA", async () => {
  const leaf = issueCertificate({ commonName: "leaf", issuer: client });
  expect((await present(leaf, client)).chain).toBe("untrusted");
});

test("intermediates that issue one another in a circle", async () => {
  const first = issueCertificate({ commonName: "A", ca: true });
  const second = issueCertificate({ commonName: "A", issuer: first, ca: true });
  const leaf = issueCertificate({ commonName: "leaf", issuer: second });
  expect((await present(leaf, first, second, first, second)).chain).toBe("untrusted");
});

test("one certificate is checked once", () => {
  const judgeOnce = new PeerJudge([ca.cert]);
  const again = new X509Certificate(client.cert).raw;
  expect(judgeOnce.judge(presented(again))).toBe(judgeOnce.judge(presented(client.x509.raw)));
});

const names: [string, der.Der, string][] = [
  ["control characters", name("a\nb\r\0\u001b[31mc"), "CN=a\\0Ab\\0D\\00\\1B[31mc"],
  ["text that runs backwards", name("a\u202eb"), "CN=a\\u{202e}b"],
  ["a forged second part", name("a, O=b"), "CN=a\\, O=b"],
  ["no subject", der.sequence(), ""],
  ["several parts", name("a", "b"), "CN=a, CN=b"],
  ["a part of several values", der.sequence(der.set(commonName("a"), commonName("b"))), "CN=a + CN=b"],
  ["an unknown attribute", der.sequence(der.set(der.sequence(der.objectId("1.2.3.4"), der.utf8("x")))), "1.2.3.4=x"],
];

test.each(names)("a subject with %s", async (_name, subject, expected) => {
  const peer = await present(issueCertificate({ commonName: "", issuer: ca, subject }));
  expect(peer).toMatchObject({ chain: "trusted", certificate: { subject: expected } });
});

test("a very long subject is truncated", async () => {
  const peer = await present(
    issueCertificate({ commonName: "", issuer: ca, subject: name(...Array(600).fill("x".repeat(60))) }),
  );
  expect(peer.chain).toBe("trusted");
  expect(peer.certificate.subject.length).toBeLessThan(1_200);
});

test.each([
  ["long ago", { notBefore: Date.UTC(1950, 0, 1), notAfter: Date.UTC(1950, 0, 2) }],
  ["far away", { notBefore: Date.UTC(2049, 11, 31), notAfter: Date.UTC(9999, 11, 31, 23, 59, 59) }],
  ["the wrong way round", { notBefore: Date.UTC(2030, 0, 1), notAfter: Date.UTC(2020, 0, 1) }],
])("dates %s", (_name, dates) => {
  expect(judge(dates).certificate).toMatchObject(dates);
});

test("unreadable dates make it never valid", async () => {
  // The 99th of the 99th month.
  const odd = der.decode(Buffer.concat([Buffer.of(0x18, 15), Buffer.from("20269999999999Z")]));
  const identity = issueCertificate({ commonName: "odd", issuer: ca, validity: der.sequence(odd, odd) });
  expect(Date.parse(identity.x509.validFrom)).toBeNaN();
  const { certificate } = await present(identity);
  expect(certificate.notBefore).toBeGreaterThan(certificate.notAfter);
  expect(() => new Date(certificate.notBefore).toISOString()).not.toThrow();
  expect(() => new Date(certificate.notAfter).toISOString()).not.toThrow();
});

test("a certificate that is altered anywhere never causes an exception", () => {
  const { raw } = client.x509;
  const fresh = new PeerJudge([ca.cert]);
  let seed = 1;
  const draw = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let readable = 0;
  for (let round = 0; round < 600; round++) {
    const altered = Buffer.from(raw);
    for (let changes = draw(3); changes >= 0; changes--) altered[4 + draw(raw.length - 4)] = draw(256);
    const x509 = parse(altered);
    if (x509 === undefined) continue;
    readable++;
    const peer = fresh.judge(presented(x509.raw));
    if (!altered.equals(raw)) expect(peer).toMatchObject({ chain: "untrusted" });
  }
  expect(readable).toBeGreaterThan(100);
});

function parse(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
