import { createHash, X509Certificate } from "node:crypto";
import type { RegisteredCertificate } from "../clients.js";
import { nameLine } from "../x509/certificate.js";

/** The thumbprint of a certificate (RFC 8705 §3.1: `x5t#S256`). @param certPem one certificate in PEM form, not checked */
export function thumbprintOf(certPem: string): string {
  return digestOf(Buffer.from(certPem.replace(/-----[^-]+-----/g, ""), "base64"));
}

/** The facts of a certificate that a client is registered with. @throws Error when the text is not a PEM certificate */
export function certificateFacts(certPem: string): RegisteredCertificate {
  const certificate = new X509Certificate(certPem);
  return {
    thumbprint: digestOf(certificate.raw),
    subject: nameLine(certificate.subject),
    serialNumber: certificate.serialNumber,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    pem: certificate.toString(),
  };
}

function digestOf(certificate: Buffer): string {
  return createHash("sha256").update(certificate).digest("base64url");
}
