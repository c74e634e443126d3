/** The client of a TLS connection: what it presented in the handshake, and what the sandbox found about it. */
export type Peer = NoPeer | CertificatePeer;

/** The client presented no certificate. */
interface NoPeer {
  readonly kind: "none";
}

/** The client presented a certificate and proved that it holds the private key. */
export interface CertificatePeer {
  readonly kind: "certificate";
  readonly certificate: PeerCertificate;
  /**
   * Whether a trusted CA issued it, by names and signatures: the sandbox's, or one of `tls.clientCa`. Each request
   * judges its dates on the sandbox's clock.
   */
  readonly chain: "trusted" | "untrusted";
  /** Why the chain is untrusted, in words for the journal. Empty if it is trusted. */
  readonly chainReason: string;
}

/**
 * The facts of one X.509 certificate that decisions and explanations use. All connections that present it share them.
 */
export interface PeerCertificate {
  /** RFC 8705 §3.1: base64url of the SHA-256 of the DER encoding. */
  readonly thumbprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Hexadecimal, upper case, as OpenSSL prints it. */
  readonly serialNumber: string;
  /** First instant of validity, in milliseconds since the epoch. */
  readonly notBefore: number;
  /** Last instant of validity, in milliseconds since the epoch. */
  readonly notAfter: number;
  /** Whether key usage and extended key usage permit TLS client authentication (RFC 5280 §4.2.1.3, §4.2.1.12). */
  readonly clientUsage: boolean;
}

/** The peer of a connection without a client certificate. */
export const noPeer: NoPeer = { kind: "none" };
