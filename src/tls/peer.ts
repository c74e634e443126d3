import { createHash, X509Certificate } from "node:crypto";
import { type CertificatePeer, noPeer, type Peer, type PeerCertificate } from "../connection/peer.js";
import { printable } from "../text/printable.js";
import { issued, nameLine } from "../x509/certificate.js";
import { permitsClientAuthentication } from "./certificate-usage.js";

/** Peers remembered, so that a handshake of a known client costs one hash and no parsing. About 4 KiB each. */
const MAX_REMEMBERED = 1_024;
/** Larger certificates are judged each time: only an attacker has them, who would fill the memory with them. */
const MAX_REMEMBERED_BYTES = 16 * 1_024;
/** Intermediate certificates that are looked at, of those that the client sent. Real chains have one or two. */
const MAX_INTERMEDIATES = 5;

/** Outside these a `Date` does not exist; an unreadable date makes a certificate that is valid at no time. */
const END_OF_TIME = 8.64e15;

type Verdict = Pick<CertificatePeer, "chain" | "chainReason">;

/** What was found for a certificate's issuer: a trusted CA that signed it, one of that name that did not, or none. */
type AnchorSearch = "found" | "other-key" | "none";

const trusted: Verdict = { chain: "trusted", chainReason: "" };

/**
 * Judges the certificates of clients, except for their dates, which each request judges on the sandbox's clock. OpenSSL's own verdict
 * (`authorized`) is not used: it is wrong on resumed sessions, depends on the machine's clock, and gives no reason.
 */
export class PeerJudge {
  readonly #anchors: readonly X509Certificate[];
  readonly #remembered = new Map<string, CertificatePeer>();

  /** @param trustedCas PEM, each with one or more certificates. Throws where one cannot be read. */
  constructor(trustedCas: readonly string[]) {
    this.#anchors = trustedCas.flatMap(splitPem).map((pem) => new X509Certificate(pem));
  }

  /** @param leaf the certificate that was presented, linked to the others that came with it by `issuerCertificate`. */
  judge(leaf: X509Certificate | undefined): Peer {
    if (leaf === undefined) return noPeer;
    const der = leaf.raw;
    const thumbprint = createHash("sha256").update(der).digest("base64url");
    const intermediates = readIntermediates(leaf);
    // The verdict depends on the intermediates, too: a client may send them on one connection and not on the next.
    const key = intermediates.reduce((joined, certificate) => `${joined} ${certificate.fingerprint256}`, thumbprint);
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;

    const peer: CertificatePeer = {
      kind: "certificate",
      certificate: describe(leaf, der, thumbprint),
      ...this.#judgeChain(leaf, intermediates),
    };
    if (der.length <= MAX_REMEMBERED_BYTES) this.#remember(key, peer);
    return peer;
  }

  #remember(key: string, peer: CertificatePeer): void {
    if (this.#remembered.size >= MAX_REMEMBERED) {
      const [oldest = ""] = this.#remembered.keys();
      this.#remembered.delete(oldest);
    }
    this.#remembered.set(key, peer);
  }

  /** RFC 5280 §6.1 as far as a sandbox needs it: names, signatures and the right to issue, from the leaf up to a trusted CA. */
  #judgeChain(leaf: X509Certificate, intermediates: readonly X509Certificate[]): Verdict {
    const unused = new Set(intermediates);
    let current = leaf;
    for (;;) {
      const anchor = this.#findAnchor(current);
      if (anchor === "found") return trusted;
      const next = [...unused].find((candidate) => candidate.ca && issued(candidate, current));
      if (next === undefined) return { chain: "untrusted", chainReason: explain(leaf, current, anchor) };
      unused.delete(next);
      current = next;
    }
  }

  #findAnchor(certificate: X509Certificate): AnchorSearch {
    let result: AnchorSearch = "none";
    for (const anchor of this.#anchors) {
      // A self-signed client certificate that is itself in the list of trusted ones.
      if (anchor.raw.equals(certificate.raw)) return "found";
      if (!anchor.ca || anchor.subject !== certificate.issuer) continue;
      if (issued(anchor, certificate)) return "found";
      result = "other-key";
    }
    return result;
  }
}

function explain(leaf: X509Certificate, last: X509Certificate, anchor: AnchorSearch): string {
  const issuer = readName(last.issuer);
  if (anchor === "other-key")
    return `It names ${issuer} as its issuer, but was not signed by the trusted CA of that name.`;
  if (leaf === last && leaf.subject === leaf.issuer)
    return "It is self-signed, and not among the trusted certificates.";
  return `Its issuer, ${issuer}, is not among the trusted CAs.`;
}

function readIntermediates(leaf: X509Certificate): X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (found.push(next) === MAX_INTERMEDIATES) break;
  }
  return found;
}

function describe(leaf: X509Certificate, der: Buffer, thumbprint: string): PeerCertificate {
  return {
    thumbprint,
    subject: readName(leaf.subject),
    issuer: readName(leaf.issuer),
    serialNumber: leaf.serialNumber,
    notBefore: readDate(leaf.validFrom, END_OF_TIME),
    notAfter: readDate(leaf.validTo, -END_OF_TIME),
    clientUsage: permitsClientAuthentication(der),
    pem: leaf.toString(),
  };
}

/** Most of a subject or issuer that is kept, in characters. */
const longestSubject = 512;

function readName(name: string | null): string {
  return printable(nameLine(name), longestSubject);
}

function readDate(text: string, whenUnreadable: number): number {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? whenUnreadable : instant;
}

function splitPem(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [text];
}
