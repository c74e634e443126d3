import { TextPattern } from "../scenarios/text-pattern.js";
import { claimedClients, clientIdOf, tokenIdOf } from "./claimed-clients.js";
import type { Exchange } from "./exchange.js";
import { outcomeOf } from "./exchange-facts.js";
import type { ExplanationContext } from "./explanation-context.js";
import { type AnyEntry, type HandshakeRecord, isRequest } from "./journal.js";
import type { ListOrder, Outcome, QueryKey, QueryTerm, Sorting } from "./query.js";
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

/** The values that the terms of one key are compared with. */
interface Field {
  readonly request?: (exchange: Exchange) => readonly (string | undefined)[];
  readonly handshake?: (record: HandshakeRecord, context: ExplanationContext) => readonly (string | undefined)[];
}

const fields: Readonly<
  Record<Exclude<QueryKey, keyof typeof contents | "status" | "outcome" | "kind" | "from" | "to" | "sort">, Field>
> = {
  code: { request: ({ code }) => [code], handshake: ({ code }) => [code] },
  op: { request: ({ operation }) => [operation] },
  list: { request: ({ list }) => [list] },
  fault: { request: ({ injected }) => [injected] },
  client: {
    request: claimedClients,
    handshake: ({ certificate }, { clients }) => [certificate && clients.byThumbprint(certificate.thumbprint)?.id],
  },
  corr: { request: ({ correlationId }) => [redactText(correlationId)] },
  method: { request: ({ method }) => [method] },
  conn: {
    request: ({ connection }) => [connection && String(connection.id)],
    handshake: ({ connection }) => [connection === undefined ? undefined : String(connection)],
  },
  token: { request: (exchange) => [tokenIdOf(exchange)] },
  trace: { request: ({ rawHeaders }) => [traceOf(rawHeaders)?.id] },
  cause: { handshake: ({ cause }) => [cause] },
  http: { request: ({ connection }) => [connection?.httpVersion.slice("HTTP/".length)] },
};

/** The keys whose terms look into a request and its answer. */
const contents = {
  header: headerTest,
  body: bodyTest,
  took(value: string) {
    const holds = comparison(value);
    return ({ duration }: Exchange) => holds(duration);
  },
  size(value: string) {
    const holds = comparison(value);
    return ({ answerLength }: Exchange) => holds(answerLength);
  },
} as const;

type Test = (entry: AnyEntry) => boolean;

/** Compiles the terms of a query without problems. Matching takes time in proportion to the size of an entry. */
export function matcherOf(terms: readonly QueryTerm[], context: ExplanationContext): Matcher {
  const compiled = terms.map((term) => {
    const test = testOf(term, context);
    const isNot = term.not && term.key !== "sort";
    return { isOutcome: term.key === "outcome", test: isNot ? (entry: AnyEntry) => !test(entry) : test };
  });
  const outcome = compiled.filter(({ isOutcome }) => isOutcome).map(({ test }) => test);
  const others = compiled.filter(({ isOutcome }) => !isOutcome).map(({ test }) => test);
  const matchesOthers = (entry: AnyEntry) => others.every((test) => test(entry));
  const hasOutcome = (entry: AnyEntry) => outcome.every((test) => test(entry));
  return matcherFrom(hasOutcome, matchesOthers);
}

/** Makes a matcher from its two parts. */
export function matcherFrom(hasOutcome: Test, matchesOthers: Test): Matcher {
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
  size: ofRequest(({ answerLength }) => answerLength, -1),
  status: ofRequest(({ status }) => status, -1),
  method: ofRequest(({ method }) => method, ""),
  path: ofRequest(({ target }) => target, ""),
  client: ofRequest((exchange) => clientIdOf(exchange) ?? exchange.client?.id ?? "", ""),
  http: ofRequest(({ connection }) => connection?.httpVersion ?? "", ""),
};

/** The largest number first; texts from A to Z. */
function compared(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return other - one;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** How an entry ended. */
function outcomeOfEntry(entry: AnyEntry): Outcome {
  return isRequest(entry) ? outcomeOf(entry.item) : "handshake";
}

/** The time of an entry, in milliseconds since the epoch on the machine's clock. */
export function instantOf(entry: AnyEntry): number {
  return isRequest(entry) ? entry.item.receivedAt : entry.item.at;
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

function testOf(term: QueryTerm, context: ExplanationContext): Test {
  const value = term.value.toLowerCase();
  switch (term.key) {
    case "status": {
      // `4xx`, `4*` and `40*` give the beginning of the three digits.
      const digits = value.replace(/\D+$/, "");
      return (entry) => isRequest(entry) && String(entry.item.status).startsWith(digits);
    }
    case "outcome":
      return (entry) => outcomeOfEntry(entry) === value;
    case "kind":
      return (entry) => isRequest(entry) === (value === "request");
    case "from":
    case "to": {
      const instant = Date.parse(term.value);
      const isFrom = term.key === "from";
      return (entry) => instantOf(entry) >= instant === isFrom;
    }
    case "header":
    case "body":
    case "took":
    case "size": {
      const test = contents[term.key](value, term.quoted);
      return (entry) => isRequest(entry) && test(entry.item);
    }
    case "sort":
      return () => true;
    case "text": {
      const contains = containing(value, term.quoted);
      return (entry) => contains(textOf(entry)) || (isRequest(entry) && contentHas(entry.item, contains));
    }
    default: {
      const { request, handshake }: Field = fields[term.key];
      const isLike = likeness(value, term.quoted, term.key === "fault");
      return (entry) => {
        const values = isRequest(entry) ? request?.(entry.item) : handshake?.(entry.item, context);
        return values?.some(isLike) === true;
      };
    }
  }
}

/** Compares texts ignoring case, with `*` for any characters. */
function likeness(value: string, isQuoted: boolean, isBeginning: boolean): (text: string | undefined) => boolean {
  if (!isQuoted && value.includes("*")) {
    const pattern = new TextPattern(isBeginning ? `${value}*` : value);
    return (text) => text !== undefined && pattern.matches(text.toLowerCase());
  }
  if (isBeginning) return (text) => text?.toLowerCase().startsWith(value) === true;
  return (text) => text?.toLowerCase() === value;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, b: 1, kb: 1000, mb: 1_000_000 };

/**
 * Compares a number, as `>100ms` or `<=2kb` say.
 * @param text with a comparison, a number and a unit
 * @returns whether a number of milliseconds, or of bytes, satisfies it
 */
function comparison(text: string): (value: number) => boolean {
  const [, sign, number, unit = ""] = /^([<>]=?)([\d.]+)([a-z]+)$/i.exec(text) ?? [];
  const bound = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (sign === ">") return (value) => value > bound;
  if (sign === ">=") return (value) => value >= bound;
  return sign === "<" ? (value) => value < bound : (value) => value <= bound;
}

/** Tests whether a text has a part, in lower case; `*` stands for any characters unless it was quoted. */
function containing(part: string, isQuoted: boolean): (text: string) => boolean {
  if (isQuoted || !part.includes("*")) return (text) => text.includes(part);
  const pattern = new TextPattern(`*${part}*`);
  return (text) => pattern.matches(text);
}

/**
 * Tests the headers of a request and its answer, without secrets.
 * @param value a name, or name and value with `=`; in lower case
 */
function headerTest(value: string, isQuoted: boolean): (exchange: Exchange) => boolean {
  const equals = value.indexOf("=");
  const name = equals < 0 ? value : value.slice(0, equals);
  const wanted = equals < 0 ? "*" : value.slice(equals + 1);
  const pattern = equals >= 0 && isQuoted ? undefined : new TextPattern(wanted);
  const matches = (text: string) => (pattern ? pattern.matches(text) : text === wanted);
  return ({ rawHeaders, headersOfAnswer }) => {
    const all = [...rawHeaders, ...headersOfAnswer];
    // Redacting takes longer than all the rest.
    const chosen = all.flatMap((text, index) => {
      const isName = index % 2 === 0 && text.toLowerCase() === name;
      return isName ? [text, all[index + 1] ?? ""] : [];
    });
    return redactHeaders(chosen).some(([, text]) => matches(text.toLowerCase()));
  };
}

/**
 * Tests the form that was sent, and the body of the answer, without secrets.
 * @param part in lower case
 */
function bodyTest(part: string, isQuoted: boolean): (exchange: Exchange) => boolean {
  const contains = containing(part, isQuoted);
  return (exchange) => bodyHas(exchange, contains);
}
