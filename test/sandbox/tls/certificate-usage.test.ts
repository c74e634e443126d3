import { expect, test } from "vitest";
import type * as der from "../../../src/sandbox/pki/der.js";
import { permitsClientAuthentication } from "../../../src/sandbox/tls/certificate-usage.js";
import { extendedKeyUsage, extension, issueCertificate, keyUsage, purpose } from "../../support/certificates.js";

const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";

function permits(...extensions: der.Der[]): boolean {
  return permitsClientAuthentication(issueCertificate({ commonName: "x", extensions }).x509.raw);
}

test.each([
  ["no extension that restricts it", [], true],
  ["clientAuth", [extendedKeyUsage(purpose.client)], true],
  ["clientAuth among others", [extendedKeyUsage(purpose.server, purpose.client)], true],
  ["anyExtendedKeyUsage", [extendedKeyUsage(purpose.any)], true],
  ["serverAuth only", [extendedKeyUsage(purpose.server)], false],
  ["an empty list of purposes", [extendedKeyUsage()], false],
  ["digitalSignature", [keyUsage(0x80)], true],
  ["digitalSignature among others", [keyUsage(0xa0), extendedKeyUsage(purpose.client)], true],
  ["keyEncipherment only", [keyUsage(0x20), extendedKeyUsage(purpose.client)], false],
  ["digitalSignature, but serverAuth", [keyUsage(0x80), extendedKeyUsage(purpose.server)], false],
  ["key usage twice", [keyUsage(0x80), keyUsage(0x80)], false],
  ["extended key usage twice", [extendedKeyUsage(purpose.server), extendedKeyUsage(purpose.client)], false],
  ["an empty key usage", [extension(KEY_USAGE, Buffer.of(3, 1, 0))], false],
  ["a key usage that is not a bit string", [extension(KEY_USAGE, Buffer.of(4, 2, 0, 0x80))], false],
  ["a key usage of endless length", [extension(KEY_USAGE, Buffer.of(3, 0x84, 0xff, 0xff, 0xff, 0xff))], false],
  ["an extended key usage of indefinite length", [extension(EXTENDED_KEY_USAGE, Buffer.of(0x30, 0x80, 0, 0))], false],
  ["an extended key usage that is cut off", [extension(EXTENDED_KEY_USAGE, Buffer.of(0x30, 9, 6, 8, 43))], false],
])("%s", (_name, extensions, expected) => {
  expect(permits(...extensions)).toBe(expected);
});

test("a certificate that is truncated or altered anywhere never causes an exception", () => {
  const { raw } = issueCertificate({
    commonName: "x",
    extensions: [keyUsage(0x80), extendedKeyUsage(purpose.client)],
  }).x509;
  expect(permitsClientAuthentication(raw)).toBe(true);
  for (let at = 0; at < raw.length; at++) {
    expect(permitsClientAuthentication(raw.subarray(0, at))).toBe(false);
    for (const value of [0x00, 0x30, 0x7f, 0x80, 0x84, 0xff]) {
      const altered = Buffer.from(raw);
      altered[at] = value;
      permitsClientAuthentication(altered);
    }
  }
});
