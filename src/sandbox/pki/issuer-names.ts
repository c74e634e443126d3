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
  readonly #sentAnyway: Set<string>;
  /** The encoded names of issuers, by the thumbprints of the certificates that they have issued. */
  readonly #issuers = new Map<string, string>();
  /** By the encoded names. */
  readonly #standIns = new Map<string, string>();

  /** @param caPem certificates whose names are sent anyway, PEM */
  constructor(caPem: string) {
    const subjects = splitPem(caPem).map((pem) => readCertificate(new X509Certificate(pem).raw)?.subject);
    this.#sentAnyway = new Set(subjects.map((subject) => subject?.toString("hex") ?? ""));
  }

  /**
   * Registers a certificate, or removes it.
   * @param certPem undefined if it is removed
   * @returns certificates that stand for the issuers of all that are registered, PEM; undefined if the issuers are those
   *   of before
   */
  change(thumbprint: string, certPem: string | undefined): string[] | undefined {
    const before = new Set(this.#issuers.values()).size;
    const issuer = certPem && readCertificate(new X509Certificate(certPem).raw)?.issuer?.toString("hex");
    if (!issuer) this.#issuers.delete(thumbprint);
    else if (!this.#sentAnyway.has(issuer)) this.#issuers.set(thumbprint, issuer);
    const issuers = new Set(this.#issuers.values());
    return issuers.size === before ? undefined : [...issuers].map((name) => this.#standInFor(name));
  }

  #standInFor(name: string): string {
    const standIn = this.#standIns.get(name) ?? namedAs(Buffer.from(name, "hex"));
    this.#standIns.set(name, standIn);
    return standIn;
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
