import { requestLine } from "../report/evidence.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";

/** How many requests before the fault, and how many in all, are told. */
const before = 2;
const most = 10;

/**
 * What the client sent around the fault: a line for each request, in the order of time.
 * @param since when the command began, in milliseconds since the epoch
 */
export function storyOf(
  entries: readonly JournalEntry<Exchange>[],
  disturbed: readonly JournalEntry<Exchange>[],
  since: number,
): readonly string[] {
  const [first] = disturbed;
  if (first === undefined) return [];
  const place = entries.findIndex(({ number }) => number === first.number);
  const told = entries.slice(Math.max(0, place - before));
  const sentences = told.slice(0, most).map((entry) => requestLine(entry.item, since, disturbed.includes(entry)));
  const more = told.length - most;
  return more > 0 ? [...sentences, `… and ${more} more.`] : sentences;
}
