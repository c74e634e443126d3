import { createHash, X509Certificate } from "node:crypto";
import type { RegisteredCertificate } from "../clients.js";
import { nameLine } from "../x509/certificate.js";

/** The facts of a certificate that a client is registered with. @throws Error when the text is not a PEM certificate */
export function certificateFacts(certPem: string): RegisteredCertificate {
  const certificate = new X509Certificate(certPem);
  return {
    // RFC 8705 §3.1: `x5t#S256`.
    thumbprint: createHash("sha256").update(certificate.raw).digest("base64url"),
    subject: nameLine(certificate.subject),
    serialNumber: certificate.serialNumber,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    pem: certificate.toString(),
  };
}
