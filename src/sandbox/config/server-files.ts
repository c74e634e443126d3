import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { issued, nameLine, signed, splitPem } from "../../base/x509/certificate.js";
import { systemClock } from "../clock.js";
import type { ServerFiles } from "./configuration.js";
import { type GivenSettings, SettingError } from "./settings.js";

/** The texts of the files. */
interface Texts {
  readonly certificate: string;
  readonly key: string;
  readonly chain: string | undefined;
}

type Paths = Pick<GivenSettings, "serverCertificate" | "serverKey" | "serverChain">;

const serverUsage = "1.3.6.1.5.5.7.3.1";

/** The security level 2 of OpenSSL, which clients have: no RSA key below 2,048 bits. */
const ciphers = "DEFAULT@SECLEVEL=2";

/**
 * Checks that a certificate of the user is one that a client can trust, so that it does not look like a defect.
 * @param names by which clients call the server
 * @throws SettingError for what does not fit
 */
export function checkServerFiles(
  { certificate, key, chain = "" }: Texts,
  names: readonly string[],
  paths: Paths,
): ServerFiles {
  const [leaf, ...others] = certificatesIn(certificate, "serverCertificate", paths);
  if (leaf === undefined) throw noCertificate("serverCertificate", paths);
  const issuers = chain === "" ? others : [...others, ...certificatesIn(chain, "serverChain", paths)];
  const wrong = (problem: string) =>
    new SettingError(`The certificate in ${paths.serverCertificate} ${problem}.`, "serverCertificate");
  try {
    createSecureContext({ cert: leaf.toString(), key, ciphers });
  } catch (error) {
    // The key is a secret: OpenSSL's reason does not repeat it.
    const { reason, message } = error as Error & { reason?: string };
    throw wrong(
      `cannot be used with the key in ${paths.serverKey}: ${reason ?? message}. Give its own key, PEM, without a password`,
    );
  }
  const isFor = (name: string) =>
    // Some clients would take the common name, as the sandbox's own defect of this name shows (RFC 9525 §6.3).
    (isIP(name) ? leaf.checkIP(name) : leaf.checkHost(name, { subject: "never" })) !== undefined;
  const missing = names.find((name) => !isFor(name));
  if (missing !== undefined)
    throw wrong(`is not for ${missing}; its subject alternative names: ${leaf.subjectAltName ?? "none"}`);
  // Node calls the extended key usage so. Without one, every use is permitted.
  if (leaf.keyUsage !== undefined && !leaf.keyUsage.includes(serverUsage))
    throw wrong("may not be used by a server: its extended key usage lacks serverAuth");
  const path = pathOf(leaf, issuers, paths);
  for (const each of path) {
    const [begin, end, now] = [Date.parse(each.validFrom), Date.parse(each.validTo), systemClock.now()];
    if (begin <= now && now <= end) continue;
    const which = each === leaf ? "" : `has an issuer, ${nameLine(each.subject)}, that `;
    throw wrong(`${which}${now > end ? `expired on ${each.validTo}` : `is not valid before ${each.validFrom}`}`);
  }
  const pems = path.map((each) => each.toString());
  const rootPem = pems.at(-1) ?? "";
  const certPem = (pems.length === 1 ? pems : pems.slice(0, -1)).join("");
  return { certPem, keyPem: key, rootPem };
}

function certificatesIn(text: string, name: keyof Paths, paths: Paths): X509Certificate[] {
  try {
    return splitPem(text).map((pem) => new X509Certificate(pem));
  } catch {
    throw noCertificate(name, paths);
  }
}

function noCertificate(name: keyof Paths, paths: Paths): SettingError {
  return new SettingError(`The file ${paths[name]} has no certificate in PEM that can be read.`, name);
}

/** From the certificate to its root. */
function pathOf(leaf: X509Certificate, issuers: readonly X509Certificate[], paths: Paths): X509Certificate[] {
  const path = [leaf];
  for (let last = leaf; !issued(last, last); ) {
    const current = last;
    const next = issuers.find((candidate) => !path.includes(candidate) && candidate.ca && issued(candidate, current));
    if (next === undefined) {
      const names = `${nameLine(current.issuer)}, the issuer of ${nameLine(current.subject)},`;
      if (issuers.some((candidate) => candidate.subject === current.issuer && signed(candidate, current)))
        throw new SettingError(
          `In the chain of ${paths.serverCertificate}, ${names} is no CA: it needs basicConstraints with CA:TRUE, and keyCertSign in its keyUsage. Have it issued again.`,
          "serverChain",
        );
      const place = paths.serverChain ?? "a file for --server-chain";
      throw new SettingError(
        `The chain of ${paths.serverCertificate} has no root: ${names} is missing. Put it into ${place}.`,
        "serverChain",
      );
    }
    path.push(next);
    last = next;
  }
  return path;
}
