import { createHash, X509Certificate } from "node:crypto";
import { contentOf, extensionIds, readCertificate, readElements, tags } from "./der.js";

/** Whether a certificate names another as its issuer and is signed by its key. */
export function issued(issuer: X509Certificate, subject: X509Certificate): boolean {
  return subject.checkIssued(issuer) && signed(issuer, subject);
}

/** Whether the key of a certificate has signed another one, whether or not it may. */
export function signed(issuer: X509Certificate, subject: X509Certificate): boolean {
  try {
    return subject.verify(issuer.publicKey);
  } catch {
    // OpenSSL cannot read this kind of key.
    return false;
  }
}

/** Where a chain ends. */
export interface ChainEnd {
  /** The last certificate before the trusted one, or before the one that is missing. */
  readonly last: X509Certificate;
  /** The trusted certificate; undefined if the chain does not reach one. */
  readonly anchor: X509Certificate | undefined;
}

/**
 * Follows a chain up to a trusted certificate: RFC 5280 §6.1, but only names, signatures and the right to issue.
 * @param intermediates in any order
 */
export function followChain(
  leaf: X509Certificate,
  intermediates: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): ChainEnd {
  const unused = new Set(intermediates);
  for (let last = leaf; ; ) {
    const current = last;
    const hasIssued = (candidate: X509Certificate) => candidate.ca && issued(candidate, current);
    // A client's certificate may itself be in the list of trusted ones.
    const anchor = trusted.find((candidate) => candidate.raw.equals(current.raw) || hasIssued(candidate));
    const next = anchor ? undefined : [...unused].find(hasIssued);
    if (next === undefined) return { last, anchor };
    unused.delete(next);
    last = next;
  }
}

/** The certificates of a PEM text, each by itself; the text, if there is none. */
export function splitPem(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text];
}

/**
 * The text of a certificate (RFC 7468 §5), with its final line feed.
 * @param der the certificate in DER form, not checked
 */
export function pemOf(der: Uint8Array): string {
  const text = Buffer.from(der).toString("base64");
  return ["-----BEGIN CERTIFICATE-----", ...(text.match(/.{1,64}/g) ?? []), "-----END CERTIFICATE-----", ""].join("\n");
}

/** A distinguished name on one line. OpenSSL puts each part on its own line; Node has no text for an empty name. */
export function nameLine(name: string | null | undefined): string {
  return (name ?? "").replaceAll("\n", ", ");
}

/**
 * The thumbprint of a certificate (RFC 8705 §3.1: `x5t#S256`).
 * @param der the certificate in DER form, not checked
 */
export function thumbprintOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("base64url");
}

/**
 * Whether a CA may issue another one: its path length (RFC 5280 §4.2.1.9) is absent, or not 0.
 * @throws Error when the text is not a PEM certificate
 */
export function permitsIntermediate(certPem: string): boolean {
  const constraints = readCertificate(new X509Certificate(certPem).raw)?.extensions.get(extensionIds.basicConstraints);
  const pathLength = readElements(contentOf(constraints, tags.sequence))?.find(({ tag }) => tag === tags.integer);
  return pathLength === undefined || pathLength.content.some((byte) => byte !== 0);
}
