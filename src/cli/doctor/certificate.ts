import type { X509Certificate } from "node:crypto";
import { day, hour } from "../../base/text/duration.js";
import { counted } from "../../base/text/numbers.js";
import { followChain, nameLine } from "../../base/x509/certificate.js";
import { authorityName } from "../../sandbox/pki/profiles.js";
import { permitsClientAuthentication } from "../../sandbox/tls/certificate-usage.js";
import { subjectOf } from "./files.js";
import type { DoctorReport } from "./report.js";
import type { Examination } from "./sandbox-view.js";

/**
 * The user is warned when less time than one of these is left, in milliseconds: renewals that people make take days.
 */
const warnings: readonly (readonly [left: number, fix: string])[] = [
  [5 * day, "Renew it now: an order that waits for people may take longer than that."],
  [15 * day, "Order the new one now, and see that your client reads its files again."],
  [30 * day, "Plan the renewal, and rehearse it: payments-sandbox rotate CLIENT."],
];

/** Judges the client's certificate by itself: dates and usage. */
export function judgeCertificate(leaf: X509Certificate, now: number, examination: Examination): void {
  judgeDates(leaf, now, examination);
  if (!permitsClientAuthentication(leaf.raw))
    examination.report.fail(
      "The certificate's (extended) key usage does not permit client authentication.",
      "Have it issued with extended key usage clientAuth, and key usage digitalSignature; a server's certificate is not suitable, and public CAs issue no other any more. .NET sends no certificate at all in place of it.",
    );
}

function judgeDates(leaf: X509Certificate, now: number, { report, sandbox }: Examination): void {
  const from = Date.parse(leaf.validFrom);
  const until = Date.parse(leaf.validTo);
  const fix = "Take one that is valid now: the sandbox renews those of its certs folder when it starts.";
  const near = warnings.find(([left]) => until - now < left);
  if (now > until) report.fail(`The certificate expired on ${date(until)}, ${span(now - until)} ago.`, fix);
  else if (now < from) report.fail(`The certificate is not valid before ${date(from)}, in ${span(from - now)}.`, fix);
  else if (near) report.warn(`The certificate expires on ${date(until)}, in ${span(until - now)}.`, near[1]);
  else report.pass(`The certificate is valid until ${date(until)}.`);

  const clock = sandbox?.movedClock;
  if (!clock || now > until || now < from) return;
  const there = Date.parse(clock.now);
  if (there >= from && there <= until) return;
  report.fail(
    `On the sandbox's clock, which is at ${clock.now}, the certificate ${there > until ? "has expired" : "is not valid yet"}.`,
    clock.fix,
  );
}

/** Looks for the CA that issued the client's certificate, directly or through other certificates of the same file. */
export function judgeIssuer(
  leaf: X509Certificate,
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  report: DoctorReport,
): void {
  const { last, anchor } = followChain(leaf, chain, authorities);
  const issuer = nameLine(last.issuer);
  if (anchor) report.pass(`The certificate was issued by ${subjectOf(anchor)}.`);
  else if (authorities.some(({ subject }) => subject === last.issuer))
    report.fail(
      "The certificate was issued by another CA with the same name: this CA did not sign it.",
      "Take certificate and ca.pem from one certs folder.",
    );
  else if (issuer.includes(authorityName))
    report.warn(
      `The certificate was issued by ${issuer}: another sandbox's CA, or an older one of this sandbox.`,
      "Take certificate and ca.pem from one certs folder; after --fresh-certs, take both again.",
    );
  else if (last.checkIssued(last))
    report.warn(
      `The certificate is ${last === leaf ? "self-signed" : `issued under ${issuer}`}, and not issued by the sandbox's CA.`,
      "That is enough if it is registered: the sandbox knows clients by the exact certificate. It is refused in the handshake if tls.clientCertificate is require.",
    );
  else
    report.warn(
      `The chain is not complete: the certificate was issued by ${issuer}, which is neither in the file nor the sandbox's CA.`,
      "Servers that check the chain need it: append the issuer's certificate to the file. The sandbox knows clients by the exact certificate, and needs it only if tls.clientCertificate is require.",
    );
}

/**
 * An instant to the minute.
 * @param at milliseconds since the epoch, or a date as Node's `X509Certificate` writes it
 */
export function date(at: number | string): string {
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return "an unreadable date";
  return `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function span(milliseconds: number): string {
  if (milliseconds >= day) return counted(Math.floor(milliseconds / day), "day");
  return milliseconds >= hour ? counted(Math.floor(milliseconds / hour), "hour") : "less than an hour";
}
