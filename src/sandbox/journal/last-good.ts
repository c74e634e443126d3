import { clientNamed } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import { outcomeOf } from "./exchange-facts.js";
import type { Journal } from "./journal.js";
import type { JournalEntry } from "./ring-buffer.js";
import { walkOf } from "./view.js";

/**
 * The id of the exchange to compare another one with: one that succeeded, of the same client, operation and list. Of
 * the earlier ones, it is the nearest of the same walk, else the nearest with the same target, else the nearest. If
 * none is earlier, it is the first one that follows.
 */
export function lastGoodOf({ item: exchange, number }: JournalEntry<Exchange>, { requests }: Journal): string | null {
  const { operation, list } = exchange;
  const client = clientNamed(exchange);
  if (operation === undefined || client === undefined) return null;
  let sameTarget: number | undefined;
  let earlier: number | undefined;
  let later: number | undefined;
  for (const { item, number: other } of requests.newestFirst()) {
    const isLike = item.operation === operation && item.list === list && other !== number;
    const isGood = outcomeOf(item) === "success" && item.delivered !== false;
    if (!isLike || !isGood || clientNamed(item) !== client) continue;
    if (other > number) later = other;
    else if (isSameWalk(item, exchange)) return String(other);
    else {
      earlier ??= other;
      if (item.target === exchange.target) sameTarget ??= other;
    }
  }
  const found = sameTarget ?? earlier ?? later;
  return found === undefined ? null : String(found);
}

function isSameWalk({ listQuery: one }: Exchange, { listQuery: other }: Exchange): boolean {
  return one !== undefined && one.begunAt === other?.begunAt && walkOf(one) === walkOf(other);
}
