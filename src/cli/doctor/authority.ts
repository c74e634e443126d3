import type { X509Certificate } from "node:crypto";
import { displayPath } from "../../base/files/display-path.js";
import { constraintsFormOf } from "../../sandbox/pki/name-constraints.js";
import { organization } from "../../sandbox/pki/profiles.js";
import { date } from "./certificate.js";
import { readCertificates, roles, subjectOf } from "./files.js";
import type { DoctorReport } from "./report.js";
import type { Examination } from "./sandbox-view.js";

/** Reads the CAs that the client trusts from its file. */
export async function readAuthorities(path: string, now: number, report: DoctorReport): Promise<X509Certificate[]> {
  const certificates = await readCertificates(path, roles.ca, report);
  const [first] = certificates;
  const authorities = certificates.filter(({ ca }) => ca);
  const valid = authorities.filter(({ validTo }) => Date.parse(validTo) >= now);
  const [ended] = authorities;
  const file = `CA ${displayPath(path)}`;
  if (!ended) {
    if (first)
      report.fail(
        `${file} is not the certificate of a CA: its subject is ${subjectOf(first)}.`,
        "Give ca.pem of the certs folder.",
      );
  } else if (valid.length === 0)
    report.fail(`${file} expired on ${date(ended.validTo)}.`, "Take the current ca.pem of the sandbox.");
  else report.pass(`${file}: ${valid.map(subjectOf).join(" and ")}.${strictnessOf(valid)}`);
  return certificates;
}

/** Some clients cannot use a CA of the sandbox that is strict, and say nothing that explains it. */
function strictnessOf(authorities: readonly X509Certificate[]): string {
  const strict = authorities.find(
    (authority) =>
      authority.subject.includes(`O=${organization}`) &&
      constraintsFormOf({ certPem: authority.toString() }) === "strict",
  );
  if (!strict) return "";
  return ` Clients on BoringSSL (Bun) and mbedTLS refuse the name constraints of ${subjectOf(strict)}: for these, start the sandbox with --fresh-certs, and without tls.nameConstraints: strict.`;
}

/**
 * Compares the client's CAs with those of the sandbox.
 * @returns the CAs that the next checks use
 */
export function compareAuthorities(
  given: readonly X509Certificate[] | undefined,
  { report, sandbox }: Examination,
): readonly X509Certificate[] | undefined {
  if (!sandbox) return given;
  const own = sandbox.authorities;
  const fetch = `curl -o ca.pem ${sandbox.admin.shown}/ca.pem`;
  if (given === undefined) {
    report.warn(
      "No CA was given; the sandbox's own is used from here on.",
      `Your client needs it: ca.pem of the certs folder, or ${fetch}`,
    );
    return own;
  }
  // The file was not read, which has been reported.
  if (given.length === 0) return own;
  const missing = own.filter((one) => !given.some(({ fingerprint256 }) => fingerprint256 === one.fingerprint256));
  const names = missing.map(subjectOf).join(" and ");
  if (missing.length === own.length)
    report.fail(
      `The given CA is not this sandbox's, which is ${names}${given.some(({ subject }) => own.some((one) => one.subject === subject)) ? " with another key" : ""}.`,
      `A copy goes out of date when the certificates are made again (--fresh-certs). Take the current one: ${fetch}`,
    );
  else if (missing.length > 0)
    report.warn(
      `The given CA file lacks ${names}, which the sandbox has announced.`,
      `Load the file again, with all of its certificates, before the server changes its CA: ${fetch}`,
    );
  return given;
}
