import { contentOf, extensionIds, readCertificate, readElements, tags } from "../../base/x509/der.js";

/** clientAuth and anyExtendedKeyUsage: the content of their object identifiers, in hexadecimal. */
const clientPurposes = ["2b06010505070302", "551d2500"];

/**
 * Whether a certificate may be used by a TLS client: extended key usage absent, clientAuth or anyExtendedKeyUsage (RFC
 * 5280 §4.2.1.12), and key usage absent or with digitalSignature (§4.2.1.3, RFC 8446 §4.4.2.2). Node does not show the
 * key usage, so the DER encoding is read. What cannot be read permits nothing. Never throws.
 */
export function permitsClientAuthentication(der: Buffer): boolean {
  const extensions = readCertificate(der)?.extensions;
  if (extensions === undefined) return false;
  const usage = extensions.get(extensionIds.keyUsage);
  const purposes = extensions.get(extensionIds.extendedKeyUsage);
  return (usage === undefined || allowsSigning(usage)) && (purposes === undefined || allowsClients(purposes));
}

function allowsSigning(usage: Buffer): boolean {
  const digitalSignature = 0x80;
  // The first byte counts the unused bits at the end.
  const [, bits = 0] = contentOf(usage, tags.bitString) ?? [];
  return (bits & digitalSignature) !== 0;
}

function allowsClients(purposes: Buffer): boolean {
  const list = readElements(contentOf(purposes, tags.sequence)) ?? [];
  return list.some(
    ({ tag, content }) => tag === tags.objectIdentifier && clientPurposes.includes(content.toString("hex")),
  );
}
