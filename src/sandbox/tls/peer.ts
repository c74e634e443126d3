import { X509Certificate } from "node:crypto";
import type { PeerCertificate as PeerCertificateOfNode, TLSSocket } from "node:tls";
import { remember } from "../../base/remember.js";
import { printable } from "../../base/text/printable.js";
import { issued, nameLine, splitPem, thumbprintOf } from "../../base/x509/certificate.js";
import { type CertificatePeer, noPeer, type Peer, type PeerCertificate } from "../connection/peer.js";
import { permitsClientAuthentication } from "./certificate-usage.js";

/** Peers remembered, so that a handshake of a known client costs one hash and no parsing. About 4 KiB each. */
const MAX_REMEMBERED = 1_024;
/** Larger certificates are judged each time: only an attacker sends them, to fill the memory. */
const MAX_REMEMBERED_BYTES = 16 * 1_024;
/** How many of the issuers that the client sent are read. Real chains have one or two. */
const MAX_ISSUERS = 5;

/**
 * A `Date` cannot be later than this, or earlier than its negative. A certificate with an unreadable date is never
 * valid.
 */
const END_OF_TIME = 8.64e15;

type Verdict = Pick<CertificatePeer, "chain" | "chainReason">;

/** What was found for a certificate's issuer: a trusted CA that signed it, one of that name that did not, or none. */
type AnchorSearch = "found" | "other-key" | "none";

const trusted: Verdict = { chain: "trusted", chainReason: "" };

/** What a client presented in the handshake. */
export interface Presented {
  /** DER of its certificate; undefined if it presented none. */
  readonly own: Buffer | undefined;
  /** The other certificates that it sent, as far as each is the issuer of the one before. */
  issuers(): readonly X509Certificate[];
}

/**
 * Reads what a client presented. `getPeerX509Certificate()` is called only for issuers: its object keeps several
 * kilobytes of OpenSSL's memory until V8 collects it. To V8 the object looks small, so this happens late. 100,000
 * connections grew a server by 200 MiB.
 */
export function presentedBy(tls: TLSSocket): Presented {
  return {
    // Node gives an empty object if there is no certificate, and null if the connection is closed.
    own: (tls.getPeerCertificate() as Partial<PeerCertificateOfNode> | null)?.raw,
    issuers: () => readIssuers(tls.getPeerX509Certificate()),
  };
}

/**
 * Judges the certificates of clients, except for their dates, which each request judges on the sandbox's clock.
 * OpenSSL's own verdict (`authorized`) is not used: it is wrong on resumed sessions, depends on the machine's clock,
 * and gives no reason.
 */
export class PeerJudge {
  readonly #anchors: X509Certificate[];
  readonly #remembered = new Map<string, CertificatePeer>();

  /** @param trustedCas PEM, each with one or more certificates. Throws if one cannot be read. */
  constructor(trustedCas: readonly string[]) {
    this.#anchors = trustedCas.flatMap(splitPem).map((pem) => new X509Certificate(pem));
  }

  /** Trusts further CAs, PEM. */
  trust(caPem: string): void {
    this.#anchors.push(...splitPem(caPem).map((pem) => new X509Certificate(pem)));
    this.#remembered.clear();
  }

  judge({ own, issuers }: Presented): Peer {
    if (own === undefined) return noPeer;
    const thumbprint = thumbprintOf(own);
    // What a trusted CA issued needs no intermediates.
    const alone = this.#remembered.get(thumbprint) ?? this.#judge(own, thumbprint, []);
    if (alone.chain === "trusted") return alone;
    // The verdict depends on the intermediates, too: a client may send them on one connection and not on the next.
    const intermediates = issuers();
    const key = intermediates.reduce((joined, certificate) => `${joined} ${certificate.fingerprint256}`, thumbprint);
    return this.#remembered.get(key) ?? this.#judge(own, key, intermediates);
  }

  #judge(own: Buffer, key: string, intermediates: readonly X509Certificate[]): CertificatePeer {
    const leaf = new X509Certificate(own);
    const peer: CertificatePeer = {
      kind: "certificate",
      certificate: describe(leaf, own),
      ...this.#judgeChain(leaf, intermediates),
    };
    if (own.length <= MAX_REMEMBERED_BYTES) remember(this.#remembered, key, peer, MAX_REMEMBERED);
    return peer;
  }

  /**
   * RFC 5280 §6.1 as far as a sandbox needs it: names, signatures and the right to issue, from the leaf up to a trusted
   * CA.
   */
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

function readIssuers(leaf: X509Certificate | undefined): X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let next = leaf?.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    if (found.push(next) === MAX_ISSUERS) break;
  }
  return found;
}

function describe(leaf: X509Certificate, der: Buffer): PeerCertificate {
  return {
    thumbprint: thumbprintOf(der),
    subject: readName(leaf.subject),
    issuer: readName(leaf.issuer),
    serialNumber: leaf.serialNumber,
    notBefore: readDate(leaf.validFrom, END_OF_TIME),
    notAfter: readDate(leaf.validTo, -END_OF_TIME),
    clientUsage: permitsClientAuthentication(der),
  };
}

/** How much of a subject or issuer is kept, in characters. */
const longestSubject = 512;

function readName(name: string | null): string {
  return printable(nameLine(name), longestSubject);
}

function readDate(text: string, whenUnreadable: number): number {
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? whenUnreadable : instant;
}
