import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { splitPem } from "../../../src/base/x509/certificate.js";
import { newAuthority } from "../../../src/sandbox/pki/authority.js";
import { encode, objectId, sequence, set, utf8 } from "../../../src/sandbox/pki/der.js";
import { generateKeys } from "../../../src/sandbox/pki/keys.js";
import { issueCertificate } from "../../support/certificates.js";
import { clinic, marked } from "./fixture.js";

const doctor = clinic();
const { certs, file, examine } = doctor;
const demo = { cert: certs("clients/demo/cert.pem"), key: certs("clients/demo/key.pem") };
const pem = (name: string) => readFileSync(certs(name), "utf8");

describe("the next CA", () => {
  it("is one of the sandbox's, from its announcement on", async () => {
    const before = file("ca-before.pem", pem("ca.pem"));
    await doctor.sandbox.announceNextCa();

    const announced = await examine(demo);
    expect(marked("✗", announced)).toEqual([]);
    expect(marked("!", announced)).toEqual([]);

    const old = await examine({ ...demo, ca: before });
    expect(marked("✗", old)).toEqual([]);
    expect(marked("!", old)).toEqual([
      expect.stringMatching(
        /^! The given CA file lacks .*CN=.*, which the sandbox has announced\.\n {2}→ .*curl -o ca\.pem/,
      ),
    ]);
  });

  it("issues certificates of clients after the cut, as the first one has", async () => {
    await doctor.sandbox.renewServerCertificate({ issuer: "next-ca" });
    await (await doctor.sandbox.client("demo")).rotate();
    for (const client of ["demo", "other"]) {
      const identity = { cert: certs(`clients/${client}/cert.pem`), key: certs(`clients/${client}/key.pem`) };
      const lines = await examine(identity);
      expect([...marked("✗", lines), ...marked("!", lines)]).toEqual([]);
      expect(lines).toContainEqual(expect.stringMatching(/^✓ The certificate was issued by .*CN=/));
    }
  });

  it("is the one that the server's certificate needs after the cut", async () => {
    const [first = "", next = ""] = splitPem(pem("ca.pem"));
    expect(marked("✗", await examine({ ...demo, ca: file("next.pem", next) }))).toEqual([]);
    const old = marked("✗", await examine({ ...demo, ca: file("first.pem", first) }));
    expect(old).toEqual([expect.stringContaining("The server's certificate is not trusted")]);
  });
});

it("says which clients refuse a CA of the sandbox that is strict, and nothing of the user's own", async () => {
  const [keys, now] = [await generateKeys("ec"), Date.now()];
  const strict = newAuthority({ keys, hostnames: [], constraints: "strict", now });
  const subject = encode(sequence(set(sequence(objectId("2.5.4.3"), utf8("Corp CA")))));
  const own = newAuthority({ keys, hostnames: [], constraints: "strict", now, subject });
  const says = (lines: readonly string[]) => lines.filter((line) => line.includes("BoringSSL"));
  expect(
    says(await examine({ ...demo, ca: file("strict.pem", pem("ca.pem") + own.certPem + strict.certPem) })),
  ).toEqual([expect.stringMatching(/^✓ CA .*BoringSSL \(Bun\) and mbedTLS refuse .*--fresh-certs, and without/)]);
  expect(says(await examine({ ...demo, ca: file("own.pem", pem("ca.pem") + own.certPem) }))).toEqual([]);
  expect(says(await examine(demo))).toEqual([]);
});

describe("a file with several CAs", () => {
  const hour = 3_600_000;
  const ended = issueCertificate({ commonName: "Ended CA", ca: true, notAfter: Date.now() - hour });
  const another = issueCertificate({ commonName: "Another CA", ca: true });

  it("passes if one of them is the sandbox's, in any order", async () => {
    for (const [name, text] of [
      ["later.pem", another.cert + ended.cert + pem("ca.pem")],
      ["earlier.pem", pem("ca.pem") + another.cert],
    ] as const) {
      const lines = await examine({ ...demo, ca: file(name, text) });
      expect(marked("✗", lines)).toEqual([]);
    }
  });

  it("has expired if all of them have", async () => {
    const lines = await examine({ ...demo, ca: file("ended.pem", ended.cert) });
    expect(marked("✗", lines)[0]).toMatch(/^✗ CA .*ended\.pem expired on /);
  });
});
