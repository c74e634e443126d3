import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import { type Reading, shortestTimeout } from "./reading.js";
import { type Answered, answeredBy, type Sent } from "./sending.js";

/** How many different requests of a client are counted, and how many exchanges of each are remembered. */
const mostRequests = 256;
const mostExchanges = 64;

/** How many correlation IDs of a client are remembered. */
const mostIds = 256;

/**
 * How many answers a client can have given up at most, among equal requests, before it could read them. Over HTTP/2
 * nothing shows that an answer was read.
 */
const mostUnread = 16;

/** Failures are in a row if each comes at most this long after the previous one, in milliseconds. */
export const longestInterval = 5000;

/** Statuses that no repetition changes. */
const permanent: ReadonlySet<number> = new Set([400, 403, 404, 405]);

/** The sample error is requested on purpose, and `list.restart` judges what follows a refused cursor. */
const excepted: ReadonlySet<string> = new Set(["EXAMPLE_ERROR", "INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** Whether an answer says that no repetition can help. A client that did not get all of it does not know that. */
export function isPermanent({ ending, status, code }: ExchangeObservation): boolean {
  return ending === "delivered" && permanent.has(status) && !excepted.has(code ?? "");
}

/** Whether a request has failed in a way that may pass. One that its client gave up has failed as well. */
export function hasFailed({ status, ending }: ExchangeObservation): boolean {
  return ending !== "delivered" || status >= 500 || status === 408 || status === 429;
}

/** An exchange, as the counts need it. */
interface CountedExchange extends Answered {
  readonly arrivedAt: number;
  /** What it carried. */
  readonly token: string | undefined;
  readonly cursor: string | undefined;
  /** From when on the client may send it again; never after a good answer. */
  readonly dueAt: number;
  /** The end of the wait that the answer asked for. */
  readonly waitsUntil: number | undefined;
  /** Whether its token, or its cursor, was refused: then it may be sent again with another one. */
  readonly refuses: "token" | "cursor" | undefined;
}

/** What is counted of equal requests. */
interface Count {
  readonly arrived: number;
  /** Failures in a row, and when the last one ended. */
  readonly failures: number;
  readonly failedAt: number;
  /** Permanent refusals in a row that were read before the newest request was sent, and those that may not have been. */
  readonly refusals: number;
  readonly unread: number;
  /** Whether the newest answer is such a refusal. */
  readonly isRefused: boolean;
  /** In the order of their arrival. */
  readonly exchanges: readonly CountedExchange[];
  /** How many exchanges are no longer remembered that could be sent again. */
  readonly dropped: number;
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
  /** When walks had to begin again, by path and filters: each of their pages is requested once more. */
  private readonly restarts = new Map<string, readonly number[]>();

  /** What happened before a change of the scenario or the clock was not caused by the client. */
  clear(): void {
    this.counts.clear();
    this.byId.clear();
    this.ids.clear();
    this.restarts.clear();
  }

  /**
   * Counts an exchange that is over.
   * @returns the count of the equal requests, and of those with the same correlation ID
   */
  add(
    observed: ExchangeObservation,
    sent: Sent,
    { key, kind }: RequestKey,
    reading: Reading,
  ): readonly [Count, Count | undefined] {
    const { correlationId, page, code } = observed;
    remember(this.kinds, kind, (this.kinds.get(kind) ?? 0) + 1, mostRequests);
    const exchange = countedOf(observed, sent);
    if (page !== undefined && exchange.refuses === "cursor")
      remember(
        this.restarts,
        page.walk,
        [...(this.restarts.get(page.walk) ?? []), observed.releasedAt].slice(-mostExchanges),
        mostRequests,
      );
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
    return this.restarts.get(walk)?.length ?? 0;
  }

  /** How many equal requests have arrived, by request. */
  arrived(): ReadonlyMap<string, number> {
    return new Map([...this.counts].map(([key, { arrived }]) => [key, arrived]));
  }
}

/**
 * Finds a request that cannot be the first attempt of a call, nor a repetition that was due, and the answer before it that
 * asked to wait.
 * @returns their ids
 */
export function tooSoon({ count, calls }: EqualRequests, reading: Reading): readonly [number, number] | undefined {
  if (calls === undefined || !count.exchanges.some(({ waitsUntil }) => waitsUntil !== undefined)) return undefined;
  const dropped = count.arrived - count.exchanges.length - count.dropped;
  for (const { later, read } of excess(count.exchanges, calls - dropped, reading)) {
    const before = read.find(({ waitsUntil = 0 }) => waitsUntil > later.arrivedAt);
    if (before !== undefined) return [before.id, later.id];
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
    return Math.min(each.dueAt, each.notBefore + shortestTimeout);
  });
  for (const [index, later] of exchanges.entries()) {
    const isDue = (at: number) => at <= later.arrivedAt;
    if (index < calls + dues.filter(isDue).length) continue;
    const isRead = (each: CountedExchange) => unread === mostUnread || reading.isProven(each, later.arrivedAt);
    const read = exchanges.filter((each) => each.releasedAt < later.arrivedAt && isRead(each));
    yield { later, read };
  }
}

function addTo(
  counts: Map<string, Count>,
  key: string,
  exchange: CountedExchange,
  observed: ExchangeObservation,
  reading: Reading,
): Count {
  const count = counts.get(key) ?? nothing();
  const { exchanges: before } = count;
  const newest = before.at(-1);
  const isProven = newest !== undefined && reading.isProven(newest, exchange.arrivedAt);
  const wasRefused = count.isRefused && (isProven || count.unread === mostUnread);
  const isFailure = hasFailed(observed) && observed.expected === undefined;
  const isRefused = isPermanent(observed) && observed.expected === undefined;
  const isQuick = observed.arrivedAt - count.failedAt <= longestInterval;
  const place = before.findLastIndex(({ arrivedAt }) => arrivedAt <= exchange.arrivedAt) + 1;
  const exchanges = [...before.slice(0, place), exchange, ...before.slice(place)];
  const oldest = exchanges.length > mostExchanges ? exchanges[0] : undefined;
  const next: Count = {
    arrived: count.arrived + 1,
    failures: isFailure ? (isQuick ? count.failures : 0) + 1 : 0,
    failedAt: isFailure ? observed.releasedAt : count.failedAt,
    refusals: isRefused || count.isRefused ? count.refusals + (wasRefused ? 1 : 0) : 0,
    unread: !count.isRefused ? 0 : Math.min(mostUnread, count.unread + (isProven ? 0 : 1)),
    isRefused,
    exchanges: oldest === undefined ? exchanges : exchanges.slice(1),
    dropped: count.dropped + (oldest !== undefined && oldest.dueAt !== Number.POSITIVE_INFINITY ? 1 : 0),
  };
  remember(counts, key, next, mostRequests);
  return next;
}

function nothing(): Count {
  return {
    arrived: 0,
    failures: 0,
    failedAt: Number.NEGATIVE_INFINITY,
    refusals: 0,
    unread: 0,
    isRefused: false,
    exchanges: [],
    dropped: 0,
  };
}

function countedOf(observed: ExchangeObservation, sent: Sent): CountedExchange {
  const { arrivedAt, releasedAt, token, retryAfter, timeError, page } = observed;
  const waitsUntil = retryAfter && releasedAt + retryAfter.wait - retryAfter.grace - timeError;
  return {
    ...answeredBy(observed, sent),
    arrivedAt: arrivedAt + timeError,
    token,
    cursor: page?.cursor,
    dueAt: dueAfter(observed) ?? waitsUntil ?? releasedAt - timeError,
    waitsUntil,
    refuses: whatIsRefused(observed),
  };
}

function whatIsRefused({ ending, invalidToken, code }: ExchangeObservation): CountedExchange["refuses"] {
  if (ending !== "delivered") return undefined;
  if (invalidToken) return "token";
  return code === "INVALID_CURSOR" || code === "CURSOR_FILTERS_CHANGED" ? "cursor" : undefined;
}

/** When a request may be sent again, unless its answer says how long to wait. When a client gave up is not known. */
function dueAfter(observed: ExchangeObservation): number | undefined {
  const { status, endedByClient, arrivedAt, releasedAt, ending, expected } = observed;
  if (expected !== undefined || endedByClient || ending === "abandoned") return arrivedAt;
  if (ending !== "delivered") return releasedAt;
  return status >= 200 && status < 300 ? Number.POSITIVE_INFINITY : undefined;
}
