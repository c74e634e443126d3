import { execFileSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { issueCertificate } from "../../support/certificates.js";
import { clinic, marked } from "./fixture.js";

const { certs, file, examine } = clinic();
const demo = { cert: certs("clients/demo/cert.pem"), key: certs("clients/demo/key.pem") };
const text = (path: string) => readFileSync(path, "utf8");

describe("correct files", () => {
  it("pass", async () => {
    const lines = await examine(demo);
    expect(lines.every((line) => line.startsWith("✓"))).toBe(true);
    expect(lines.map((line) => line.replace(/^✓ /, "").split(/[ :]/, 1)[0])).toEqual([
      "CA",
      "Certificate",
      "Key",
      "The",
      "The",
      "The",
      "The",
      "The",
      "The",
      "The",
      "The",
      "The",
      "A",
      "The",
    ]);
    expect(lines).toContain('✓ The certificate is registered for the client "demo".');
    expect(lines).toContain('✓ The client "demo" got a token.');
    expect(lines).toContain("✓ A ping with the token was answered with 200.");
  });

  it("can be one PKCS#12 file", async () => {
    const lines = await examine({ p12: certs("clients/demo/client.p12"), password: "sandbox" });
    expect(lines.every((line) => line.startsWith("✓"))).toBe(true);
    expect(lines[1]).toContain("CN=demo, with its key");
  });

  it("can be one PEM file, and the key can be encrypted if its password is given", async () => {
    const both = file("both.pem", text(demo.key) + text(demo.cert));
    expect(marked("✗", await examine({ cert: both, key: both }))).toEqual([]);

    const encrypted = encryptedKey("right");
    expect(marked("!", await examine({ ...demo, key: encrypted, password: "right" }))).toEqual([
      expect.stringMatching(/^! Key .* is encrypted\.\n {2}→ Your client must be given its password/),
    ]);
  });
});

function encryptedKey(passphrase: string): string {
  const key = createPrivateKey(text(demo.key));
  const pem = key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase });
  return file(`encrypted-${passphrase}.pem`, pem as string);
}

describe("a file that cannot be used", () => {
  const der = () => new X509Certificate(text(demo.cert)).raw;
  it.each<[string, () => { cert?: string; key?: string }, RegExp]>([
    [
      "is missing",
      () => ({ cert: "no/cert.pem" }),
      /^✗ Certificate no\/cert\.pem does not exist\.\n {2}→ Paths are relative to \//,
    ],
    [
      "is a folder",
      () => ({ key: dirname(demo.key) }),
      /^✗ Key .* is a folder\.\n {2}→ Name the file in this folder: cert\.pem/,
    ],
    [
      "is exchanged with the other",
      () => ({ cert: demo.key }),
      /^✗ Certificate .* holds a private key, and no certificate\.\n.*key swapped/,
    ],
    [
      "is exchanged with the other",
      () => ({ key: demo.cert }),
      /^✗ Key .* holds a certificate, and no private key\.\n.*certificate swapped/,
    ],
    [
      "is a public key",
      () => ({
        key: file(
          "public.pem",
          generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }),
        ),
      }),
      /holds a public key, and no private key/,
    ],
    [
      "is DER",
      () => ({ cert: file("cert.der", der()) }),
      /is DER, not PEM\.\n {2}→ Convert it: openssl x509 -inform DER -in .*cert\.der -out/,
    ],
    [
      "is PKCS#12",
      () => ({ cert: certs("clients/demo/client.p12") }),
      /is PKCS#12, not PEM\.\n {2}→ Give it as --p12 .*client\.p12 --password/,
    ],
    [
      "is UTF-16",
      () => ({ cert: file("utf16.pem", Buffer.from(`\ufeff${text(demo.cert)}`, "utf16le")) }),
      /is UTF-16, not PEM\.\n {2}→ PowerShell/,
    ],
    ["is empty", () => ({ cert: file("empty.pem", "") }), /is empty\.\n/],
    [
      "is cut short",
      () => ({ cert: file("short.pem", text(demo.cert).slice(0, 300)) }),
      /is cut short: its PEM block has no end\.\n/,
    ],
    [
      "is broken",
      () => ({ cert: file("broken.pem", text(demo.cert).replace(/\n.{30}/, "\n")) }),
      /is broken: it cannot be read as a certificate/,
    ],
    [
      "is too large",
      () => ({ key: file("large.pem", `${text(demo.key)}${"\n".repeat(1_000_000)}`) }),
      /^✗ Key .* cannot be read: it is larger than 1000000 bytes\.\n {2}→ Name a file with a certificate or a key: cert\.pem/,
    ],
    ["is something else", () => ({ key: file("notes.txt", "my key is under the mat") }), /is not PEM\.\n/],
    [
      "is the key of another certificate",
      () => ({ key: certs("clients/other/key.pem") }),
      /^✗ Key .* is not the key of the certificate\.\n {2}→ Use the two files that were made together/,
    ],
    [
      "is encrypted",
      () => ({ key: encryptedKey("secret") }),
      /is encrypted, and no password was given\.\n {2}→ Give it with --password, or .*openssl pkey/,
    ],
  ])("%s", async (_what, flags, expected) => {
    const lines = await examine({ ...demo, ...flags() });
    expect(marked("✗", lines)).toEqual([expect.stringMatching(expected)]);
    expect(lines).toContain("– A token and a ping were not tried: these need a certificate with its key.");
  });

  it("is encrypted with another password", async () => {
    const lines = await examine({ ...demo, key: encryptedKey("right"), password: "wrong" });
    expect(marked("✗", lines)).toEqual([expect.stringMatching(/is encrypted, and the password is wrong/)]);
  });

  it.skipIf(process.platform === "win32")("is a device, or a pipe without a writer", async () => {
    const pipe = file("pipe", "");
    rmSync(pipe);
    execFileSync("mkfifo", [pipe]);
    for (const path of ["/dev/null", pipe])
      expect(marked("✗", await examine({ ...demo, cert: path }))).toEqual([
        expect.stringMatching(/^✗ Certificate .* cannot be read: it is not a regular file\.\n/),
      ]);
  });
});

describe("a PKCS#12 file", () => {
  const p12 = () => certs("clients/demo/client.p12");

  /** Writes the demo identity with openssl, which must support the options. */
  function written(name: string, ...options: string[]): string {
    const path = file(name, "");
    const files = ["-in", demo.cert, "-inkey", demo.key, "-out", path, "-passout", "pass:sandbox"];
    execFileSync("openssl", ["pkcs12", "-export", ...files, ...options], { stdio: "ignore" });
    return path;
  }

  it.each<[string, () => { p12: string; password?: string }, RegExp]>([
    [
      "with another password",
      () => ({ p12: p12(), password: "nonsense" }),
      /has another password\.\n {2}→ Give it with --password\. Files of the sandbox have the password "sandbox"/,
    ],
    ["whose password was not given", () => ({ p12: p12() }), /has a password, and none was given\.\n/],
    [
      "that is cut short",
      () => ({ p12: file("short.p12", readFileSync(p12()).subarray(0, 500)), password: "sandbox" }),
      /cannot be read as PKCS#12 \(not enough data\)/,
    ],
    [
      "that is PEM",
      () => ({ p12: demo.cert, password: "sandbox" }),
      /cannot be read as PKCS#12 .*\n.*PEM files are given with --cert and --key/,
    ],
    ["without a key", () => ({ p12: written("nokey.p12", "-nokeys"), password: "sandbox" }), /holds no private key/],
    ["without a MAC", () => ({ p12: written("nomac.p12", "-nomac"), password: "sandbox" }), /has no MAC/],
    ["that is missing", () => ({ p12: "no.p12" }), /^✗ PKCS#12 no\.p12 does not exist/],
  ])("%s", async (_what, flags, expected) => {
    expect(marked("✗", await examine(flags()))).toEqual([expect.stringMatching(expected)]);
  });

  it("is refused by OpenSSL 3 because of RC2", async ({ skip }) => {
    let legacy = "";
    try {
      legacy = written("legacy.p12", "-legacy");
    } catch {
      skip("this openssl has no legacy algorithms");
    }
    expect(marked("✗", await examine({ p12: legacy, password: "sandbox" }))).toEqual([
      expect.stringMatching(
        /OpenSSL 3 refuses \(RC2, most often\).*\n {2}→ Write it again with AES: openssl pkcs12 -legacy -in /,
      ),
    ]);
  });
});

describe("a CA", () => {
  it.each<[string, () => string, RegExp]>([
    ["that is missing", () => "no/ca.pem", /^✗ CA no\/ca\.pem does not exist/],
    [
      "that is not a CA",
      () => demo.cert,
      /^✗ CA .* is not the certificate of a CA: its subject is .*CN=demo\.\n {2}→ Give ca\.pem/,
    ],
    [
      "that has expired",
      () => file("old-ca.pem", issueCertificate({ commonName: "Old CA", ca: true, notAfter: Date.now() - 1000 }).cert),
      /^✗ CA .* expired on \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    ],
    [
      "that is another sandbox's",
      () => file("other-ca.pem", issueCertificate({ commonName: "Other CA", ca: true }).cert),
      /^✗ The given CA is not this sandbox's, which is .*\n.*--fresh-certs.*curl -o ca\.pem http/,
    ],
  ])("%s", async (_what, ca, expected) => {
    expect(marked("✗", await examine({ ...demo, ca: ca() }))).toContainEqual(expect.stringMatching(expected));
  });
});
