import { claimedClients, clientIdOf, tokenIdOf } from "./claimed-clients.js";
import { type AnyEntry, isRequest } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { outcomeOf } from "./exchange-facts.js";
import type { ExplanationContext } from "./explanation-context.js";
import type { Outcome } from "./outcome.js";
import type { ListOrder, QueryTerm } from "./query.js";
import { queryKeys, type Sorting } from "./query-keys.js";
import { containing, type EntryReader, type EntryTest } from "./query-tests.js";
import { redactHeaders, redactText } from "./redact.js";
import { bodyHas, contentHas, textOf } from "./searched-text.js";
import { traceOf } from "./trace.js";

/** Whether an entry of the journal matches a query. */
export interface Matcher {
  matches(entry: AnyEntry): boolean;
  /** The same without the terms about the outcome: for counts by outcome. */
  matchesOthers(entry: AnyEntry): boolean;
  /** Only these terms. */
  hasOutcome(entry: AnyEntry): boolean;
}

/** Compiles the terms of a query without problems. Matching takes time in proportion to the size of an entry. */
export function matcherOf(terms: readonly QueryTerm[], context: ExplanationContext): Matcher {
  const read = readerOf(context);
  const compiled = terms.map((term) => {
    const test = testOf(term);
    const isNot = term.not && term.key !== "sort";
    return { isOutcome: term.key === "outcome", test: (entry: AnyEntry) => test(entry, read) !== isNot };
  });
  const outcome = compiled.filter(({ isOutcome }) => isOutcome).map(({ test }) => test);
  const others = compiled.filter(({ isOutcome }) => !isOutcome).map(({ test }) => test);
  const matchesOthers = (entry: AnyEntry) => others.every((test) => test(entry));
  const hasOutcome = (entry: AnyEntry) => outcome.every((test) => test(entry));
  return matcherFrom(hasOutcome, matchesOthers);
}

function readerOf({ clients }: ExplanationContext): EntryReader {
  return {
    outcomeOf: outcomeOfEntry,
    holderOf: (thumbprint) => clients.byThumbprint(thumbprint)?.id,
    claimedClients,
    tokenIdOf,
    traceIdOf: ({ rawHeaders }) => traceOf(rawHeaders)?.id,
    redactText,
    redactHeaders,
    bodyHas,
  };
}

function outcomeOfEntry(entry: AnyEntry): Outcome {
  return isRequest(entry) ? outcomeOf(entry.item) : "handshake";
}

/** Makes a matcher from its two parts. */
export function matcherFrom(hasOutcome: Matcher["matches"], matchesOthers: Matcher["matches"]): Matcher {
  return { matchesOthers, hasOutcome, matches: (entry) => hasOutcome(entry) && matchesOthers(entry) };
}

/**
 * The entries that match, in the order of a query that sorts them; entries with the same value newest first. A
 * handshake has only a time.
 * @param newestFirst all entries
 */
export function sorted<Entry extends AnyEntry>(
  newestFirst: Iterable<Entry>,
  matches: (entry: Entry) => boolean,
  { by, isReversed }: ListOrder,
): Entry[] {
  const read = sortingValues[by];
  const found = [...newestFirst].filter(matches).map((entry) => ({ entry, value: read(entry) }));
  const sign = isReversed ? -1 : 1;
  found.sort((one, other) => sign * compared(one.value, other.value));
  return found.map(({ entry }) => entry);
}

const ofRequest =
  <Value extends string | number>(read: (exchange: Exchange) => Value, without: Value) =>
  (entry: AnyEntry) =>
    isRequest(entry) ? read(entry.item) : without;

const sortingValues: Readonly<Record<Sorting, (entry: AnyEntry) => string | number>> = {
  time: ({ order }) => order,
  took: ofRequest(({ duration }) => duration, -1),
  size: ofRequest(({ bodyLength }) => bodyLength, -1),
  status: ofRequest(({ status }) => status, -1),
  method: ofRequest(({ method }) => method, ""),
  path: ofRequest(({ target }) => target, ""),
  client: ofRequest((exchange) => clientIdOf(exchange) ?? "", ""),
  http: ofRequest(({ connection }) => connection?.httpVersion ?? "", ""),
};

/** The largest number first; texts from A to Z. */
function compared(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return other - one;
  return one < other ? -1 : one > other ? 1 : 0;
}

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

function testOf(term: QueryTerm): EntryTest {
  const value = term.value.toLowerCase();
  const row = queryKeys.find(({ key }) => key === term.key);
  if (row) return row.test(value, term.quoted);
  const contains = containing(value, term.quoted);
  return (entry) => contains(textOf(entry)) || (isRequest(entry) && contentHas(entry.item, contains));
}
