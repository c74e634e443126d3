import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { pemOf, splitPem } from "../../base/x509/certificate.js";
import { readCertificate } from "../../base/x509/der.js";
import { bits, decode, encode, integer, objectId, sequence, time } from "./der.js";

/**
 * Certificates that stand for the names of issuers: a TLS server of Node names the subjects of the certificates in
 * `ca`, and only the name of a client's issuer may be known. Each is self-signed, and nobody has its key any more, so
 * it vouches for nothing.
 */
export class IssuerNames {
  readonly #known: Set<string>;

  /** @param caPem certificates whose names are sent anyway, PEM */
  constructor(caPem: string) {
    const subjects = splitPem(caPem).map((pem) => readCertificate(new X509Certificate(pem).raw)?.subject);
    this.#known = new Set(subjects.map((subject) => subject?.toString("hex") ?? ""));
  }

  /** A certificate that stands for the issuer of another one, PEM; undefined if its name is known, or cannot be read. */
  add(certPem: string): string | undefined {
    const issuer = readCertificate(new X509Certificate(certPem).raw)?.issuer;
    if (issuer === undefined || this.#known.has(issuer.toString("hex"))) return undefined;
    this.#known.add(issuer.toString("hex"));
    return namedAs(issuer);
  }
}

/** @param name an encoded distinguished name. Go compares names byte by byte */
function namedAs(name: Buffer): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const ecdsaWithSha256 = sequence(objectId("1.2.840.10045.4.3.2"));
  const [subject, validity] = [decode(name), sequence(time(0), time(Date.UTC(2049, 0)))];
  const key = decode(publicKey.export({ type: "spki", format: "der" }));
  const content = sequence(integer(1), ecdsaWithSha256, subject, validity, subject, key);
  const signature = sign("sha256", encode(content), privateKey);
  return pemOf(encode(sequence(content, ecdsaWithSha256, bits(signature))));
}
