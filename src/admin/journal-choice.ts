import type * as z from "zod";
import { clientIdOf } from "../sandbox/journal/claimed-clients.js";
import { type AnyEntry, isRequest } from "../sandbox/journal/entry.js";
import type { Exchange } from "../sandbox/journal/exchange.js";
import type { ExplanationContext } from "../sandbox/journal/explanation-context.js";
import type { Journal } from "../sandbox/journal/journal.js";
import { type Matcher, matcherFrom, matcherOf } from "../sandbox/journal/match-query.js";
import { type ListOrder, orderOf, parseQuery } from "../sandbox/journal/query.js";
import { AdminError } from "./error.js";
import type { requestCountQuery } from "./journal-queries.js";
import { inTurns } from "./turns.js";

export type Filters = z.output<typeof requestCountQuery>;

/**
 * The matcher of a query; without a query, it matches everything.
 * @throws AdminError for a query with a problem
 */
export function queryMatcher(q: string | undefined, explanations: ExplanationContext): Matcher {
  const { terms, problems } = parseQuery(q ?? "");
  const [problem] = problems;
  if (problem) {
    const first = problem.at + 1;
    const place = problem.length === 1 ? `character ${first}` : `characters ${first} to ${problem.at + problem.length}`;
    throw new AdminError("INVALID_REQUEST", `In the query: q, ${place}: ${problem.message}`);
  }
  return matcherOf(terms, explanations);
}

/** What a query sorts by. */
export function orderIn(q: string | undefined): ListOrder {
  return orderOf(parseQuery(q ?? ""));
}

/**
 * The same, with the answers for all present entries computed in advance.
 * @throws AdminError for a query with a problem
 */
export async function matcherInTurns(
  q: string | undefined,
  journal: Journal,
  explanations: ExplanationContext,
  signal: AbortSignal,
): Promise<Matcher> {
  const matcher = queryMatcher(q, explanations);
  if (q === undefined) return matcher;
  return matcherFrom(matcher.hasOutcome, await testedInTurns(journal, matcher.matchesOthers, signal));
}

/**
 * Tests entries against filters and query. Only the query applies to handshakes.
 * @throws AdminError
 */
export function chosenBy(filters: Filters, explanations: ExplanationContext): (entry: AnyEntry) => boolean {
  const { q, ...others } = filters;
  const { matches } = queryMatcher(q, explanations);
  const passes = filterOf(others);
  const isFiltered = Object.keys(others).length > 0;
  return (entry) => (isRequest(entry) ? passes(entry.item) : !isFiltered) && matches(entry);
}

/**
 * The same, with the answers for all present entries computed in advance.
 * @throws AdminError
 */
export async function chosenInTurns(
  filters: Filters,
  journal: Journal,
  explanations: ExplanationContext,
  signal: AbortSignal,
): Promise<(entry: AnyEntry) => boolean> {
  const chosen = chosenBy(filters, explanations);
  return filters.q === undefined ? chosen : testedInTurns(journal, chosen, signal);
}

/**
 * The same test with the answers for all present entries.
 * @throws AdminError when the caller has disconnected
 */
async function testedInTurns(
  journal: Journal,
  test: (entry: AnyEntry) => boolean,
  signal: AbortSignal,
): Promise<(entry: AnyEntry) => boolean> {
  const known = new WeakMap<object, boolean>();
  for await (const entry of inTurns([...journal.newestFirst()], signal)) known.set(entry.item, test(entry));
  return (entry) => known.get(entry.item) ?? test(entry);
}

function filterOf({ client, operation, list, status, code, since }: Filters): (exchange: Exchange) => boolean {
  const digits = status?.replace("xx", "") ?? "";
  return (exchange) =>
    (client === undefined || clientIdOf(exchange) === client) &&
    (operation === undefined || exchange.operation === operation) &&
    (list === undefined || exchange.list === list) &&
    String(exchange.status).startsWith(digits) &&
    (code === undefined || exchange.code === code) &&
    (since === undefined || exchange.now >= since);
}
