import { minute } from "../../base/text/duration.js";
import { isoInstant } from "../clock.js";
import type { OperationName } from "../operations.js";
import { clientNamed } from "./claimed-clients.js";
import { type AnyEntry, isRequest } from "./entry.js";
import type { Exchange } from "./exchange.js";
import { outcomeOf } from "./exchange-facts.js";
import type { Journal } from "./journal.js";
import type { Matcher } from "./match-query.js";
import { parseQuery, termText } from "./query.js";
import type { QueryKey } from "./query-keys.js";
import { instantOf } from "./query-keys.js";
import { redactText } from "./redact.js";

const mostGroups = 50;
const mostClients = 100;

/** How many clients of a group are named. */
const mostNamed = 5;

/** How many groups and clients are counted, at most: a fuzzer can make any number of kinds and names. */
const mostCounted = 1000;

/** Longest name of a client that was only claimed, in characters. */
const longestClaim = 64;

/**
 * How much of a claim is read, in characters: more than is shown, so that a token that begins in the shown part is
 * recognised.
 */
const longestRead = 1000;

/** The default range of the buckets, in milliseconds. */
const usualRange = 5 * minute;

/** The shortest range of the buckets over what matches, in milliseconds. */
const leastRange = minute;

/** 0000-01-01T00:00:00Z, the first instant that RFC 3339 can write. */
const yearZero = -62_167_219_200_000;

export interface OverviewOptions {
  /** The query of the matcher. */
  readonly q: string | undefined;
  /** Instants in milliseconds since the epoch, on the machine's clock, as `now`. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly now: number;
  /** Whether the buckets cover what matches, instead of the usual range, where `from` and `to` do not say it. */
  readonly isOverMatches: boolean;
  /** The place after which entries count. */
  readonly after: number | undefined;
  /** Number of buckets. */
  readonly buckets: number;
  /** The path of an operation, with parameters in braces. */
  readonly pathOf: (operation: OperationName, list: string | undefined) => string | undefined;
}

interface Group {
  readonly entry: AnyEntry;
  count: number;
  readonly clients: Set<string>;
}

interface Seen {
  requests: number;
  refusals: number;
  readonly last: number;
  /** Those of several sandboxes that answered it. */
  readonly replicas: Set<string>;
}

/** The numbers of matching entries: over time, by kind of refusal, and by client. */
export function overviewOf(journal: Journal, matcher: Matcher, options: OverviewOptions) {
  const { begin, to } = rangeOf(journal, matcher, options);
  const length = Math.max(to - begin, 1) / options.buckets;
  const buckets = Array.from({ length: options.buckets }, (_, index) => ({
    at: isoInstant(Math.round(begin + index * length)) ?? "",
    requests: 0,
    failures: 0,
    handshakes: 0,
  }));
  const groups = new Map<string, Group>();
  const clients = new Map<string, Seen>();
  const names = new Map<string, string>();
  for (const entry of journal.newestFirst(undefined, options.after)) {
    const instant = instantOf(entry);
    if (instant >= to || (options.from !== undefined && instant < options.from) || !matcher.matches(entry)) continue;
    const bucket = buckets[Math.floor((instant - begin) / length)];
    const isGrouped = !isRequest(entry) || outcomeOf(entry.item) === "refused";
    // Entries come newest first, so the first of a group is its newest.
    const group =
      isGrouped &&
      getOrAdd(groups, JSON.stringify(termsOf(entry)), () => ({ entry, count: 0, clients: new Set<string>() }));
    if (group) {
      group.count += 1;
      const name = isRequest(entry) ? shownName(names, entry.item) : undefined;
      if (name !== undefined && group.clients.size < mostNamed) group.clients.add(name);
    }
    if (!isRequest(entry)) {
      if (bucket) bucket.handshakes += 1;
      continue;
    }
    const { status } = entry.item;
    if (bucket) bucket.requests += 1;
    if (bucket && (status === 0 || status >= 400)) bucket.failures += 1;
    const client = shownName(names, entry.item);
    if (client === undefined) continue;
    const seen = getOrAdd(clients, client, () => ({ requests: 0, refusals: 0, last: instant, replicas: new Set() }));
    if (seen) seen.requests += 1;
    if (seen && isGrouped) seen.refusals += 1;
    const { replica } = entry.item;
    if (replica !== undefined && seen && seen.replicas.size < mostNamed) seen.replicas.add(replica);
  }
  return {
    from: isoInstant(begin) ?? "",
    to: isoInstant(to) ?? "",
    buckets,
    groups: [...groups.values()]
      .sort((one, other) => other.count - one.count)
      .slice(0, mostGroups)
      .map((group) => groupView(group, options)),
    clients: [...clients].slice(0, mostClients).map(([client, { last, replicas, ...counts }]) => ({
      client,
      ...counts,
      replicas: [...replicas].sort(),
      lastSeen: isoInstant(last) ?? "",
    })),
  };
}

/** When the buckets begin and end. */
function rangeOf(journal: Journal, matcher: Matcher, { from, to, now, after, isOverMatches }: OverviewOptions) {
  const usual = () => {
    // The present instant is included.
    const end = to ?? now + 1;
    return { begin: from ?? Math.max(end - usualRange, yearZero), to: end };
  };
  if (!isOverMatches) return usual();
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const entry of journal.newestFirst(undefined, after)) {
    const instant = instantOf(entry);
    if (instant >= (to ?? Infinity) || instant < (from ?? -Infinity) || !matcher.matches(entry)) continue;
    first = Math.min(first, instant);
    last = Math.max(last, instant);
  }
  if (first > last) return usual();
  const end = to ?? last + 1;
  return { begin: from ?? Math.max(Math.min(first, end - leastRange), yearZero), to: end };
}

/** The value of a key. A new one is made if there is room for it. */
function getOrAdd<V>(known: Map<string, V>, key: string, make: () => V): V | undefined {
  if (!known.has(key) && known.size < mostCounted) known.set(key, make());
  return known.get(key);
}

/**
 * The name of a client, without secrets.
 * @param names the known ones: redacting a name takes longer than all the rest
 */
function shownName(names: Map<string, string>, exchange: Exchange): string | undefined {
  const named = clientNamed(exchange)?.slice(0, longestRead);
  if (named === undefined) return undefined;
  return getOrAdd(names, named, () => redactText(named).slice(0, longestClaim));
}

/** The common properties of a group's entries, as terms of a query. */
function termsOf(entry: AnyEntry): string[] {
  if (!isRequest(entry)) return [termText("kind", "handshake"), termText("cause", entry.item.cause)];
  const { code, operation, list, method } = entry.item;
  const valueOrNone = (key: QueryKey, value: string | undefined) =>
    value === undefined ? `-${key}:*` : termText(key, value);
  return [
    termText("outcome", "refused"),
    valueOrNone("code", code),
    valueOrNone("op", operation),
    valueOrNone("list", list),
    termText("method", method),
  ];
}

function groupView({ entry, count, clients }: Group, { q = "", from, to, pathOf }: OverviewOptions) {
  const written = new Set(parseQuery(q).terms.map(({ at, length }) => q.slice(at, at + length)));
  const range = [from === undefined ? "" : `from:${isoInstant(from)}`, to === undefined ? "" : `to:${isoInstant(to)}`];
  const terms = [q.trim(), ...[...termsOf(entry), ...range].filter((term) => !written.has(term))];
  const request = isRequest(entry) ? entry.item : undefined;
  return {
    kind: request ? "request" : "handshake",
    code: (isRequest(entry) ? entry.item.code : entry.item.cause) ?? null,
    operation: request?.operation ?? null,
    list: request?.list ?? null,
    method: request?.method ?? null,
    path: (request?.operation && pathOf(request.operation, request.list)) ?? null,
    count,
    clients: [...clients],
    newest: isoInstant(instantOf(entry)) ?? "",
    q: terms.filter((term) => term !== "").join(" "),
  };
}
