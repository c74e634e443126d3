import type { Outcome } from "../../../journal/query.js";
import type { Exchange, JournalItem } from "./data.js";

/** How an item of the journal ended. */
export function outcomeOf(item: JournalItem): Outcome {
  return item.kind === "handshake" ? "handshake" : exchangeOutcome(item);
}

export function exchangeOutcome({ fault, status }: Pick<Exchange, "fault" | "status">): Exclude<Outcome, "handshake"> {
  if (fault !== null) return "injected";
  return status >= 200 && status <= 399 ? "success" : "refused";
}
