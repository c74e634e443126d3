import type { Exchange } from "../sandbox/journal/exchange.js";
import { redactTarget } from "../sandbox/journal/redact.js";
import type { JournalEntry } from "../sandbox/journal/ring-buffer.js";

/** How many requests before the fault, and how many in all, are told. */
const before = 2;
const most = 10;

/** What the client sent around the fault: a sentence for each request, in the order of time. */
export function storyOf(
  entries: readonly JournalEntry<Exchange>[],
  disturbed: readonly JournalEntry<Exchange>[],
): readonly string[] {
  const [first] = disturbed;
  if (first === undefined) return [];
  const place = entries.findIndex(({ number }) => number === first.number);
  const told = entries.slice(Math.max(0, place - before));
  const sentences = told.slice(0, most).map((entry) => sentenceOf(entry, disturbed.includes(entry)));
  const more = told.length - most;
  return more > 0 ? [...sentences, `… and ${more} more.`] : sentences;
}

function sentenceOf({ item }: JournalEntry<Exchange>, isDisturbed: boolean): string {
  const { method, target, status, code, delivered } = item;
  const answer = status === 0 ? "no answer" : [status, code].filter((part) => part !== undefined).join(" ");
  const end = delivered === true || status === 0 ? "" : ", not delivered whole";
  return `${method} ${redactTarget(target)}: ${answer}${end}${isDisturbed ? " (the fault)" : ""}`;
}
