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
  /** How many certificates of each issuer are registered, by the encoded names. */
  readonly #counts = new Map<string, number>();
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
    const before = this.#issuers.get(thumbprint);
    const issuer = certPem && readCertificate(new X509Certificate(certPem).raw)?.issuer?.toString("hex");
    const after = issuer && !this.#sentAnyway.has(issuer) ? issuer : undefined;
    if (before === after) return undefined;
    if (after === undefined) this.#issuers.delete(thumbprint);
    else this.#issuers.set(thumbprint, after);
    const isGone = before !== undefined && this.#count(before, -1) === 0;
    const isNew = after !== undefined && this.#count(after, 1) === 1;
    return isGone || isNew ? [...this.#counts.keys()].map((name) => this.#standInFor(name)) : undefined;
  }

  /** @returns how many certificates of an issuer are registered now */
  #count(issuer: string, by: 1 | -1): number {
    const count = (this.#counts.get(issuer) ?? 0) + by;
    if (count === 0) this.#counts.delete(issuer);
    else this.#counts.set(issuer, count);
    return count;
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
