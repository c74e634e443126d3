import type { CountedExchange, EqualRequests } from "./calls.js";
import { mostUnread, type Reading } from "./reading.js";

/**
 * Finds a request that cannot be the first attempt of a call, nor a repetition that was due, and the answer before it that
 * asked to wait.
 * @returns their ids, and the time between them and that wait, in milliseconds
 */
export function tooSoon(
  { count, calls }: EqualRequests,
  reading: Reading,
): { readonly ids: readonly [number, number]; readonly after: number; readonly wait: number } | undefined {
  if (calls === undefined || !count.exchanges.some(({ waitsUntil }) => waitsUntil !== undefined)) return undefined;
  const dropped = count.arrived - count.exchanges.length - count.dropped;
  for (const { later, read } of excess(count.exchanges, calls - dropped, reading)) {
    const before = read.find(({ waitsUntil = 0 }) => waitsUntil > later.arrivedAt);
    if (before !== undefined)
      return { ids: [before.id, later.id], after: later.arrivedAt - before.releasedAt, wait: before.wait ?? 0 };
  }
  return undefined;
}

/** A token or a cursor that is sent again after it was refused, by a request that belongs to no other call. */
export function sentAgain(
  { count, calls }: EqualRequests,
  what: "token" | "cursor",
  value: string,
  reading: Reading,
  since = Number.NEGATIVE_INFINITY,
): readonly [number, number] | undefined {
  if (calls === undefined) return undefined;
  const exchanges = count.exchanges
    .filter((exchange) => exchange[what] === value && exchange.arrivedAt >= since)
    .map((exchange) => (exchange.refuses === what ? { ...exchange, dueAt: Number.POSITIVE_INFINITY } : exchange));
  for (const { later, read } of excess(exchanges, calls, reading)) {
    const refused = read.find(({ refuses }) => refuses === what);
    if (refused !== undefined) return [refused.id, later.id];
  }
  return undefined;
}

/** Requests that no call and no failure explains, each with the answers before it that were read. */
function* excess(
  exchanges: readonly CountedExchange[],
  calls: number,
  reading: Reading,
): Generator<{ readonly later: CountedExchange; readonly read: readonly CountedExchange[] }> {
  // A client that gave up an answer before it could read it may send the request again.
  let unread = 0;
  const dues = exchanges.map((each) => {
    if (reading.isProven(each) || unread === mostUnread) return each.dueAt;
    unread += 1;
    return Math.min(each.dueAt, each.notBefore);
  });
  for (const [index, later] of exchanges.entries()) {
    // One that was given up on its way explains those that overtook it, and not itself.
    const before = exchanges[index - 1]?.arrivedAt ?? Number.NEGATIVE_INFINITY;
    const isDue = (at: number, place: number) => (place === index ? at < before : at <= later.arrivedAt);
    if (index < calls + dues.filter(isDue).length) continue;
    const isRead = (each: CountedExchange) => unread === mostUnread || reading.isProven(each);
    const read = exchanges.filter((each) => each.releasedAt < later.arrivedAt && isRead(each));
    yield { later, read };
  }
}
