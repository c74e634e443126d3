import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { expect, it } from "vitest";
import { pemOf } from "../../../src/base/x509/certificate.js";

it("writes certificates as OpenSSL does", () => {
  expect(rootCertificates.length).toBeGreaterThan(100);
  for (const pem of rootCertificates) {
    const certificate = new X509Certificate(pem);
    expect(pemOf(certificate.raw)).toBe(certificate.toString());
  }
});
