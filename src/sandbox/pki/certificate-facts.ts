import { X509Certificate } from "node:crypto";
import { nameLine, splitPem, thumbprintOf } from "../../base/x509/certificate.js";
import type { RegisteredCertificate } from "../clients.js";

/** The thumbprint of a certificate in PEM form: the first one, if its chain follows. The form is not checked. */
export function thumbprintOfPem(certPem: string): string {
  const [leaf = ""] = splitPem(certPem);
  return thumbprintOf(Buffer.from(leaf.replace(/-----[^-]+-----/g, ""), "base64"));
}

/**
 * The facts of a certificate that a client is registered with.
 * @throws Error when the text is not a PEM certificate
 */
export function certificateFacts(certPem: string): RegisteredCertificate {
  const certificate = new X509Certificate(certPem);
  return {
    thumbprint: thumbprintOf(certificate.raw),
    subject: nameLine(certificate.subject),
    serialNumber: certificate.serialNumber,
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    pem: certificate.toString(),
  };
}
