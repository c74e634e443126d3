import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { isInstalled } from "../../examples/programs.js";
import { type OwnCa, ownCa } from "../../support/own-ca.js";
import { configured } from "./configuration.js";

const usage = "extendedKeyUsage=serverAuth";

describe.skipIf(!isInstalled("openssl", "version"))("the server's certificate from files", () => {
  const flagsOf = ({ certificate, key, chain }: OwnCa) => ({
    serverCertificate: certificate,
    serverKey: key,
    serverChain: chain,
  });

  it("is leaf and issuers without the root, which is apart", async () => {
    const own = ownCa();
    const { server } = await configured("{}", { flags: flagsOf(own) });
    expect(splitPem(server?.certPem ?? "")).toHaveLength(2);
    expect(server?.rootPem.trim()).toBe(readFileSync(own.root, "utf8").trim());
  });

  it("is read in the folder of sandbox.yaml, and may have its chain in the same file", async () => {
    const own = ownCa();
    const text = (file: string) => readFileSync(file, "utf8");
    const files = { "all.pem": text(own.certificate) + text(own.chain), "k.pem": text(own.key) };
    const { server } = await configured("serverCertificate: all.pem\nserverKey: k.pem\n", { files });
    expect(splitPem(server?.certPem ?? "")).toHaveLength(2);
    expect((await configured("{}")).server).toBeUndefined();
  });

  const misfits: Readonly<Record<string, readonly [flags: (own: OwnCa) => object, message: RegExp]>> = {
    "no key": [() => ({ serverKey: undefined }), /server's certificate needs its key: give --server-key/],
    "no certificate": [() => ({ serverCertificate: undefined }), /need its certificate: give --server-certificate/],
    "no file": [() => ({ serverChain: "gone.pem" }), /The file gone\.pem cannot be read/],
    "another key": [
      ({ issue }) => ({ serverKey: issue("another", `subjectAltName=DNS:localhost\n${usage}`).key }),
      /The certificate in .*server\.pem cannot be used with the key in .*another\.key: key values mismatch\./,
    ],
    "a key with a password": [
      ({ key, folder }) => {
        execFileSync(
          "openssl",
          ["ec", "-in", key, "-aes128", "-passout", "pass:x", "-out", join(folder, "locked.key")],
          {
            stdio: "pipe",
          },
        );
        return { serverKey: join(folder, "locked.key") };
      },
      /cannot be used with the key in .*locked\.key: .*PEM, without a password/,
    ],
    "no certificate in the file": [({ key }) => ({ serverCertificate: key }), /server\.key has no certificate in PEM/],
    "no root": [
      ({ folder }) => ({ serverChain: join(folder, "issuer.pem") }),
      /has no root: CN=TeamRoot, the issuer of CN=issuer, is missing\. Put it into .*issuer\.pem/,
    ],
    "no chain": [
      () => ({ serverChain: undefined }),
      /has no root: CN=issuer, the issuer of CN=server, is missing\. Put it into a file for --server-chain/,
    ],
    "an issuer that is no CA": [
      (own) => otherIssuer(own, "basicConstraints=critical,CA:false"),
      /In the chain of .*server\.pem, CN=issuer, the issuer of CN=server, is no CA: it needs basicConstraints with CA:TRUE/,
    ],
    "an issuer that may not sign": [
      (own) => otherIssuer(own, "basicConstraints=critical,CA:true\nkeyUsage=critical,digitalSignature"),
      /In the chain of .*server\.pem, CN=issuer, the issuer of CN=server, is no CA: .* keyCertSign in its keyUsage/,
    ],
    "another name": [
      ({ issue }) => pair(issue("named", `subjectAltName=DNS:example.test\n${usage}`)),
      /named\.pem is not for localhost; its subject alternative names: DNS:example\.test\./,
    ],
    "a common name alone": [
      ({ issue }) => pair(issue("localhost", usage)),
      /localhost\.pem is not for localhost; its subject alternative names: none\./,
    ],
    "a configured name": [
      () => ({ hostnames: ["pay.test"] }),
      /is not for pay\.test; its subject alternative names: DNS:localhost/,
    ],
    "a public URL": [() => ({ publicUrl: "https://other.test:1" }), /is not for other\.test/],
    "a certificate of a client": [
      ({ issue }) => pair(issue("client", "subjectAltName=DNS:localhost\nextendedKeyUsage=clientAuth")),
      /client\.pem may not be used by a server: its extended key usage lacks serverAuth/,
    ],
    "a short key": [
      ({ folder, issue }) => {
        const short = issue("short", `subjectAltName=DNS:localhost\n${usage}`, "-force_pubkey", shortKey(folder));
        return { serverCertificate: short.certificate, serverKey: join(folder, "rsa.key") };
      },
      /short\.pem cannot be used with the key in .*rsa\.key: ee key too small\./,
    ],
    "no key in the file": [({ root }) => ({ serverKey: root }), /cannot be used with the key in .*root\.pem: /],
    "an expired certificate": [
      ({ issue }) => pair(issue("old", `subjectAltName=DNS:localhost\n${usage}`, "-days", "-1")),
      /old\.pem (expired on|is not valid before)/,
    ],
  };

  /** The issuer again, with the same key and other extensions. */
  function otherIssuer({ folder }: OwnCa, extensions: string): object {
    writeFileSync(join(folder, "other.ext"), extensions);
    const words = "x509 -req -in issuer.csr -CA root.pem -CAkey root.key -CAcreateserial -days 30 -extfile other.ext";
    execFileSync("openssl", [...words.split(" "), "-out", "other.pem"], { cwd: folder, stdio: "pipe" });
    execFileSync("sh", ["-c", "cat other.pem root.pem > other-chain.pem"], { cwd: folder });
    return { serverChain: join(folder, "other-chain.pem") };
  }

  function shortKey(folder: string): string {
    const openssl = (words: string) => execFileSync("openssl", words.split(" "), { cwd: folder, stdio: "pipe" });
    openssl("genrsa -out rsa.key 1024");
    openssl("rsa -in rsa.key -pubout -out rsa.pub");
    return join(folder, "rsa.pub");
  }

  const pair = ({ certificate, key }: { certificate: string; key: string }) => ({
    serverCertificate: certificate,
    serverKey: key,
  });

  it.each(Object.entries(misfits))("refuses what does not fit, by name: %s", async (_name, [change, message]) => {
    const own = ownCa();
    const read = configured("{}", { flags: { ...flagsOf(own), ...change(own) } });
    await expect(read).rejects.toThrow(message);
    await read.catch((error: Error) => expect(error.message).not.toMatch(/PRIVATE KEY/));
  });

  it("a broken chain file is named", async () => {
    const own = ownCa();
    writeFileSync(own.chain, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    await expect(configured("{}", { flags: flagsOf(own) })).rejects.toThrow(/chain\.pem has no certificate in PEM/);
  });
});
