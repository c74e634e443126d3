import type { X509Certificate } from "node:crypto";

/** Whether a certificate names another as its issuer and is signed by its key. */
export function issued(issuer: X509Certificate, subject: X509Certificate): boolean {
  try {
    return subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
  } catch {
    // A key of a kind that OpenSSL cannot read.
    return false;
  }
}

/** A distinguished name on one line. OpenSSL puts each part on a line of its own; Node gives nothing for an empty name. */
export function nameLine(name: string | null | undefined): string {
  return (name ?? "").replaceAll("\n", ", ");
}
