import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as der from "../../../src/sandbox/pki/der.js";
import {
  authority,
  extendedKeyUsage,
  extension,
  issueCertificate,
  keyUsage,
  name,
  purpose,
  type TestIdentity,
} from "../../support/certificates.js";
import { afterFile } from "../../support/cleanups.js";
import { missing, run } from "../pki/programs.js";
import { certificates, startServer, type TestServer } from "./fixture.js";

const request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const hour = 3_600_000;

/** Kinds of a GeneralName (RFC 5280 §4.2.1.6). */
const email = (text: string) => der.taggedBytes(1, Buffer.from(text));
const dns = (text: string) => der.taggedBytes(2, Buffer.from(text));
const directory = (text: string) => der.tagged(4, name(text));
const uri = (text: string) => der.taggedBytes(6, Buffer.from(text));
const ip = (...bytes: number[]) => der.taggedBytes(7, Buffer.from(bytes));

const alternativeNames = (...names: der.Der[]) => extension("2.5.29.17", der.encode(der.sequence(...names)));

/** Name constraints (RFC 5280 §4.2.1.10): 0 permits, 1 excludes. */
function constrained(kind: "permits" | "excludes", ...bases: der.Der[]): der.Der {
  const subtrees = der.tagged(kind === "permits" ? 0 : 1, ...bases.map((base) => der.sequence(base)));
  return extension("2.5.29.30", der.encode(der.sequence(subtrees)), true);
}

/** The extensions of the CAs, from the root down, and of the client's certificate. */
interface Links {
  readonly root?: readonly der.Der[];
  readonly intermediates?: readonly (readonly der.Der[])[];
  readonly leaf?: readonly der.Der[];
  readonly leafName?: der.Der;
  readonly intermediateEnds?: number;
}

interface Chain {
  readonly root: TestIdentity;
  readonly leaf: TestIdentity;
  /** From the issuer of the leaf up. */
  readonly intermediates: readonly TestIdentity[];
}

function chainOf({ root: rootExtensions = [authority()], intermediates = [], leaf = [], ...more }: Links): Chain {
  const root = issueCertificate({ commonName: "Root", ca: true, extensions: rootExtensions });
  let issuer = root;
  const issued = intermediates.map((extensions, index) => {
    issuer = issueCertificate({
      commonName: `Intermediate ${index + 1}`,
      issuer,
      ca: true,
      extensions,
      ...(more.intermediateEnds !== undefined && { notAfter: more.intermediateEnds }),
    });
    return issuer;
  });
  const own = issueCertificate({
    commonName: "client",
    issuer,
    extensions: [extendedKeyUsage(purpose.client), ...leaf],
    ...(more.leafName && { subject: more.leafName }),
  });
  return { root, leaf: own, intermediates: issued.toReversed() };
}

const folder = mkdtempSync(join(tmpdir(), "chains-"));
afterFile(() => rmSync(folder, { recursive: true, force: true }));

async function opensslAccepts({ root, leaf, intermediates }: Chain): Promise<boolean> {
  const file = (name: string, ...identities: readonly TestIdentity[]) => {
    writeFileSync(join(folder, name), identities.map(({ cert }) => cert).join(""));
    return join(folder, name);
  };
  const trusted = ["-CAfile", file("root.pem", root), "-untrusted", file("chain.pem", ...intermediates)];
  const { status } = await run("openssl", "verify", "-purpose", "sslclient", ...trusted, file("leaf.pem", leaf));
  return status === 0;
}

async function serverAccepts(server: TestServer, { leaf, intermediates }: Omit<Chain, "root">): Promise<boolean> {
  const cert = [leaf, ...intermediates].map((identity) => identity.cert).join("");
  const answer = await server.start({ cert, key: leaf.key }).sendAndClose(request);
  return answer.includes(" 200 OK");
}

const two = [[authority()], [authority()]];
const one = [[authority()]];
const below = (extension: der.Der) => [[authority(), extension]];

const cases: [string, "accepted" | "refused", Links][] = [
  ["no path length", "accepted", { intermediates: two }],
  ["a path length that suffices", "accepted", { root: [authority(2)], intermediates: two }],
  ["a path length of 0 above a client", "accepted", { intermediates: [[authority(0)]] }],
  ["a path length of 0 above a CA", "refused", { root: [authority(0)], intermediates: one }],
  ["a path length of 0 between", "refused", { intermediates: [[authority(0)], [authority()]] }],
  ["a path length of 1 above two", "refused", { root: [authority(1)], intermediates: two }],
  [
    "a permitted DNS name",
    "accepted",
    {
      intermediates: below(constrained("permits", dns("example.test"))),
      leaf: [alternativeNames(dns("a.example.test"))],
    },
  ],
  [
    "another DNS name",
    "refused",
    {
      intermediates: below(constrained("permits", dns("example.test"))),
      leaf: [alternativeNames(dns("a.other.test"))],
    },
  ],
  [
    "an excluded DNS name",
    "refused",
    {
      intermediates: below(constrained("excludes", dns("example.test"))),
      leaf: [alternativeNames(dns("a.example.test"))],
    },
  ],
  [
    "a name beside the excluded DNS name",
    "accepted",
    {
      intermediates: below(constrained("excludes", dns("example.test"))),
      leaf: [alternativeNames(dns("a.other.test"))],
    },
  ],
  [
    "a permitted email address",
    "accepted",
    {
      intermediates: below(constrained("permits", email("example.test"))),
      leaf: [alternativeNames(email("a@example.test"))],
    },
  ],
  [
    "another email address",
    "refused",
    {
      intermediates: below(constrained("permits", email("example.test"))),
      leaf: [alternativeNames(email("a@other.test"))],
    },
  ],
  [
    "an excluded email address",
    "refused",
    {
      intermediates: below(constrained("excludes", email("a@example.test"))),
      leaf: [alternativeNames(email("a@example.test"))],
    },
  ],
  [
    "a permitted directory name",
    "accepted",
    { intermediates: below(constrained("permits", directory("Unit"))), leafName: name("unit", "client") },
  ],
  [
    "another directory name",
    "refused",
    { intermediates: below(constrained("permits", directory("Unit"))), leafName: name("other", "client") },
  ],
  [
    "an excluded directory name",
    "refused",
    { intermediates: below(constrained("excludes", directory("Unit"))), leafName: name("Unit", "client") },
  ],
  [
    "a permitted IP address",
    "accepted",
    {
      intermediates: below(constrained("permits", ip(10, 0, 0, 0, 255, 0, 0, 0))),
      leaf: [alternativeNames(ip(10, 1, 2, 3))],
    },
  ],
  [
    "another IP address",
    "refused",
    {
      intermediates: below(constrained("permits", ip(10, 0, 0, 0, 255, 0, 0, 0))),
      leaf: [alternativeNames(ip(11, 1, 2, 3))],
    },
  ],
  [
    "an excluded IP address",
    "refused",
    {
      root: [authority(), constrained("excludes", ip(10, 0, 0, 0, 255, 0, 0, 0))],
      leaf: [alternativeNames(ip(10, 1, 2, 3))],
    },
  ],
  [
    "a permitted URI",
    "accepted",
    {
      intermediates: below(constrained("permits", uri(".example.test"))),
      leaf: [alternativeNames(uri("https://a.example.test/x"))],
    },
  ],
  [
    "another URI",
    "refused",
    {
      intermediates: below(constrained("permits", uri(".example.test"))),
      leaf: [alternativeNames(uri("https://a.other.test/x"))],
    },
  ],
  ["an intermediate that has expired", "refused", { intermediates: one, intermediateEnds: Date.now() - hour }],
  ["an intermediate for servers only", "refused", { intermediates: below(extendedKeyUsage(purpose.server)) }],
  ["an intermediate without the right to sign", "refused", { intermediates: below(keyUsage(0x80)) }],
  ["an unknown critical extension", "refused", { intermediates: below(extension("1.2.3.4", Buffer.of(5, 0), true)) }],
];

describe("a chain with", () => {
  it.skipIf(missing.openssl).each(cases)("%s is %s", async (_name, expected, links) => {
    const chain = chainOf(links);
    const server = await startServer({ clientCertificate: "require", trustedCas: [chain.root.cert] });
    const accepted = { openssl: await opensslAccepts(chain), sandbox: await serverAccepts(server, chain) };
    expect(accepted).toEqual({ openssl: expected === "accepted", sandbox: expected === "accepted" });
  });
});

describe("what is wrong with a chain", () => {
  it.each<[string, Links, string, RegExp]>([
    ["a path length", { root: [authority(0)], intermediates: one }, "PATH_LENGTH_EXCEEDED", /path length/],
    ["a name", { intermediates: below(constrained("permits", directory("Unit"))) }, "UNSPECIFIED", /openssl verify/],
    ["an end", { intermediates: one, intermediateEnds: Date.now() - hour }, "CERT_HAS_EXPIRED", /chain has expired/],
    ["a usage", { intermediates: below(extendedKeyUsage(purpose.server)) }, "INVALID_PURPOSE", /A CA of its chain/],
  ])("%s", async (_name, links, code, reason) => {
    const chain = chainOf(links);
    const server = await startServer({ clientCertificate: "require", trustedCas: [chain.root.cert] });
    expect(await serverAccepts(server, chain)).toBe(false);
    expect(server.failures).toEqual([
      expect.objectContaining({
        cause: "client-certificate-untrusted",
        code,
        reason: expect.stringMatching(reason),
        certificate: expect.objectContaining({ serialNumber: chain.leaf.x509.serialNumber }),
      }),
    ]);
  });
});

it("a key that is too short is refused from Node 24 on, where OpenSSL's security level is 2", async () => {
  const { cert, key } = issueCertificate({
    commonName: "short",
    issuer: certificates.ca,
    keyType: "rsa",
    modulusLength: 1_024,
  });
  const server = await startServer({ clientCertificate: "require" });
  const client = server.start({ cert, key, ciphers: "DEFAULT@SECLEVEL=0" });
  const isAccepted = (await client.sendAndClose(request)).includes(" 200 OK");
  expect(isAccepted).toBe(Number(process.versions.node.split(".")[0]) < 24);
});

describe("a CA is trusted", () => {
  const { root, intermediates, leaf } = chainOf({ intermediates: one });

  it("that is an intermediate CA", async () => {
    const trustedCas = intermediates.map(({ cert }) => cert);
    const server = await startServer({ clientCertificate: "require", trustedCas });
    expect(await serverAccepts(server, { leaf, intermediates: [] })).toBe(true);
    expect(await serverAccepts(server, { leaf, intermediates })).toBe(true);
  });

  it.each<[string, Links]>([
    ["path length", { intermediates: [[authority(0)], [authority()]] }],
    ["name constraint", { intermediates: below(constrained("permits", directory("Unit"))) }],
    ["end of a CA below it", { intermediates: two, intermediateEnds: Date.now() - hour }],
  ])("that is an intermediate CA, and the %s counts", async (_what, links) => {
    const chain = chainOf(links);
    const trustedCas = [chain.intermediates.at(-1)?.cert ?? ""];
    const server = await startServer({ clientCertificate: "require", trustedCas });
    expect(await serverAccepts(server, chain)).toBe(false);
  });

  it("that is a client's certificate itself", async () => {
    const server = await startServer({ clientCertificate: "require", trustedCas: [leaf.cert] });
    expect(await serverAccepts(server, { leaf, intermediates: [] })).toBe(true);
    const other = issueCertificate({ commonName: "other", issuer: root });
    expect(await serverAccepts(server, { leaf: other, intermediates: [] })).toBe(false);
  });

  it("from the moment when it is added", async () => {
    const server = await startServer({ clientCertificate: "require" });
    expect(await serverAccepts(server, { leaf, intermediates })).toBe(false);
    server.trust(root.cert);
    expect(await serverAccepts(server, { leaf, intermediates })).toBe(true);
    expect(await serverAccepts(server, { leaf: certificates.client, intermediates: [] })).toBe(true);
  });

  it("whose certificate the client sends, too", async () => {
    const server = await startServer({ clientCertificate: "require", trustedCas: [root.cert] });
    expect(await serverAccepts(server, { leaf, intermediates: [...intermediates, root] })).toBe(true);
    expect(server.requests[0]?.peer).toMatchObject({ chain: "trusted", chainReason: "" });
  });
});
