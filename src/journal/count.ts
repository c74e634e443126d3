import type { Journal } from "./journal.js";
import { type Matcher, outcomeOfEntry } from "./match-query.js";
import type { Outcome } from "./query.js";

/**
 * How many entries there are, how many match, and how many of each outcome would, if the query asked for no outcome.
 * @param after the place after which entries count
 */
export function countEntries(
  journal: Journal,
  matcher: Matcher,
  after?: number,
): { kept: number; total: number; counts: Record<Outcome | "all", number> } {
  const counts = { all: 0, success: 0, refused: 0, injected: 0, handshake: 0 };
  let kept = 0;
  let total = 0;
  for (const entry of journal.newestFirst(undefined, after)) {
    kept += 1;
    if (!matcher.matchesAside(entry)) continue;
    counts.all += 1;
    counts[outcomeOfEntry(entry)] += 1;
    if (matcher.hasOutcome(entry)) total += 1;
  }
  return { kept, total, counts };
}
