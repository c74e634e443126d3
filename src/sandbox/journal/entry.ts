import type { ConnectionEnd } from "../connection/connection-facts.js";
import type { PeerCertificate } from "../connection/peer.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { HandshakeFailure } from "../tls/handshake-failure.js";
import type { Exchange } from "./exchange.js";
import type { JournalEntry } from "./ring-buffer.js";

/** What the journal records of a connection on which no request arrived. */
export interface HandshakeRecord
  extends Omit<HandshakeFailure, "cause" | "certificate" | "serverCertificate" | "bytesRead"> {
  /** Why it failed; `no-request` for one that succeeded and was closed without a request. */
  readonly cause: string;
  /** The number of the connection, if the handshake succeeded. */
  readonly connection?: number | undefined;
  /** How the connection ended, if the handshake succeeded. */
  readonly end?: ConnectionEnd | undefined;
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
