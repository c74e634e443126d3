import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { isRepetition, type Tried, triedBy } from "../../known/repetition.js";
import { attemptKey, pathOf } from "../../known/same-request.js";
import type { ExchangeObservation } from "../../observation.js";

/** How many failed requests of a client are remembered that were not sent again yet. */
const mostFailed = 128;

/** Failures that pass. */
const transient: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** RFC 9110 §9.2.2. */
const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** A client that is asked to wait longer than this, in milliseconds, may give up at once. */
const longestWait = 10_000;

interface Failed extends Tried {
  readonly path: string;
  /** Whether it was sent again: a client may give up after any number of repetitions. */
  readonly isRepeated: boolean;
}

/** Whether a failure passes, so that the same request may succeed. HTTP/2 has checks of its own. */
function passes(observed: ExchangeObservation): boolean {
  const { method, status, ending, endedByClient, http2Fault, retryAfter } = observed;
  if (!idempotent.has(method) || http2Fault === "refused" || http2Fault === "goaway-before") return false;
  if (retryAfter !== undefined && retryAfter.wait > longestWait) return false;
  return ending === "delivered" ? transient.has(status) : ending === "broken" && !endedByClient;
}

export const recovers = defineCheck({
  id: "retry.recovers",
  level: "should",
  source: "RFC 9110 §9.2.2",
  exercisedBy: "a request that only reads and failed in passing",
  failsWhen:
    "a request that only reads fails in passing (408, 429, 500, 502, 503, 504, a broken connection), and is never sent again",
  excuses: [
    "the answer asks to wait more than ten seconds",
    "the client began the walk again",
    "equal requests were open at once",
  ],
  fix: "After a failure that passes, repeat a request that only reads, a few times, and then report it.",
  begin: () => ({ failed: new Map<string, Failed>() }),
  exchange(observed, { finding, state: { failed }, known: { sent, attempted, isNewEpoch } }) {
    const { page } = observed;
    if (isNewEpoch) failed.clear();
    const key = attemptKey(observed);
    // An error that was provoked on purpose: nothing has to follow.
    if (observed.expected !== undefined || attempted.isContended) {
      failed.delete(key);
      return;
    }
    const before = failed.get(key);
    // It follows the failure, and either repeats it or was on its way.
    const repeats = before !== undefined && isRepetition(observed, sent, before) !== false;
    if (repeats) {
      if (!before.isRepeated) finding.exercise(before.id);
      failed.delete(key);
    }
    const path = pathOf(observed);
    if (page !== undefined && page.cursor === undefined)
      for (const [each, other] of failed) {
        if (other.path !== path || other.isRepeated) continue;
        finding.exercise(other.id);
        // Another walk of the list may run at the same time, and repeat it later.
        failed.set(each, { ...other, isRepeated: true });
      }
    if (attempted.repeatedBy !== undefined || !passes(observed)) return;
    remember(failed, key, { ...triedBy(observed, sent), path, isRepeated: repeats }, mostFailed);
  },
  conclude({ finding, state: { failed } }) {
    const left = [...failed.values()].flatMap(({ id, isRepeated }) => (isRepeated ? [] : [id]));
    return finding.withPending(left, "A request that failed in passing was never sent again.");
  },
  giveUp: ({ failed }) => failed.clear(),
  fails: { steps: [ping({ status: 503 })] },
  innocent: { steps: [ping({ status: 503 }), ping()] },
});
