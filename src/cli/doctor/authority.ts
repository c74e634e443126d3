import { X509Certificate } from "node:crypto";
import { displayPath } from "../display-path.js";
import { date } from "./certificate.js";
import { readPem, roles } from "./files.js";
import { parsed, subjectOf } from "./identity.js";
import type { Report } from "./report.js";
import type { SandboxView } from "./sandbox-view.js";

/** The CAs that the client trusts: those of its file. Says what is wrong with the file; undefined where none was given. */
export async function readAuthorities(
  path: string | undefined,
  now: number,
  report: Report,
): Promise<readonly X509Certificate[] | undefined> {
  if (path === undefined) return undefined;
  const certificates = parsed(await readPem(path, roles.ca, report), path, roles.ca.name, report);
  const [first] = certificates;
  if (!first) return [];
  const authority = certificates.find(({ ca }) => ca);
  if (!authority)
    report.bad(
      `CA ${displayPath(path)} is not the certificate of a CA: its subject is ${subjectOf(first)}.`,
      "Give ca.pem of the certs folder.",
    );
  else if (Date.parse(authority.validTo) < now)
    report.bad(
      `CA ${displayPath(path)} expired on ${date(Date.parse(authority.validTo))}.`,
      "Take the present ca.pem of the sandbox.",
    );
  else report.good(`CA ${displayPath(path)}: ${subjectOf(authority)}.`);
  return certificates;
}

/** Compares the client's CAs with the sandbox's. @returns those to go on with */
export function compareAuthorities(
  given: readonly X509Certificate[] | undefined,
  sandbox: SandboxView | undefined,
  report: Report,
): readonly X509Certificate[] | undefined {
  if (!sandbox) return given;
  const own = new X509Certificate(sandbox.ca);
  const fetch = `curl -o ca.pem ${sandbox.admin.url}/ca.pem`;
  if (given === undefined) {
    report.warn(
      "No CA was given; the sandbox's own is used from here on.",
      `Your client needs it: ca.pem of the certs folder, or ${fetch}`,
    );
    return [own];
  }
  const same = given.some(({ fingerprint256 }) => fingerprint256 === own.fingerprint256);
  if (!same && given.length > 0)
    report.bad(
      `The given CA is not this sandbox's, which is ${subjectOf(own)}${given.some((authority) => subjectOf(authority) === subjectOf(own)) ? " with another key" : ""}.`,
      `A copy goes out of date when the certificates are made anew (--fresh-certs). Take the present one: ${fetch}`,
    );
  return given;
}
