import type { PresentedDefect } from "../connection/server-defect.js";
import type { Exchange } from "./exchange.js";
import { RingBuffer } from "./ring-buffer.js";
import { exchangeSizes } from "./size.js";

/** How much a journal keeps. The oldest entries are removed first. */
export interface JournalLimits {
  /** Number of exchanges. */
  readonly requests: number;
  /** What the kept exchanges may take, in bytes, by estimate (`size.ts`). */
  readonly bytes: number;
  /** Number of failed handshakes and of connections that carried no request. */
  readonly handshakes: number;
}

export const defaultJournalLimits: JournalLimits = { requests: 10_000, bytes: 64 * 1024 * 1024, handshakes: 1000 };

/** What the journal says of a connection on which no request arrived. */
export interface HandshakeRecord {
  /** Milliseconds since the epoch, on the machine's clock. */
  readonly at: number;
  /** Why it failed, such as `client-refused-our-certificate`; `no-request` for one that succeeded and was closed without a request. */
  readonly cause: string;
  /** OpenSSL's or the system's code. */
  readonly code: string | undefined;
  /** The alert that the client sent (RFC 8446 §6). */
  readonly alert: string | undefined;
  /** What is wrong with the client's certificate, as text; empty for other causes. */
  readonly reason: string;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly serverName: string | undefined;
  readonly protocol: string | undefined;
  /** What was wrong on purpose with the certificate that the server presented. */
  readonly serverDefect: PresentedDefect | undefined;
  readonly certificate: HandshakeCertificate | undefined;
}

/** What is kept of a certificate that a client presented. */
export interface HandshakeCertificate {
  readonly subject: string;
  readonly thumbprint: string;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
}

/** The bounded record of everything that reached the sandbox. */
export class Journal {
  readonly requests: RingBuffer<Exchange>;
  readonly handshakes: RingBuffer<HandshakeRecord>;
  readonly limits: JournalLimits;

  constructor(limits: JournalLimits = defaultJournalLimits) {
    this.limits = limits;
    this.requests = new RingBuffer(limits.requests, limits.bytes, exchangeSizes());
    // Each is a few short texts: a limit of their number is enough.
    this.handshakes = new RingBuffer(limits.handshakes);
  }
}
