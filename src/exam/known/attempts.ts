import { remember } from "../../base/remember.js";
import type { ExchangeObservation } from "../observation.js";
import { hasFailed, isPermanent, longestInterval } from "./calls.js";
import { isRepetition, type Overlap, Overlaps, type Tried, triedBy } from "./repetition.js";
import { attemptKey } from "./same-request.js";
import type { Sent } from "./sending.js";

/**
 * How many requests of a client are remembered. With one more, the oldest one is forgotten: its repetitions start at
 * one.
 * @internal exported for tests of the bound
 */
export const mostRequests = 128;

/** How many parallel attempts at one request are remembered. */
const mostAttempts = 16;

/** A repetition that follows sooner counts as not paced, in milliseconds. */
export const pace = 100;

/** How many of the first pauses of a row are remembered. */
const mostPauses = 7;

/** The newest attempt at a request, and the row of attempts before it. */
export interface Attempt extends Tried {
  readonly previous: number | undefined;
  readonly body: string | undefined;
  /**
   * Where intervals begin: `releasedAt`, or the arrival if the client gave up, because it is not known when it did.
   * Then an interval is too long rather than too short.
   */
  readonly countsFrom: number;
  readonly retryAfter: ExchangeObservation["retryAfter"];
  /** Failures in a row. */
  readonly failures: number;
  /** Failures in a row, each within five seconds of the previous one. */
  readonly quickFailures: number;
  /** Repetitions in a row that were not paced. */
  readonly fast: number;
  /** The first pauses of the row, in milliseconds, without the one before the first repetition. */
  readonly pauses: readonly number[];
  /** Refusals in a row that no repetition changes. */
  readonly refusals: number;
}

/** How a request follows others, as far as the sandbox can see: by their times and connections. */
export interface Attempted extends Overlap {
  /** What it repeats, and how long after, in milliseconds. */
  readonly before: Attempt | undefined;
  readonly interval: number;
  /** Whether it follows a failure of the same request, and either repeats it or was on its way. */
  readonly followsFailure: boolean;
  /** The attempt that it is itself, if something has to follow. */
  readonly attempt: Attempt | undefined;
}

/** A request that follows no other. */
export const nothingAttempted: Attempted = {
  isContended: false,
  repeatedBy: undefined,
  before: undefined,
  interval: Number.POSITIVE_INFINITY,
  followsFailure: false,
  attempt: undefined,
};

/** Rows of equal requests: an attempt and its repetitions. What it says is likely; `Calls` proves. */
export class Attempts {
  /** The attempts that have no successor yet, by request, in the order in which they ended. */
  private readonly open = new Map<string, Attempt[]>();
  private readonly overlaps = new Overlaps();

  clear(): void {
    this.open.clear();
    this.overlaps.clear();
  }

  /** Adds an exchange that is over. */
  add(observed: ExchangeObservation, sent: Sent): Attempted {
    const key = attemptKey(observed);
    if (observed.expected !== undefined) {
      // An error that was provoked on purpose: what follows does not repeat it.
      this.open.delete(key);
      return nothingAttempted;
    }
    const overlap = this.overlaps.add(key, observed);
    if (overlap.isContended) {
      this.open.delete(key);
      return { ...nothingAttempted, ...overlap };
    }
    const isFailure = hasFailed(observed);
    const isRefusal = isPermanent(observed);
    const goesOn = overlap.repeatedBy === undefined && (isFailure || isRefusal || observed.retryAfter !== undefined);
    if (!goesOn && this.open.size === 0)
      return overlap.repeatedBy === undefined ? nothingAttempted : { ...nothingAttempted, ...overlap };
    const open = this.open.get(key);
    const before = open && takeBefore(observed, sent, open);
    const interval = before === undefined ? Number.POSITIVE_INFINITY : intervalAfter(before, observed);
    const followsFailure =
      before === undefined && open !== undefined && open.some((each) => each.failures > 0 && follows(observed, each));
    const attempted = { ...overlap, before, interval, followsFailure };
    if (!goesOn) {
      const others = open?.filter((attempt) => !hasBodyOf(observed, attempt)) ?? [];
      if (others.length > 0) this.open.set(key, others);
      else this.open.delete(key);
      return { ...attempted, attempt: undefined };
    }
    const attempt = attemptOf(observed, sent, before, interval);
    // A slice takes only the memory that it needs; an array that grows by `push` takes more.
    const attempts = [...(open ?? []), attempt].slice(-mostAttempts);
    remember(this.open, key, attempts, mostRequests);
    return { ...attempted, attempt };
  }
}

/** The answer itself may request a short wait. */
export function isFast(interval: number, { retryAfter }: Attempt): boolean {
  return interval < pace && retryAfter === undefined;
}

/** The first pauses of a row, with the newest one. An answer that says how long to wait begins a new row. */
export function pausesWith(interval: number, before: Attempt): readonly number[] {
  if (before.retryAfter !== undefined || before.failures < 2) return [];
  return [...before.pauses, interval].slice(0, mostPauses);
}

/** The exchanges at the end of a row: two attempts, and the request that repeats them. */
export function endOfRow({ previous, id }: Attempt, repetition: number): readonly number[] {
  return [previous, id, repetition].filter((each) => each !== undefined);
}

/**
 * Takes the attempt that a request repeats. If several clients share an identity, that is the one that waited the
 * longest; a client that sends one request at a time repeats its newest attempt.
 */
function takeBefore(observed: ExchangeObservation, sent: Sent, open: Attempt[]): Attempt | undefined {
  const isBefore = (attempt: Attempt) => hasBodyOf(observed, attempt) && isRepetition(observed, sent, attempt) === true;
  const place = sent.alone ? open.findLastIndex(isBefore) : open.findIndex(isBefore);
  if (place < 0) return undefined;
  return sent.alone ? open.splice(0, place + 1).at(-1) : open.splice(place, 1)[0];
}

function follows(observed: ExchangeObservation, attempt: Attempt): boolean {
  return hasBodyOf(observed, attempt) && observed.arrivedAt >= attempt.releasedAt;
}

/** The longest time that may have passed between an attempt and its repetition, in milliseconds. */
function intervalAfter(before: Attempt, observed: ExchangeObservation): number {
  return observed.arrivedAt - before.countsFrom;
}

/** Whether two requests have the same body, if both were read. */
function hasBodyOf({ body }: ExchangeObservation, attempt: Attempt): boolean {
  return attempt.body === undefined || body === undefined || attempt.body === body;
}

function attemptOf(observed: ExchangeObservation, sent: Sent, before: Attempt | undefined, interval: number): Attempt {
  const { body, arrivedAt, releasedAt, endedByClient, retryAfter } = observed;
  const failures = before?.failures ?? 0;
  const isFastOne = before !== undefined && failures > 1 && isFast(interval, before);
  const quick = interval <= longestInterval ? (before?.quickFailures ?? 0) : 0;
  const isFailure = hasFailed(observed);
  return {
    ...triedBy(observed, sent),
    previous: before?.id,
    body,
    countsFrom: endedByClient ? arrivedAt : releasedAt,
    retryAfter,
    failures: isFailure ? failures + 1 : 0,
    quickFailures: isFailure ? quick + 1 : 0,
    fast: isFailure && isFastOne ? (before?.fast ?? 0) + 1 : 0,
    pauses: isFailure && before !== undefined ? pausesWith(interval, before) : [],
    refusals: isPermanent(observed) ? (before?.refusals ?? 0) + 1 : 0,
  };
}
