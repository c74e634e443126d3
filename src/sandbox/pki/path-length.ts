import { X509Certificate } from "node:crypto";
import { contentOf, extensionIds, readCertificate, readElements, tags } from "../../base/x509/der.js";

/**
 * Whether a CA may issue another one: its path length (RFC 5280 §4.2.1.9) is absent, or not 0.
 * @throws Error when the text is not a PEM certificate
 */
export function permitsIntermediate(certPem: string): boolean {
  const constraints = readCertificate(new X509Certificate(certPem).raw)?.extensions.get(extensionIds.basicConstraints);
  const pathLength = readElements(contentOf(constraints, tags.sequence))?.find(({ tag }) => tag === tags.integer);
  return pathLength === undefined || pathLength.content.some((byte) => byte !== 0);
}
