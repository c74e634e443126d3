import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { isRepetition, Overlaps, type Tried } from "./repetition.js";
import { attemptKey } from "./same-request.js";
import { answeredBy, readApart, type Sent } from "./sending.js";

/**
 * How many requests of a client are remembered. With one more, the oldest one is forgotten: its repetitions start at
 * one.
 * @internal exported for tests of the bound
 */
export const mostRequests = 128;

/** How many parallel attempts at one request are remembered. */
const mostAttempts = 16;

/** A repetition that follows sooner counts as not paced, in milliseconds. */
const pace = 100;

/** This many fast repetitions in a row are a failure; the first repetition may be fast. */
const mostFast = 2;

/** This many failures in a row fail the check. */
const tooManyFailures = 11;
/** Failures are in a row if each comes at most this long after the previous one, in milliseconds. */
const longestInterval = 5000;

/**
 * Pauses do not grow if this many of the first ones, from the second repetition on, are not half as long again as the
 * first, and none of them is as long as the harmless one (in milliseconds). A busy machine makes some longer.
 */
const comparedPauses = 5;
const mostPauses = 7;
const harmlessPause = 300;

/** Statuses that no repetition changes. */
const permanent: ReadonlySet<number> = new Set([400, 403, 404, 405]);

/** The sample error is requested on purpose, and `list.restart` judges what follows a refused cursor. */
const excepted: ReadonlySet<string> = new Set(["EXAMPLE_ERROR", "INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** The newest attempt at a request, and the row of attempts before it. */
interface Attempt extends Tried {
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

/** Checks `retry.*`: how a client continues when a request has failed. */
export class RetryJudge implements Judge {
  private readonly after = new Finding("retry.after");
  private readonly paced = new Finding("retry.paced");
  private readonly backoff = new Finding("retry.backoff");
  private readonly bounded = new Finding("retry.bounded");
  private readonly permanent = new Finding("retry.permanent");
  /** The attempts that have no successor yet, by request, in the order in which they ended. */
  private readonly open = new Map<string, Attempt[]>();
  private readonly overlaps = new Overlaps();
  private epoch = 0;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    if (observed.epoch !== this.epoch) {
      // The client did not cause the change of scenario or clock.
      this.epoch = observed.epoch;
      this.open.clear();
      this.overlaps.clear();
    }
    const key = attemptKey(observed);
    if (observed.expected !== undefined) {
      // An error that was provoked on purpose: what follows does not repeat it.
      this.open.delete(key);
      return;
    }
    const overlap = this.overlaps.add(key, observed);
    // A given-up attempt, whose end was read after its repetition.
    if (overlap.repeatedBy !== undefined) this.bounded.exercise(overlap.repeatedBy);
    if (overlap.isContended) {
      this.open.delete(key);
      return;
    }
    const isFailure = failed(observed);
    // A client that did not get the whole answer does not know the answer.
    const isKnown = observed.ending === "delivered";
    const isRefusal = isKnown && permanent.has(observed.status) && !excepted.has(observed.code ?? "");
    const goesOn = overlap.repeatedBy === undefined && (isFailure || isRefusal || observed.retryAfter !== undefined);
    if (!goesOn && this.open.size === 0) return;
    const open = this.open.get(key);
    const before = open && this.#takeBefore(observed, sent, open);
    if (before) this.#judgeRepetition(observed, before);
    if (!goesOn) {
      const others = open?.filter((attempt) => !hasBodyOf(observed, attempt)) ?? [];
      if (others.length > 0) this.open.set(key, others);
      else this.open.delete(key);
      return;
    }
    const attempt = attemptOf(observed, before, isFailure, isRefusal);
    this.#judgeAttempt(attempt);
    // A slice takes only the memory that it needs; an array that grows by `push` takes more.
    const attempts = [...(open ?? []), attempt].slice(-mostAttempts);
    remember(this.open, key, attempts, mostRequests);
  }

  findings(): readonly Finding[] {
    return [this.after, this.paced, this.backoff, this.bounded, this.permanent];
  }

  /**
   * Takes the attempt that a request repeats. If several clients share an identity, that is the one that waited the
   * longest; a client that sends one request at a time repeats its newest attempt.
   */
  #takeBefore(observed: ExchangeObservation, sent: Sent, open: Attempt[]): Attempt | undefined {
    const isBefore = (attempt: Attempt) =>
      hasBodyOf(observed, attempt) && isRepetition(observed, sent, attempt) === true;
    const place = sent.alone ? open.findLastIndex(isBefore) : open.findIndex(isBefore);
    if (place >= 0) return sent.alone ? open.splice(0, place + 1).at(-1) : open.splice(place, 1)[0];
    const doubtful = open.find((attempt) => hasBodyOf(observed, attempt) && observed.arrivedAt >= attempt.releasedAt);
    // It follows the failure, and either repeats it or was on its way.
    if (doubtful !== undefined && doubtful.failures > 0) this.bounded.exercise(observed.id);
    return undefined;
  }

  #judgeRepetition(observed: ExchangeObservation, before: Attempt): void {
    const { id } = observed;
    const { retryAfter, failures, refusals } = before;
    const interval = intervalAfter(before, observed);
    if (retryAfter !== undefined) {
      if (interval < retryAfter.wait - retryAfter.grace)
        this.after.fail(
          `A request was repeated after ${Math.max(0, Math.round(interval))} ms although Retry-After required ${Math.round(retryAfter.wait)} ms.`,
          [before.id, id],
        );
      else this.after.exercise(id);
    }
    const inRow = [before.previous, before.id, id].filter((each) => each !== undefined);
    if (failures > 0) this.bounded.exercise(id);
    if (failures > 1 && isFast(interval, before) && before.fast + 1 >= mostFast)
      this.paced.fail("A request that kept failing was repeated several times within 100 ms each.", inRow);
    this.#judgePauses(pausesBefore(interval, before), inRow);
    if (refusals > 1)
      this.permanent.fail(
        "The same request was sent a third time in a row although it was refused permanently.",
        inRow,
      );
  }

  #judgePauses(pauses: readonly number[], inRow: readonly number[]): void {
    if (pauses.length < comparedPauses) return;
    const shortest = equalPause(pauses);
    if (shortest !== undefined)
      this.backoff.fail(
        `A request that kept failing was repeated again and again about ${Math.round(shortest)} ms apart.`,
        inRow,
      );
    else this.backoff.exercise(inRow.at(-1) as number);
  }

  #judgeAttempt({ id, failures, quickFailures, refusals }: Attempt): void {
    if (failures === 3) this.paced.exercise(id);
    if (quickFailures >= tooManyFailures)
      this.bounded.fail(`The same request failed ${quickFailures} times in a row, each within 5 s of the one before.`, [
        id,
      ]);
    if (refusals > 0) this.permanent.exercise(id);
  }
}

/** A request that its client gave up has failed as well. */
function failed({ status, ending }: ExchangeObservation): boolean {
  return ending !== "delivered" || status >= 500 || status === 408 || status === 429;
}

/** The longest time that may have passed between an attempt and its repetition, in milliseconds. */
function intervalAfter(before: Attempt, observed: ExchangeObservation): number {
  return observed.arrivedAt - before.countsFrom + readApart(observed, before);
}

/** The answer itself may request a short wait. */
function isFast(interval: number, { retryAfter }: Attempt): boolean {
  return interval < pace && retryAfter === undefined;
}

/** The first pauses of a row, with the newest one. An answer that says how long to wait begins a new row. */
function pausesBefore(interval: number, before: Attempt): readonly number[] {
  if (before.retryAfter !== undefined || before.failures < 2) return [];
  return [...before.pauses, interval].slice(0, mostPauses);
}

/** The shortest of several pauses that are nearly equal; `retry.paced` judges those that are shorter than its pace. */
function equalPause(pauses: readonly number[]): number | undefined {
  const first = Math.min(...pauses.slice(0, 2));
  const near = pauses.filter((pause) => pause >= pace && pause < harmlessPause && pause < 1.5 * first);
  return near.length >= comparedPauses ? Math.min(...near) : undefined;
}

/** Whether two requests have the same body, if both were read. */
function hasBodyOf({ body }: ExchangeObservation, attempt: Attempt): boolean {
  return attempt.body === undefined || body === undefined || attempt.body === body;
}

function attemptOf(
  observed: ExchangeObservation,
  before: Attempt | undefined,
  isFailure: boolean,
  isRefusal: boolean,
): Attempt {
  const { body, stream, arrivedAt, releasedAt, endedByClient, retryAfter, status } = observed;
  const interval = before === undefined ? Number.POSITIVE_INFINITY : intervalAfter(before, observed);
  const failures = before?.failures ?? 0;
  const isFastOne = before !== undefined && failures > 1 && isFast(interval, before);
  const quick = interval <= longestInterval ? (before?.quickFailures ?? 0) : 0;
  return {
    ...answeredBy(observed),
    stream,
    arrivedAt,
    unanswered: status === 0,
    endedByClient,
    previous: before?.id,
    body,
    countsFrom: endedByClient ? arrivedAt : releasedAt,
    retryAfter,
    failures: isFailure ? failures + 1 : 0,
    quickFailures: isFailure ? quick + 1 : 0,
    fast: isFailure && isFastOne ? (before?.fast ?? 0) + 1 : 0,
    pauses: isFailure && before !== undefined ? pausesBefore(interval, before) : [],
    refusals: isRefusal ? (before?.refusals ?? 0) + 1 : 0,
  };
}
