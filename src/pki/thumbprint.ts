import { createHash, X509Certificate } from "node:crypto";
import type { RegisteredCertificate } from "../clients.js";

/**
 * The `x5t#S256` of a certificate (RFC 8705 §3.1): base64url of the SHA-256 of its DER encoding.
 * @throws Error when the text is not a PEM certificate
 */
export function thumbprint(certPem: string): string {
  return certificateFacts(certPem).thumbprint;
}

/** The facts of a certificate that a client is registered with. @throws Error when the text is not a PEM certificate */
export function certificateFacts(certPem: string): RegisteredCertificate {
  const certificate = new X509Certificate(certPem);
  return {
    thumbprint: createHash("sha256").update(certificate.raw).digest("base64url"),
    subject: certificate.subject.replaceAll("\n", ", "),
    serialNumber: certificate.serialNumber,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    pem: certificate.toString(),
  };
}
