import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { isRepetition, type Tried } from "../../known/repetition.js";
import { attemptKey } from "../../known/same-request.js";
import { answeredBy } from "../../known/sending.js";
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

interface State {
  readonly failed: Map<string, Failed>;
  epoch: number;
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
  begin: (): State => ({ failed: new Map(), epoch: 0 }),
  exchange(observed, { finding, state, known: { sent, attempted } }) {
    const { arrivedAt, status, endedByClient, page, epoch } = observed;
    if (epoch !== state.epoch) state.failed.clear();
    state.epoch = epoch;
    const key = attemptKey(observed);
    // An error that was provoked on purpose: nothing has to follow.
    if (observed.expected !== undefined || attempted?.isContended) {
      state.failed.delete(key);
      return;
    }
    const before = state.failed.get(key);
    // It follows the failure, and either repeats it or was on its way.
    const repeats = before !== undefined && isRepetition(observed, sent, before) !== false;
    if (repeats) {
      if (!before.isRepeated) finding.exercise(before.id);
      state.failed.delete(key);
    }
    const path = pathOf(observed);
    if (page !== undefined && page.cursor === undefined)
      for (const [each, failed] of state.failed) {
        if (failed.path !== path || failed.isRepeated) continue;
        finding.exercise(failed.id);
        // Another walk of the list may run at the same time, and repeat it later.
        state.failed.set(each, { ...failed, isRepeated: true });
      }
    if (attempted?.repeatedBy !== undefined || !passes(observed)) return;
    const tried = { ...answeredBy(observed, sent), arrivedAt, unanswered: status === 0, endedByClient };
    remember(state.failed, key, { ...tried, path, isRepeated: repeats }, mostFailed);
  },
  conclude({ finding, state: { failed } }) {
    const left = [...failed.values()].flatMap(({ id, isRepeated }) => (isRepeated ? [] : [id]));
    return finding.withPending(left, "A request that failed in passing was never sent again.");
  },
  giveUp: ({ failed }) => failed.clear(),
  fails: { steps: [ping({ status: 503 })] },
  innocent: { steps: [ping({ status: 503 }), ping()] },
});
