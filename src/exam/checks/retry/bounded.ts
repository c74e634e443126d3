import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";

/** More failures in a row than this, for each call, are no longer bounded. */
const mostFailures = 11;

const failing = ping({ status: 500 });

export const bounded = defineCheck({
  id: "retry.bounded",
  level: "must",
  source: "good practice",
  exercisedBy: "a request that failed and was sent again",
  failsWhen:
    "a request fails more than eleven times in a row for each of its calls, each within 5 s of the one before (a warning if the calls are unknown)",
  excuses: [],
  fix: "Give up after a few attempts, and report the failure.",
  exchange({ id }, { finding, known: { attempted, equal, likely, limit } }) {
    const { before, repeatedBy, followsFailure, attempt } = attempted ?? {};
    // A given-up attempt, whose end was read after its repetition.
    if (repeatedBy !== undefined) finding.exercise(repeatedBy);
    if (followsFailure || (before !== undefined && before.failures > 0)) finding.exercise(id);
    for (const { count, calls } of equal)
      if (calls !== undefined && count.failures > mostFailures * calls) finding.fail(tooMany(count.failures), [id]);
    if (likely?.calls !== undefined && likely.count.failures > mostFailures * likely.calls)
      finding.suspect(tooMany(likely.count.failures), [id]);
    if (limit === undefined && attempt !== undefined && attempt.quickFailures >= mostFailures)
      finding.suspect(tooMany(attempt.quickFailures), [id]);
  },
  fails: { plain: [ping()], steps: Array.from({ length: 12 }, () => failing) },
  innocent: { plain: [ping(), ping()], steps: Array.from({ length: 12 }, () => failing) },
});

function tooMany(failures: number): string {
  return `The same request failed ${failures} times in a row, each within 5 s of the one before.`;
}
