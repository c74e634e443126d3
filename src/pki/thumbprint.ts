import { createHash, X509Certificate } from "node:crypto";

/**
 * The `x5t#S256` of a certificate (RFC 8705 §3.1): base64url of the SHA-256 of its DER encoding.
 * @throws Error when the text is not a PEM certificate
 */
export function thumbprint(certPem: string): string {
  return createHash("sha256").update(new X509Certificate(certPem).raw).digest("base64url");
}
