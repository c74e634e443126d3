import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import { nothingFailed, type Pauses, pausesFrom, pausesWith } from "./pauses.js";
import { mostUnread, type Reading } from "./reading.js";
import { type Answered, answeredBy, type Sent } from "./sending.js";
import { isRefusedCursor } from "./walks.js";

/** How many different requests of a client are counted, and how many exchanges of each are remembered. */
const mostRequests = 256;
const mostExchanges = 64;
/** The same as long as all were answered well. */
const mostGood = 4;

/** How many correlation IDs of a client are remembered. */
const mostIds = 256;

/** Failures are in a row if each comes at most this long after the previous one, in milliseconds. */
export const longestInterval = 5000;

/** Statuses that no repetition changes. */
export const permanentStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405]);

/** The sample error is requested on purpose, and `list.restart` judges what follows a refused cursor. */
const excepted: ReadonlySet<string> = new Set(["EXAMPLE_ERROR", "INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** Whether an answer says that no repetition can help. A client that did not get all of it does not know that. */
export function isPermanent({ ending, status, code }: ExchangeObservation): boolean {
  return ending === "delivered" && permanentStatuses.has(status) && !excepted.has(code ?? "");
}

/** Whether a request has failed in a way that may pass. One that its client gave up has failed as well. */
export function hasFailed({ status, ending }: ExchangeObservation): boolean {
  return ending !== "delivered" || status >= 500 || status === 408 || status === 429;
}

/** An exchange, as the counts need it. */
export interface CountedExchange extends Answered {
  readonly arrivedAt: number;
  /** What it carried. */
  readonly token: string | undefined;
  readonly cursor: string | undefined;
  /** From when on the client may send it again; never after a good answer. */
  readonly dueAt: number;
  /** The end of the wait that the answer asked for. */
  readonly waitsUntil: number | undefined;
  /** How long that wait is. */
  readonly wait?: number | undefined;
  /** Whether its token, or its cursor, was refused: then it may be sent again with another one. */
  readonly refuses: "token" | "cursor" | undefined;
}

/** What is counted of equal requests. */
export interface Count {
  arrived: number;
  /** Failures in a row, each at most five seconds after the one before. */
  failures: number;
  /** The pauses between them. */
  pauses: Pauses;
  /** Permanent refusals in a row that were read before the newest request was sent, and those that may not have been. */
  refusals: number;
  unread: number;
  /** Whether the newest answer is such a refusal. */
  isRefused: boolean;
  /** In the order of their arrival. */
  readonly exchanges: CountedExchange[];
  /** How many of them could be sent again. */
  open: number;
  /** How many exchanges are no longer remembered that could be sent again. */
  dropped: number;
}

/** What identifies a request. */
export interface RequestKey {
  /** The same for equal requests. */
  readonly key: string;
  /** The same for requests that differ in parameters only: a filter may have another date in each run. */
  readonly kind: string;
}

/** Equal requests of one client, and how many calls they can belong to at most. */
export interface EqualRequests {
  /** The same for all of them. */
  readonly key: string;
  readonly count: Count;
  /**
   * R: how many calls of the client send this request. Known from a run without a fault; 1 for requests with the same
   * correlation ID.
   */
  readonly calls: number | undefined;
}

/**
 * Counts equal requests. Whether a request repeats another one, or is the first attempt of another call, cannot be seen
 * from one request: with several workers, or several tests, both look the same. But a client never sends more of them
 * than it has calls, and failures after which it may repeat.
 */
export class Calls {
  private readonly counts = new Map<string, Count>();
  private readonly byId = new Map<string, Count>();
  /** By correlation ID: the request that had it; undefined once several had it, or a call with it was answered. */
  private readonly ids = new Map<string, string | undefined>();
  /** Requests of one kind, whatever their parameters are: a filter may have another date in each run. */
  readonly kinds = new Map<string, number>();
  /** How many requests were neither for a token nor had a cursor. */
  begun = 0;
  /** How often walks had to begin again, by path and filters: each of their pages is requested once more. */
  private readonly restarts = new Map<string, number>();

  /** What happened before a change of the scenario or the clock was not caused by the client. */
  clear(): void {
    this.counts.clear();
    this.byId.clear();
    this.ids.clear();
    this.restarts.clear();
  }

  /**
   * Counts an exchange that is over.
   * @param walk that its cursor belongs to, whatever filters it was sent with
   * @returns the count of the equal requests, and of those with the same correlation ID
   */
  add(
    observed: ExchangeObservation,
    sent: Sent,
    { key, kind }: RequestKey,
    reading: Reading,
    walk: string | undefined,
  ): readonly [Count, Count | undefined] {
    const { correlationId, code, operation, page } = observed;
    if (operation !== "token" && page?.cursor === undefined) this.begun += 1;
    remember(this.kinds, kind, (this.kinds.get(kind) ?? 0) + 1, mostRequests);
    const exchange = countedOf(observed, sent);
    if (walk !== undefined && exchange.refuses === "cursor")
      remember(this.restarts, walk, this.restartsOf(walk) + 1, mostRequests);
    const count = addTo(this.counts, key, exchange, observed, reading);
    // A client that sends an ID of a wrong form may send the same with all requests.
    if (correlationId === undefined || code === "INVALID_CORRELATION_ID") return [count, undefined];
    const known = this.ids.has(correlationId) ? this.ids.get(correlationId) : key;
    const isShared = known !== key;
    // An ID that goes on after a good answer is not that of one call.
    const isOver = exchange.dueAt === Number.POSITIVE_INFINITY;
    remember(this.ids, correlationId, isShared || isOver ? undefined : key, mostIds);
    return [count, isShared ? undefined : addTo(this.byId, `${correlationId} ${key}`, exchange, observed, reading)];
  }

  /** How often a walk had to begin again. */
  restartsOf(walk: string): number {
    return this.restarts.get(walk) ?? 0;
  }

  /** How many equal requests have arrived, by request. */
  arrived(): ReadonlyMap<string, number> {
    return new Map([...this.counts].map(([key, { arrived }]) => [key, arrived]));
  }
}

function addTo(
  counts: Map<string, Count>,
  key: string,
  exchange: CountedExchange,
  observed: ExchangeObservation,
  reading: Reading,
): Count {
  const known = counts.get(key);
  const count = known ?? nothing();
  if (known === undefined) remember(counts, key, count, mostRequests);
  const { exchanges } = count;
  const newest = exchanges.at(-1);
  const isProven = newest !== undefined && reading.isProven(newest);
  const wasRefused = count.isRefused && (isProven || count.unread === mostUnread);
  const isFailure = hasFailed(observed) && observed.expected === undefined;
  const isRefused = isPermanent(observed) && observed.expected === undefined;
  const isQuick = count.failures > 0 && observed.arrivedAt - count.pauses.endedAt <= longestInterval;
  count.arrived += 1;
  if (isFailure) count.pauses = isQuick ? pausesWith(count.pauses, observed) : pausesFrom(observed);
  count.failures = isFailure ? (isQuick ? count.failures : 0) + 1 : 0;
  count.refusals = isRefused || count.isRefused ? count.refusals + (wasRefused ? 1 : 0) : 0;
  count.unread = count.isRefused ? Math.min(mostUnread, count.unread + (isProven ? 0 : 1)) : 0;
  count.isRefused = isRefused;
  insert(exchanges, exchange);
  if (exchange.dueAt !== Number.POSITIVE_INFINITY) count.open += 1;
  while (exchanges.length > (count.open > 0 ? mostExchanges : mostGood)) drop(count, reading);
  return count;
}

/** Forgets the oldest exchange. One that may have been given up could be sent again. */
function drop(count: Count, reading: Reading): void {
  const oldest = count.exchanges.shift();
  if (oldest === undefined) return;
  const isGood = oldest.dueAt === Number.POSITIVE_INFINITY;
  if (!isGood) count.open -= 1;
  if (!isGood || !reading.isProven(oldest)) count.dropped += 1;
}

/** Most exchanges end in the order of their arrival. */
function insert(exchanges: CountedExchange[], exchange: CountedExchange): void {
  let place = exchanges.length;
  while (place > 0 && (exchanges[place - 1] as CountedExchange).arrivedAt > exchange.arrivedAt) place -= 1;
  if (place === exchanges.length) exchanges.push(exchange);
  else exchanges.splice(place, 0, exchange);
}

function nothing(): Count {
  return {
    arrived: 0,
    failures: 0,
    pauses: nothingFailed,
    refusals: 0,
    unread: 0,
    isRefused: false,
    exchanges: [],
    open: 0,
    dropped: 0,
  };
}

function countedOf(observed: ExchangeObservation, sent: Sent): CountedExchange {
  const { arrivedAt, releasedAt, token, retryAfter, page } = observed;
  const waitsUntil = retryAfter && releasedAt + retryAfter.wait - retryAfter.grace;
  return {
    ...answeredBy(observed, sent),
    arrivedAt,
    token,
    cursor: page?.cursor,
    dueAt: dueAfter(observed) ?? waitsUntil ?? releasedAt,
    waitsUntil,
    wait: retryAfter?.wait,
    refuses: whatIsRefused(observed),
  };
}

function whatIsRefused(observed: ExchangeObservation): CountedExchange["refuses"] {
  if (observed.ending === "delivered" && observed.invalidToken) return "token";
  return isRefusedCursor(observed) ? "cursor" : undefined;
}

/** When a request may be sent again, unless its answer says how long to wait. When a client gave up is not known. */
function dueAfter(observed: ExchangeObservation): number | undefined {
  const { status, endedByClient, arrivedAt, releasedAt, ending, expected } = observed;
  if (expected !== undefined || endedByClient || ending === "abandoned") return arrivedAt;
  if (ending !== "delivered") return releasedAt;
  return status >= 200 && status < 300 ? Number.POSITIVE_INFINITY : undefined;
}
