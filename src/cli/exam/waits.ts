import { retryAfter } from "../../exam/observe/answer.js";
import { monotonicNow, systemClock } from "../../sandbox/clock.js";
import type { HandshakeRecord } from "../../sandbox/journal/entry.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { RunResult } from "../run/one-run.js";
import type { Drill } from "./drills.js";
import { reachedBy } from "./reached.js";

/** In milliseconds on the monotonic clock. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** After a failure, a client may pause this long, in milliseconds: as long as a drill holds a request. */
const longestPause = 30_000;
/** Or so many times as long as it has repeated the request until then: pauses grow. */
const growth = 10;

/**
 * Whether a command that was ended from outside may not be judged by that: it waited then, or had waited for half of
 * its time. A client waits
 * - as long as a fault holds its request, or the handshake of its connection;
 * - as long as `Retry-After` says;
 * - after a failure until it sends the same request again: for 30 s, or as long as growing pauses explain.
 *
 * @param exchanges that are over
 * @param handshakes that a fault held, for the longest time that it holds them
 */
export function hasWaited(
  exchanges: readonly Exchange[],
  handshakes: readonly Span[],
  { begunAt, endedAt }: RunResult["times"],
): boolean {
  const { over, open } = waitsIn(exchanges);
  const ended = [...over, ...givenUp(handshakes, exchanges)];
  if ([...ended, ...open].some(({ from, until }) => from <= endedAt && until >= endedAt)) return true;
  return lengthOf(ended, endedAt) >= (endedAt - begunAt) / 2;
}

/** The waits that are over, and the pauses after which no request came: these may have been a hang. */
function waitsIn(exchanges: readonly Exchange[]): { readonly over: readonly Span[]; readonly open: readonly Span[] } {
  const over: Span[] = [];
  /** By request: since when it fails, and the pause after its last failure. */
  const failing = new Map<string, { readonly since: number; readonly pause: Span }>();
  const passed = exchanges.flatMap((exchange) => (exchange.passage ? [{ exchange, passage: exchange.passage }] : []));
  for (const { exchange, passage } of passed.sort((one, other) => one.passage.arrivedAt - other.passage.arrivedAt)) {
    const { arrivedAt, overAt } = passage;
    const from = passage.releasedAt || overAt;
    const key = `${exchange.method} ${exchange.target}`;
    const before = failing.get(key);
    if (before !== undefined) over.push({ ...before.pause, until: Math.min(before.pause.until, arrivedAt) });
    failing.delete(key);
    if (exchange.injected !== undefined) over.push({ from: arrivedAt, until: from });
    const isDelivered = exchange.delivered === true;
    if (isDelivered && exchange.status < 500 && exchange.status !== 429 && reachedBy(exchange) !== "failure") continue;
    const since = before?.since ?? from;
    const told = isDelivered ? (retryAfter(exchange, from - arrivedAt)?.wait ?? 0) : 0;
    const until = from + Math.max(told, longestPause, growth * (from - since));
    failing.set(key, { since, pause: { from, until } });
  }
  return { over, open: [...failing.values()].map(({ pause }) => pause) };
}

/** When a client gave up a connection whose handshake was held is not known: at the latest when it sent a request. */
function givenUp(handshakes: readonly Span[], exchanges: readonly Exchange[]): readonly Span[] {
  const arrivals = exchanges.flatMap(({ passage }) => (passage === undefined ? [] : [passage.arrivedAt]));
  return handshakes.map(({ from, until }) => ({
    from,
    until: Math.min(until, ...arrivals.filter((arrival) => arrival > from)),
  }));
}

/** The handshakes that a scenario held. The journal has the machine's time of their beginnings. */
export function heldHandshakes(records: readonly HandshakeRecord[], { holdsHandshake }: Pick<Drill, "holdsHandshake">) {
  const monotonic = monotonicNow() - systemClock.now();
  return records
    .filter(({ cause }) => cause === "held-by-scenario")
    .map(({ at }) => ({ from: at + monotonic, until: at + monotonic + holdsHandshake }));
}

/** How long the spans take together, up to an end. */
function lengthOf(spans: readonly Span[], end: number): number {
  let length = 0;
  let counted = Number.NEGATIVE_INFINITY;
  for (const { from, until } of [...spans].sort((one, other) => one.from - other.from)) {
    const [begin, last] = [Math.max(from, counted), Math.min(until, end)];
    if (last > begin) length += last - begin;
    counted = Math.max(counted, last);
  }
  return length;
}
