import { createHash } from "node:crypto";
import { remember } from "../remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { type Answered, answeredBy, isSentAfter, readApart, type Sent } from "./sending.js";

/**
 * How many requests of a client are remembered. One more, and the one that was sent the longest time ago is forgotten: its repetitions start at one.
 * @internal exported for tests
 */
export const mostRequests = 128;

/** How many attempts at one request are remembered that ended side by side. */
const mostAttempts = 16;

/** A longer key is kept as its hash. */
const longestKey = 256;

/** Repetitions that follow sooner are not paced, in milliseconds. */
const pace = 100;

/** The number of fast repetitions in a row that are a failure; the first repetition may be fast. */
const mostFast = 2;

/** The number of failures in a row that are a failure. */
const tooManyFailures = 11;
/** Failures are in a row when each comes at most this long after the one before, in milliseconds. */
const longestInterval = 5000;

/** Answers that no repetition changes. */
const permanent: ReadonlySet<number> = new Set([400, 403, 404, 405]);

/** The sample error is asked for, and what a refused cursor calls for is judged by `list.restart`. */
const excepted: ReadonlySet<string> = new Set(["EXAMPLE_ERROR", "INVALID_CURSOR", "CURSOR_FILTERS_CHANGED"]);

/** The newest attempt at a request, and what came before it in a row. */
interface Attempt extends Answered {
  readonly previous: number | undefined;
  readonly body: string | undefined;
  /**
   * Where intervals begin: `releasedAt`, or the arrival where the client gave up: when it did is not known. Then an interval is too long
   * rather than too short.
   */
  readonly countsFrom: number;
  readonly retryAfter: ExchangeObservation["retryAfter"];
  /** Failures in a row. */
  readonly failures: number;
  /** Failures in a row, each within five seconds of the one before. */
  readonly quickFailures: number;
  /** Repetitions in a row that were not paced. */
  readonly fast: number;
  /** Refusals in a row that no repetition changes. */
  readonly refusals: number;
}

/** Checks `retry.*`: how a client goes on when a request has failed. */
export class RetryJudge implements Judge {
  readonly #after = new Finding("retry.after");
  readonly #paced = new Finding("retry.paced");
  readonly #bounded = new Finding("retry.bounded");
  readonly #permanent = new Finding("retry.permanent");
  /** The attempts that no other one has followed yet, by request, in the order in which they ended. */
  readonly #open = new Map<string, Attempt[]>();
  #epoch = 0;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    if (observed.epoch !== this.#epoch) {
      // A changed scenario or clock is not the client's doing.
      this.#epoch = observed.epoch;
      this.#open.clear();
    }
    const isFailure = failed(observed);
    // A client that did not get the whole answer does not know it.
    const isKnown = observed.ending === "delivered";
    const isRefusal = isKnown && permanent.has(observed.status) && !excepted.has(observed.code ?? "");
    const goesOn = observed.ending !== "abandoned" && (isFailure || isRefusal || observed.retryAfter !== undefined);
    if (!goesOn && this.#open.size === 0) return;
    const key = keyOf(observed);
    const open = this.#open.get(key);
    const before = open && takeBefore(observed, sent, open);
    if (before) this.#judgeRepetition(observed, before);
    if (!goesOn) {
      const others = open?.filter((attempt) => !hasBodyOf(observed, attempt)) ?? [];
      if (others.length > 0) this.#open.set(key, others);
      else this.#open.delete(key);
      return;
    }
    const attempt = attemptOf(observed, before, isFailure, isRefusal);
    this.#judgeAttempt(attempt);
    // A slice takes no more memory than it needs, which an array that is pushed to does.
    const attempts = [...(open ?? []), attempt].slice(-mostAttempts);
    remember(this.#open, key, attempts, mostRequests);
  }

  findings(): readonly Finding[] {
    return [this.#after, this.#paced, this.#bounded, this.#permanent];
  }

  #judgeRepetition(observed: ExchangeObservation, before: Attempt): void {
    const { id, arrivedAt } = observed;
    const { retryAfter, failures, refusals } = before;
    const interval = arrivedAt - before.countsFrom + readApart(observed, before);
    if (retryAfter !== undefined) {
      if (interval < retryAfter.wait - retryAfter.grace)
        this.#after.fail(
          `A request was repeated after ${Math.max(0, Math.round(interval))} ms although Retry-After asked for ${Math.round(retryAfter.wait)} ms.`,
          [before.id, id],
        );
      else this.#after.exercise(id);
    }
    if (failures > 0) this.#bounded.exercise(id);
    if (failures > 1 && isFast(interval, before) && before.fast + 1 >= mostFast)
      this.#paced.fail("A request that kept failing was repeated several times within 100 ms each.", [
        ...(before.previous === undefined ? [] : [before.previous]),
        before.id,
        id,
      ]);
    if (refusals > 1)
      this.#permanent.fail("The same request was sent a third time in a row although it was refused for good.", [
        ...(before.previous === undefined ? [] : [before.previous]),
        before.id,
        id,
      ]);
  }

  #judgeAttempt({ id, failures, quickFailures, refusals }: Attempt): void {
    if (failures === 3) this.#paced.exercise(id);
    if (quickFailures >= tooManyFailures)
      this.#bounded.fail(
        `The same request failed ${quickFailures} times in a row, each within 5 s of the one before.`,
        [id],
      );
    if (refusals > 0) this.#permanent.exercise(id);
  }
}

function failed({ status, ending }: ExchangeObservation): boolean {
  return ending === "broken" || status >= 500 || status === 408 || status === 429;
}

/** The answer itself may ask for a short wait. */
function isFast(interval: number, { retryAfter }: Attempt): boolean {
  return interval < pace && retryAfter === undefined;
}

/**
 * Takes the attempt that a request repeats: of those that had ended before it was sent, the first one. Of several clients that share an
 * identity, that is the one that waited the longest.
 */
function takeBefore(observed: ExchangeObservation, sent: Sent, open: Attempt[]): Attempt | undefined {
  const place = open.findIndex(
    (attempt) => hasBodyOf(observed, attempt) && isSentAfter(observed, sent, attempt) === true,
  );
  return place < 0 ? undefined : open.splice(place, 1)[0];
}

/** Whether two requests have the same body, as far as both were read. */
function hasBodyOf({ body }: ExchangeObservation, attempt: Attempt): boolean {
  return attempt.body === undefined || body === undefined || attempt.body === body;
}

function attemptOf(
  observed: ExchangeObservation,
  before: Attempt | undefined,
  isFailure: boolean,
  isRefusal: boolean,
): Attempt {
  const { body, arrivedAt, releasedAt, endedByClient, retryAfter } = observed;
  const interval = before === undefined ? Number.POSITIVE_INFINITY : arrivedAt - before.countsFrom;
  const failures = before?.failures ?? 0;
  const isFastOne = before !== undefined && failures > 1 && isFast(interval, before);
  const quick = interval <= longestInterval ? (before?.quickFailures ?? 0) : 0;
  return {
    ...answeredBy(observed),
    previous: before?.id,
    body,
    countsFrom: endedByClient ? arrivedAt : releasedAt,
    retryAfter,
    failures: isFailure ? failures + 1 : 0,
    quickFailures: isFailure ? quick + 1 : 0,
    fast: isFailure && isFastOne ? (before?.fast ?? 0) + 1 : 0,
    refusals: isRefusal ? (before?.refusals ?? 0) + 1 : 0,
  };
}

/** A request under another scenario is another one. A body may not have been read; two that were read are compared by their hashes. */
function keyOf({ method, target, scenario = "" }: ExchangeObservation): string {
  const key = `${method} ${target} ${scenario}`;
  return key.length > longestKey ? createHash("sha256").update(key).digest("base64url") : key;
}
