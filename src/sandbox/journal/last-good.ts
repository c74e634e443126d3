import { clientNamed } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import { outcomeOf } from "./exchange-facts.js";
import type { Journal } from "./journal.js";
import type { JournalEntry } from "./ring-buffer.js";

/** The id of the newest other exchange of the same client, operation and list that succeeded. */
export function lastGoodOf({ item: exchange, number }: JournalEntry<Exchange>, { requests }: Journal): string | null {
  const { operation, list } = exchange;
  const client = clientNamed(exchange);
  if (operation === undefined || client === undefined) return null;
  for (const { item, number: other } of requests.newestFirst()) {
    const isLike = item.operation === operation && item.list === list && other !== number;
    const isGood = outcomeOf(item) === "success" && item.delivered !== false;
    if (isLike && isGood && clientNamed(item) === client) return String(other);
  }
  return null;
}
