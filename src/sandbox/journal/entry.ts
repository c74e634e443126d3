import type { ConnectionEnd } from "../connection/connection-facts.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { PresentedDefect } from "../connection/server-defect.js";
import type { OfferedVersions, TlsVersionRange } from "../connection/tls-version.js";
import type { Exchange } from "./exchange.js";
import type { JournalEntry } from "./ring-buffer.js";

/** What the journal records of a connection on which no request arrived. */
export interface HandshakeRecord {
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly at: number;
  /**
   * Why it failed, such as `client-refused-our-certificate`; `no-request` for one that succeeded and was closed without
   * a request.
   */
  readonly cause: string;
  /** OpenSSL's or the system's code. */
  readonly code: string | undefined;
  /** The alert that the client sent (RFC 8446 §6). */
  readonly alert: string | undefined;
  /** What is wrong with the client's certificate, as text; empty for other causes. */
  readonly reason: string;
  /** The versions of TLS of both sides, if they have no version or no cipher suite in common. */
  readonly versions?: { readonly offered: OfferedVersions | undefined; readonly spoken: TlsVersionRange } | undefined;
  /** The number of the connection, if the handshake succeeded. */
  readonly connection?: number | undefined;
  /** How the connection ended, if the handshake succeeded. */
  readonly end?: ConnectionEnd | undefined;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly serverName: string | undefined;
  readonly protocol: string | undefined;
  /** The intended defect of the certificate that the server presented. */
  readonly serverDefect: PresentedDefect | undefined;
  /** The certificate that the server presented. */
  readonly serverCertificate?: PresentedCertificate | undefined;
  readonly certificate: HandshakeCertificate | undefined;
  /** As in `ExchangeFacts`. */
  readonly replica?: string | undefined;
  /** The registration of the client that had the certificate then. */
  readonly registration?: string | undefined;
}

/** The kept facts of a certificate that a client presented. */
export type HandshakeCertificate = Pick<PeerCertificate, "subject" | "thumbprint" | "notBefore" | "notAfter">;

/** An exchange, or a handshake. */
export type AnyEntry = JournalEntry<Exchange> | JournalEntry<HandshakeRecord>;

/** Whether an entry is an exchange. */
export function isRequest(entry: AnyEntry): entry is JournalEntry<Exchange> {
  return !("cause" in entry.item);
}
