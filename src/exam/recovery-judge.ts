import { remember } from "../base/remember.js";
import { Finding } from "./finding.js";
import type { Judge } from "./judge.js";
import type { ExchangeObservation } from "./observation.js";
import { isRepetition, Overlaps, type Tried } from "./repetition.js";
import { attemptKey } from "./same-request.js";
import { answeredBy, onTheirWay, type Sent } from "./sending.js";

/** How many failed requests of a client are remembered that were not sent again yet. */
const mostFailed = 128;

/** Failures that pass. */
const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** RFC 9110 §9.2.2. */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** A client that is asked to wait longer than this, in milliseconds, may give up at once. */
const longestWait = 10_000;

/** Shorter waits are over before other requests count, in milliseconds. */
const shortestWait = 1000;
/** So many other requests during a wait are a failure: of a client that sends one at a time, and of any other. */
const mostOthers = { alone: 3, parallel: 10 };

interface Failed extends Tried {
  readonly path: string;
  /** Whether it was sent again: a client may give up after any number of repetitions. */
  readonly isRepeated: boolean;
}

interface Wait {
  /** The answer that asks for it. */
  readonly answer: ExchangeObservation["id"];
  readonly key: string;
  readonly from: number;
  readonly until: number;
  readonly others: readonly number[];
  /** Those of them that were refused as well. */
  readonly refused: readonly number[];
}

/** Checks `retry.recovers` and `retry.others`: whether a client goes on after a failure that passes, and when. */
export class RecoveryJudge implements Judge {
  private readonly recovers = new Finding("retry.recovers");
  private readonly others = new Finding("retry.others");
  private readonly overlaps = new Overlaps();
  private readonly failed = new Map<string, Failed>();
  private wait: Wait | undefined;
  private epoch = 0;

  exchange(observed: ExchangeObservation, sent: Sent): void {
    if (observed.epoch !== this.epoch) {
      this.epoch = observed.epoch;
      this.failed.clear();
      this.overlaps.clear();
      this.wait = undefined;
    }
    const key = attemptKey(observed);
    if (observed.expected !== undefined) {
      // An error that was provoked on purpose: nothing has to follow.
      this.failed.delete(key);
      return;
    }
    this.#judgeOthers(key, observed, sent);
    this.#judgeRecovery(key, observed, sent);
  }

  findings(): readonly Finding[] {
    const ids = [...this.failed.values()].flatMap(({ id, isRepeated }) => (isRepeated ? [] : [id]));
    return [this.recovers.withPending(ids, "A request that failed in passing was never sent again."), this.others];
  }

  giveUp(): void {
    this.failed.clear();
  }

  #judgeRecovery(key: string, observed: ExchangeObservation, sent: Sent): void {
    const { arrivedAt, stream, status, endedByClient, page } = observed;
    const overlap = this.overlaps.add(key, observed);
    if (overlap.isContended) {
      this.failed.delete(key);
      return;
    }
    const before = this.failed.get(key);
    // It follows the failure, and either repeats it or was on its way.
    const repeats = before !== undefined && isRepetition(observed, sent, before) !== false;
    if (repeats) {
      if (!before.isRepeated) this.recovers.exercise(before.id);
      this.failed.delete(key);
    }
    const path = pathOf(observed);
    if (page !== undefined && page.cursor === undefined) this.#beginAgain(path);
    if (overlap.repeatedBy !== undefined || !passes(observed)) return;
    const tried = { ...answeredBy(observed), stream, arrivedAt, unanswered: status === 0, endedByClient };
    remember(this.failed, key, { ...tried, path, isRepeated: repeats }, mostFailed);
  }

  /** A client that begins a walk again goes on as well. */
  #beginAgain(path: string): void {
    for (const [key, failed] of this.failed) {
      if (failed.path !== path || failed.isRepeated) continue;
      this.recovers.exercise(failed.id);
      // Another walk of the list may run at the same time, and repeat it later.
      this.failed.set(key, { ...failed, isRepeated: true });
    }
  }

  #judgeOthers(key: string, observed: ExchangeObservation, sent: Sent): void {
    const { id, arrivedAt, releasedAt, operation, status, ending, retryAfter } = observed;
    const isTold = ending === "delivered" && (status === 429 || status === 503) && retryAfter !== undefined;
    const wait = this.wait;
    if (wait !== undefined && arrivedAt >= wait.until) {
      this.others.exercise(wait.answer);
      this.wait = undefined;
    } else if (wait !== undefined && key === wait.key) {
      // `retry.after` judges that it comes too soon; its answer says how to go on.
      this.wait = undefined;
    } else if (wait !== undefined && operation !== "token" && arrivedAt > wait.from + onTheirWay) {
      const others = [...wait.others, id];
      const refused = isTold ? [...wait.refused, id] : wait.refused;
      this.wait = { ...wait, others: others.slice(0, mostOthers.parallel), refused };
      const evidence = sent.alone && others.length >= mostOthers.alone ? others : refused;
      if (evidence === others || refused.length >= mostOthers.parallel) {
        this.others.fail("Other requests were sent all through the time that Retry-After told to wait.", [
          wait.answer,
          ...evidence,
        ]);
        this.wait = undefined;
      }
    }
    if (this.wait !== undefined || !isTold || retryAfter.wait < shortestWait) return;
    const until = releasedAt + retryAfter.wait - retryAfter.grace;
    this.wait = { answer: id, key, from: releasedAt, until, others: [], refused: [] };
  }
}

/** Whether a failure passes, so that the same request may succeed. HTTP/2 has checks of its own. */
function passes(observed: ExchangeObservation): boolean {
  const { method, status, ending, endedByClient, http2Fault, retryAfter } = observed;
  if (!idempotent.has(method) || http2Fault === "refused" || http2Fault === "goaway-before") return false;
  if (retryAfter !== undefined && retryAfter.wait > longestWait) return false;
  return ending === "delivered" ? transient.has(status) : ending === "broken" && !endedByClient;
}

function pathOf({ target }: ExchangeObservation): string {
  const query = target.indexOf("?");
  return query < 0 ? target.slice(0, 256) : target.slice(0, Math.min(query, 256));
}
