import type { X509Certificate } from "node:crypto";
import { authorityName } from "../../pki/profiles.js";
import { day, hour } from "../../text/duration.js";
import { permitsClientAuthentication } from "../../tls/certificate-usage.js";
import { type Identity, subjectOf } from "./identity.js";
import type { Report } from "./report.js";
import type { SandboxView } from "./sandbox-view.js";

/** Less than this, and it is said: somebody is about to wonder. */
const soon = 14 * day;

/** Judges the client's certificate by itself: dates, usage, issuer. */
export function judgeCertificate(
  { leaf, chain }: Identity,
  authorities: readonly X509Certificate[],
  now: number,
  sandbox: SandboxView | undefined,
  report: Report,
): void {
  if (!leaf) return;
  judgeDates(leaf, now, sandbox, report);
  if (!permitsClientAuthentication(leaf.raw))
    report.bad(
      "The certificate's (extended) key usage does not permit client authentication.",
      "Have it issued with extended key usage clientAuth, and key usage digitalSignature; a server's certificate will not do.",
    );
  if (authorities.length > 0) judgeIssuer(leaf, chain, authorities, report);
}

function judgeDates(leaf: X509Certificate, now: number, sandbox: SandboxView | undefined, report: Report): void {
  const from = Date.parse(leaf.validFrom);
  const until = Date.parse(leaf.validTo);
  const anew = "Take one that is valid now: the sandbox renews those of its certs folder when it starts.";
  if (now > until) report.bad(`The certificate expired on ${date(until)}, ${ago(now - until)} ago.`, anew);
  else if (now < from) report.bad(`The certificate is not valid before ${date(from)}, in ${ago(from - now)}.`, anew);
  else if (until - now < soon) report.warn(`The certificate expires on ${date(until)}, in ${ago(until - now)}.`, anew);
  else report.good(`The certificate is valid until ${date(until)}.`);

  const clock = sandbox?.movedClock;
  if (!clock || now > until || now < from) return;
  const there = Date.parse(clock.now);
  if (there >= from && there <= until) return;
  report.bad(
    `On the sandbox's clock, which stands at ${clock.now}, the certificate ${there > until ? "has expired" : "is not valid yet"}.`,
    clock.mend,
  );
}

function judgeIssuer(
  leaf: X509Certificate,
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  report: Report,
): void {
  let last = leaf;
  // Each certificate of the file vouches for at most one other, so that there are no more steps than certificates.
  for (const _step of chain) {
    if (authorities.some((authority) => issued(authority, last))) break;
    const next = chain.find((candidate) => issued(candidate, last));
    if (!next) break;
    last = next;
  }
  const vouching = authorities.find((authority) => issued(authority, last));
  if (vouching) {
    report.good(`The certificate was issued by ${subjectOf(vouching)}.`);
    return;
  }
  if (authorities.some(({ subject }) => subject === last.issuer)) {
    report.bad(
      "The certificate was issued by another CA of the same name: its signature is not this one's.",
      "Take certificate and ca.pem from one certs folder.",
    );
    return;
  }
  const issuer = last.issuer.replaceAll("\n", ", ");
  if (issuer.includes(authorityName)) {
    report.warn(
      `The certificate was issued by ${issuer}: another sandbox's CA, or an older one of this sandbox.`,
      "Take certificate and ca.pem from one certs folder; after --fresh-certs, take both anew.",
    );
    return;
  }
  if (last.checkIssued(last)) {
    report.warn(
      `The certificate is ${last === leaf ? "self-signed" : `vouched for by ${issuer}`}, and not issued by the sandbox's CA.`,
      "That will do where it is registered: the sandbox knows clients by the exact certificate. It is refused in the handshake where tls.clientCertificate is require.",
    );
    return;
  }
  report.warn(
    `The chain is not complete: the certificate was issued by ${issuer}, which is neither in the file nor the sandbox's CA.`,
    "Servers that check the chain need it: append the issuer's certificate to the file. The sandbox knows clients by the exact certificate, and needs it only where tls.clientCertificate is require.",
  );
}

function issued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** An instant, as people write it, to the minute. */
export function date(at: number): string {
  return Number.isNaN(at) ? "an unreadable date" : `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function ago(span: number): string {
  const days = Math.floor(span / day);
  if (days > 0) return `${days} day${days === 1 ? "" : "s"}`;
  const hours = Math.floor(span / hour);
  return hours > 0 ? `${hours} hour${hours === 1 ? "" : "s"}` : "less than an hour";
}
