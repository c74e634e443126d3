import type { ConnectionFacts } from "../sandbox/connection/connection-facts.js";
import type { HandshakeRecord } from "../sandbox/journal/entry.js";
import type { ExchangeEnding } from "../sandbox/journal/exchange.js";
import type { ExchangeText } from "../sandbox/journal/exchange-text.js";

/** How an exchange ended, and its connection, as far as that is known. */
interface Ending extends ExchangeEnding {
  /** The number that the replica gave to the exchange. The one in the journal may belong to another one after a failover. */
  readonly id: number;
  readonly connection?: Pick<ConnectionFacts, "end" | "goaway"> | undefined;
}

/** What is written at once. */
export interface Batch {
  /** The number of the replica that writes it. */
  readonly replica: number;
  /** How people tell it from the others: host and port of its API. */
  readonly name: string;
  /** The number that this replica gave to the first of the exchanges; those of the others follow. */
  readonly from: number;
  readonly exchanges: readonly ExchangeText[];
  readonly handshakes: readonly HandshakeRecord[];
  /** Of these exchanges, and of earlier ones. */
  readonly endings: readonly Ending[];
}

/** What an admin call has removed from the journal. It is a batch of the journal: it acts on what is before it. */
export interface Mark {
  /** All entries, or those with these numbers. */
  readonly removed: "all" | { readonly requests: readonly number[]; readonly handshakes: readonly number[] };
}

/** A batch of the stream: its position and numbers, and its content as JSON. */
export interface Place {
  readonly position: string;
  /** The number of the batch. */
  readonly batch: number;
  /** The numbers of its first exchange and handshake, if it has any. */
  readonly first: number;
  readonly firstHandshake: number;
}

/** Undefined if no replica wrote it. */
export function placeOf(position: string, fields: readonly string[]): Place | undefined {
  const [name, n, , e, , h] = fields;
  const [batch = 0, first = 0, firstHandshake = 0] = [n, e, h].map(Number);
  if (name !== "n" || ![batch, first, firstHandshake].every(Number.isSafeInteger)) return undefined;
  return { position, batch, first, firstHandshake };
}

/** When a batch was written, in milliseconds since the epoch, by the clock of Redis. */
export function writtenAt(position: string): number {
  return Number.parseInt(position, 10);
}
