import { randomBytes } from "node:crypto";
import type { Peer } from "../connection/peer.js";
import type { AnyEntry, HandshakeRecord } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { isNotable } from "./exchange-facts.js";
import { newestOf, RingBuffer } from "./ring-buffer.js";

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
