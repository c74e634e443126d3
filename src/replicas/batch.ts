import type { ConnectionFacts } from "../sandbox/connection/connection-facts.js";
import type { EndedPassage } from "../sandbox/connection/passage.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { ExchangeEnding } from "../sandbox/journal/exchange.js";
import type { ExchangeText } from "./exchange-text.js";

/** How an exchange that is over went over its connection, with instants and ids that are valid for all replicas. */
export interface SharedPassage extends EndedPassage {
  /** Instants of one clock can be compared exactly. */
  readonly clock: string;
  /** The largest error when instants of two clocks are compared, in milliseconds. */
  readonly timeError: number;
  readonly connection: number;
  /** When the connection was accepted. */
  readonly begunAt: number;
}

/** How an exchange ended, and its connection, as far as that is known. The passage is for the judges. */
interface Ending extends ExchangeEnding {
  /** The number that the replica gave to the exchange. The one in the journal may belong to another one after a failover. */
  readonly id: number;
  readonly passage: SharedPassage | undefined;
  readonly connection?: Pick<ConnectionFacts, "end" | "goaway"> | undefined;
}

/** What is written at once. */
export interface Batch {
  /** The number of the replica that writes it. */
  readonly replica: number;
  /** The number that this replica gave to the first of the exchanges; those of the others follow. */
  readonly from: number;
  readonly exchanges: readonly ExchangeText[];
  readonly handshakes: readonly HandshakeRecord[];
  /** Of these exchanges, and of earlier ones. */
  readonly endings: readonly Ending[];
}

/** What an admin call has done to the journal or the report. It is a batch of the journal: it acts on what is before it. */
export interface Mark {
  /** Entries that were removed: all, or those with these numbers. */
  readonly removed?: "all" | { readonly requests: readonly number[]; readonly handshakes: readonly number[] };
  /** The report on the client of a registration begins here, or that on all. */
  readonly reset?: { readonly registration?: string | undefined };
}

/** A batch of the stream: its position and numbers, and its content as JSON. */
export interface Place {
  readonly position: string;
  /** The number of the batch. */
  readonly batch: number;
  /** The numbers of its first exchange and handshake, if it has any. */
  readonly first: number;
  readonly firstHandshake: number;
  /** The number of the newest exchange so far, and the bytes that were written so far. */
  readonly last: number;
  readonly bytes: number;
}

/** Undefined if no replica wrote it. */
export function placeOf(position: string, fields: readonly string[]): Place | undefined {
  const [, n, , e, , h, , l, , s] = fields;
  const [batch = 0, first = 0, firstHandshake = 0, last = 0, bytes = 0] = [n, e, h, l, s].map(Number);
  if (![batch, first, firstHandshake, last, bytes].every(Number.isSafeInteger)) return undefined;
  return { position, batch, first, firstHandshake, last, bytes };
}

/** When a batch was written, in milliseconds since the epoch, by the clock of Redis. */
export function writtenAt(position: string): number {
  return Number.parseInt(position, 10);
}
