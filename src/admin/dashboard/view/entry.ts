import type { Outcome } from "../../../journal/query.js";
import type { Exchange, Handshake, JournalItem } from "./data.js";

/** One line of the list: an exchange, or a connection without one. */
export type Entry =
  | { readonly kind: "request"; readonly key: string; readonly order: number; readonly exchange: Exchange }
  | { readonly kind: "handshake"; readonly key: string; readonly order: number; readonly handshake: Handshake };

/** The entry of an item of the journal. */
export function entryOf(item: JournalItem): Entry {
  const { key, order } = item;
  return item.kind === "request"
    ? { kind: "request", key, order, exchange: item }
    : { kind: "handshake", key, order, handshake: item };
}

export function outcomeOf(entry: Entry): Outcome {
  if (entry.kind === "handshake") return "handshake";
  const { fault, status } = entry.exchange;
  if (fault !== null) return "injected";
  return status >= 200 && status <= 399 ? "success" : "refused";
}
