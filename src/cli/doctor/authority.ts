import { X509Certificate } from "node:crypto";
import { displayPath } from "../../base/files/display-path.js";
import { date } from "./certificate.js";
import { readCertificates, roles, subjectOf } from "./files.js";
import type { Report } from "./report.js";
import type { Examination } from "./sandbox-view.js";

/** Reads the CAs that the client trusts from its file. */
export async function readAuthorities(path: string, now: number, report: Report): Promise<X509Certificate[]> {
  const certificates = await readCertificates(path, roles.ca, report);
  const [first] = certificates;
  const authority = certificates.find(({ ca }) => ca);
  const file = `CA ${displayPath(path)}`;
  if (!authority) {
    if (first)
      report.fail(
        `${file} is not the certificate of a CA: its subject is ${subjectOf(first)}.`,
        "Give ca.pem of the certs folder.",
      );
  } else if (Date.parse(authority.validTo) < now)
    report.fail(`${file} expired on ${date(authority.validTo)}.`, "Take the current ca.pem of the sandbox.");
  else report.pass(`${file}: ${subjectOf(authority)}.`);
  return certificates;
}

/**
 * Compares the client's CAs with the sandbox's CA.
 * @returns the CAs that the next checks use
 */
export function compareAuthorities(
  given: readonly X509Certificate[] | undefined,
  { report, sandbox }: Examination,
): readonly X509Certificate[] | undefined {
  if (!sandbox) return given;
  const own = new X509Certificate(sandbox.ca);
  const fetch = `curl -o ca.pem ${sandbox.admin.shown}/ca.pem`;
  if (given === undefined) {
    report.warn(
      "No CA was given; the sandbox's own is used from here on.",
      `Your client needs it: ca.pem of the certs folder, or ${fetch}`,
    );
    return [own];
  }
  // The file was not read, which has been reported.
  if (given.length === 0) return [own];
  const same = given.some(({ fingerprint256 }) => fingerprint256 === own.fingerprint256);
  if (!same)
    report.fail(
      `The given CA is not this sandbox's, which is ${subjectOf(own)}${given.some(({ subject }) => subject === own.subject) ? " with another key" : ""}.`,
      `A copy goes out of date when the certificates are made again (--fresh-certs). Take the current one: ${fetch}`,
    );
  return given;
}
