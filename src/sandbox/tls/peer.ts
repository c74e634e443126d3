import { X509Certificate } from "node:crypto";
import type { PeerCertificate as PeerCertificateOfNode, TLSSocket } from "node:tls";
import { remember } from "../../base/remember.js";
import { printable } from "../../base/text/printable.js";
import { followChain, nameLine, splitPem, thumbprintOf } from "../../base/x509/certificate.js";
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

const trusted: Verdict = { chain: "trusted", chainReason: "" };

/** What a client presented in the handshake. */
export interface Presented {
  /** DER of its certificate; undefined if it presented none. */
  readonly own: Buffer | undefined;
  /** The other certificates that it sent, as far as each is the issuer of the one before. */
  issuers(): readonly X509Certificate[];
  /** Whether OpenSSL trusts the chain. It can only if the server names the CAs that it trusts. */
  readonly isAuthorized: boolean;
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
    isAuthorized: tls.authorized,
  };
}

/**
 * Finds out who issued the certificates of clients, and why they are not trusted. Their dates are judged by each
 * request, on the sandbox's clock. Where the chain decides, which is in the handshake, OpenSSL judges all of it.
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

  judge({ own, issuers, isAuthorized }: Presented): Peer {
    if (own === undefined) return noPeer;
    const thumbprint = thumbprintOf(own);
    // What a trusted CA issued needs no intermediates.
    const alone = this.#remembered.get(thumbprint) ?? this.#judge(own, thumbprint, []);
    if (alone.chain === "trusted") return alone;
    // Node 24 does not show the issuers of a chain that OpenSSL trusts.
    if (isAuthorized) return { ...alone, ...trusted };
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

  #judgeChain(leaf: X509Certificate, intermediates: readonly X509Certificate[]): Verdict {
    const { last, anchor } = followChain(leaf, intermediates, this.#anchors);
    return anchor ? trusted : { chain: "untrusted", chainReason: this.#explain(leaf, last) };
  }

  #explain(leaf: X509Certificate, last: X509Certificate): string {
    const issuer = readName(last.issuer);
    if (this.#anchors.some(({ ca, subject }) => ca && subject === last.issuer))
      return `It names ${issuer} as its issuer, but was not signed by the trusted CA of that name.`;
    if (leaf === last && leaf.subject === leaf.issuer)
      return "It is self-signed, and not among the trusted certificates.";
    return `Its issuer, ${issuer}, is not among the trusted CAs.`;
  }
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
