import type { AnyEntry } from "./journal.js";
import { type Matcher, outcomeOfEntry } from "./match-query.js";
import type { Outcome } from "./query.js";

/**
 * How many entries there are, how many match, and how many of each outcome would match if the query had no condition on
 * the outcome.
 */
export class EntryCounts {
  readonly counts: Record<Outcome | "all", number> = { all: 0, success: 0, refused: 0, injected: 0, handshake: 0 };
  kept = 0;
  total = 0;

  add(entry: AnyEntry, { matchesOthers, hasOutcome }: Matcher): void {
    this.kept += 1;
    if (!matchesOthers(entry)) return;
    this.counts.all += 1;
    this.counts[outcomeOfEntry(entry)] += 1;
    if (hasOutcome(entry)) this.total += 1;
  }
}

/** Counts all of these entries at once. */
export function countEntries(entries: Iterable<AnyEntry>, matcher: Matcher): EntryCounts {
  const counts = new EntryCounts();
  for (const entry of entries) counts.add(entry, matcher);
  return counts;
}
