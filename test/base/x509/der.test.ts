import { expect, it } from "vitest";
import { contentOf, extensionIds, readCertificate, readElements, tags } from "../../../src/base/x509/der.js";
import * as writer from "../../../src/sandbox/pki/der.js";
import { authority, extendedKeyUsage, issueCertificate, name, purpose } from "../../support/certificates.js";

it.each([0, 1, 127, 128, 255, 256, 65_536])("reads a value of %d bytes, followed by another one", (length) => {
  const content = Buffer.alloc(length, 7);
  const first = writer.encode(writer.octets(content));
  const second = writer.encode(writer.nothing());
  expect(readElements(Buffer.concat([first, second]))).toEqual([
    { tag: tags.octetString, content, encoding: first },
    { tag: 0x05, content: Buffer.alloc(0), encoding: second },
  ]);
});

it.each([
  ["only a tag", [0x30]],
  ["a truncated value", [0x04, 2, 0]],
  ["a truncated length", [0x04, 0x82, 1]],
  ["an indefinite length", [0x30, 0x80, 0, 0]],
  ["a length of four bytes", [0x04, 0x84, 0, 0, 0, 0]],
])("%s is refused", (_name, bytes) => {
  expect(readElements(Buffer.from(bytes))).toBeUndefined();
});

it("the content of a value is returned only for its tag", () => {
  const value = writer.encode(writer.octets(Buffer.of(1)));
  expect(contentOf(value, tags.octetString)).toEqual(Buffer.of(1));
  expect(contentOf(value, tags.sequence)).toBeUndefined();
  expect(contentOf(Buffer.concat([value, value]), tags.octetString)).toBeUndefined();
});

it("a certificate has its subject and its extensions", () => {
  const extensions = [authority(), extendedKeyUsage(purpose.client)];
  const parts = readCertificate(issueCertificate({ commonName: "x", extensions }).x509.raw);
  expect(parts?.subject).toEqual(writer.encode(name("x")));
  expect([...(parts?.extensions.keys() ?? [])]).toEqual(["551d13", extensionIds.extendedKeyUsage]);
});
