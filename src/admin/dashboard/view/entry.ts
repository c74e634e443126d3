import type { Outcome } from "../../../sandbox/journal/query.js";
import type { Exchange, JournalItem } from "./data.js";

/** What the colour of a badge means. */
export type Tone = "good" | "bad" | "warn" | "info" | "plain";

/** How an item of the journal ended. */
export function outcomeOf(item: JournalItem): Outcome {
  return item.kind === "handshake" ? "handshake" : exchangeOutcome(item);
}

export function exchangeOutcome({ fault, status }: Pick<Exchange, "fault" | "status">): Exclude<Outcome, "handshake"> {
  if (fault !== null) return "injected";
  return status >= 200 && status <= 399 ? "success" : "refused";
}

const tones = { success: "good", refused: "bad", injected: "warn" } as const;

/** The tone of a badge with the status of an exchange. */
export function exchangeTone(exchange: Pick<Exchange, "fault" | "status">): Tone {
  return tones[exchangeOutcome(exchange)];
}
