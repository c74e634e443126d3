import { randomBytes } from "node:crypto";
import type { ConnectionEnd } from "../connection/connection-facts.js";
import type { Peer, PeerCertificate } from "../connection/peer.js";
import type { PresentedCertificate } from "../connection/server-certificate.js";
import type { PresentedDefect } from "../connection/server-defect.js";
import type { OfferedVersions, TlsVersionRange } from "../connection/tls-version.js";
import { Exchange } from "./exchange.js";
import { isNotable } from "./exchange-facts.js";
import { type JournalEntry, newestOf, RingBuffer } from "./ring-buffer.js";

/** How much a journal keeps. The oldest entries are removed first. */
export interface JournalLimits {
  /** Number of exchanges. */
  readonly requests: number;
  /**
   * How many of them are reserved for refusals and injected answers, so that successes do not push these out. Default a
   * quarter, at most half.
   */
  readonly refusals?: number | undefined;
  /** How much memory the kept exchanges may take, in bytes, by estimate. */
  readonly bytes: number;
  /** Number of failed handshakes and of connections that carried no request. */
  readonly handshakes: number;
}

export const defaultJournalLimits: JournalLimits = {
  requests: 10_000,
  bytes: 64 * 1024 * 1024,
  handshakes: 1000,
};

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
  /** The registration of the client that had the certificate then. */
  readonly registration?: string | undefined;
}

/** The kept facts of a certificate that a client presented. */
export type HandshakeCertificate = Pick<PeerCertificate, "subject" | "thumbprint" | "notBefore" | "notAfter">;

/** An exchange, or a handshake. */
export type AnyEntry = JournalEntry<Exchange> | JournalEntry<HandshakeRecord>;

/** Whether an entry is an exchange. */
export function isRequest(entry: AnyEntry): entry is JournalEntry<Exchange> {
  return entry.item instanceof Exchange;
}

/** Is notified of changes to the journal other than new entries. Must not throw. */
export interface JournalListener {
  /** The answer of an exchange was sent, or its connection is gone. The entry may have been removed by then. */
  over?(number: number): void;
  /**
   * Entries were removed on request.
   * @param whole whether all of them
   */
  cleared?(whole: boolean): void;
}

/** The bounded record of everything that reached the sandbox. */
export class Journal {
  /**
   * Identifies this start of the sandbox: numbers begin at 1 with each start. Sandboxes that share a journal have the
   * same.
   */
  run = randomBytes(8).toString("hex");
  readonly requests: RingBuffer<Exchange>;
  readonly handshakes: RingBuffer<HandshakeRecord>;
  readonly limits: JournalLimits;
  readonly #listeners = new Set<JournalListener>();
  #lastOrder = 0;

  constructor(limits: JournalLimits = defaultJournalLimits) {
    this.limits = limits;
    const nextOrder = () => ++this.#lastOrder;
    this.requests = new RingBuffer<Exchange>({
      capacity: limits.requests,
      bytes: limits.bytes,
      sizeOf: exchangeSizes(),
      lasting: { count: limits.refusals ?? Math.floor(limits.requests / 4), has: isNotable },
      nextOrder,
    });
    // Each is a few short texts: a limit of their number is enough.
    this.handshakes = new RingBuffer<HandshakeRecord>({ capacity: limits.handshakes, nextOrder });
  }

  /**
   * Exchanges and handshakes, newest first, from the one before a place to the one after another. Must be read without
   * a pause.
   */
  *newestFirst(before?: number, after = 0): Generator<AnyEntry> {
    const requests = this.requests.newestFirst(before, "order");
    const handshakes = this.handshakes.newestFirst(before, "order");
    for (const entry of newestOf<AnyEntry>(requests, handshakes)) {
      if (entry.order <= after) return;
      yield entry;
    }
  }

  /** The entry at a place, if it is still kept. */
  at(order: number): AnyEntry | undefined {
    return this.requests.at(order) ?? this.handshakes.at(order);
  }

  /** Removes exchanges and handshakes: all, or the chosen ones. */
  remove(chosen?: (entry: AnyEntry) => boolean): void {
    this.requests.remove(chosen);
    this.handshakes.remove(chosen);
    for (const listener of this.#listeners) listener.cleared?.(chosen === undefined);
  }

  /** Must be called when the answer of an exchange was sent, or its connection is gone. */
  over(number: number): void {
    for (const listener of this.#listeners) listener.over?.(number);
  }

  /** @returns a function that stops it */
  listen(listener: JournalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

// Measured on Node 20: the growth of the heap for an exchange of each kind, without the texts that were sent.
const constant = 800;
const perHeader = 24;
const perParameter = 150;
const perListQuery = 300;
const certificateFacts = 500;

/**
 * Makes the function that estimates how much memory an exchange takes, in bytes. Almost all characters are ASCII, so
 * each counts as a byte.
 *
 * Connections with one certificate share its facts. They are counted if the peer differs from that of the previous
 * exchange. This is exact for one busy client, too much for several alternating clients, and never too little.
 * @internal exported for the test of the limits, which adds the estimates
 */
export function exchangeSizes(): (exchange: Exchange) => number {
  let previous: Peer | undefined;
  return ({ target, rawHeaders, peer, form, listQuery, keptCharacters }) => {
    let size = constant + target.length + keptCharacters + (listQuery ? perListQuery : 0);
    for (const text of rawHeaders) size += perHeader + text.length;
    for (const [name, values] of form ?? []) {
      size += perParameter + name.length;
      for (const value of values) size += perHeader + (value?.length ?? 0);
    }
    if (peer !== previous && peer.kind === "certificate") {
      const { subject, issuer } = peer.certificate;
      size += certificateFacts + subject.length + issuer.length;
    }
    previous = peer;
    return size;
  };
}
