import { remember } from "../../../base/remember.js";
import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import type { Finding, Level } from "../../finding.js";
import type { EqualRequests } from "../../known/calls.js";
import { areGrowing, mostFailures } from "../../known/pauses.js";

/** More failures in a row than this, for each call, are no longer bounded. */
const mostInRow = 11;

/** How many rows of failures of a client are remembered that are too long and may go on. */
const mostRows = 128;

/** A row of failures that is too long. Later pauses of its beginning may show that they grow. */
interface Row {
  readonly failures: number;
  readonly id: number;
  readonly level: Level;
}

const failing = ping({ status: 500 });

export const bounded = defineCheck({
  id: "retry.bounded",
  level: "must",
  source: "good practice",
  exercisedBy: "a request that failed and was sent again",
  failsWhen:
    "a request fails more than eleven times in a row for each of its calls, each within 5 s of the one before (a warning if the calls are unknown, or if the pauses grow)",
  excuses: [
    "the pauses of eleven failures grow: the last five together are at least twice as long as the first five, and not both under a second; or both are ten seconds and longer",
    "the answers say how long to wait",
    "several calls: as many failures as the growing pauses of each would allow in that time",
  ],
  fix: "Give up after a few attempts, and report the failure.",
  begin: () => ({ rows: new Map<string, Row>() }),
  exchange({ id }, { finding, state: { rows }, known: { attempted, equal, likely, limit } }) {
    const { before, repeatedBy, followsFailure, attempt } = attempted;
    // A given-up attempt, whose end was read after its repetition.
    if (repeatedBy !== undefined) finding.exercise(repeatedBy);
    if (followsFailure || (before !== undefined && before.failures > 0)) finding.exercise(id);
    for (const { key, count, calls } of equal) {
      const { failures } = count;
      const row = rows.get(key);
      if (row !== undefined && failures <= row.failures) {
        note(finding, row);
        rows.delete(key);
      }
      if (calls !== undefined && failures > mostInRow * calls)
        remember(rows, key, { failures, id, level: levelOf({ key, count, calls }, row) }, mostRows);
    }
    if (likely?.calls !== undefined && likely.count.failures > mostInRow * likely.calls)
      finding.suspect(tooMany(likely.count.failures), [id]);
    if (limit === undefined && attempt !== undefined && attempt.quickFailures >= mostInRow)
      finding.suspect(tooMany(attempt.quickFailures), [id]);
  },
  conclude({ finding, state: { rows } }) {
    const now = finding.copy();
    for (const row of rows.values()) note(now, row);
    return now;
  },
  fails: { plain: [ping()], steps: Array.from({ length: 12 }, () => failing) },
  innocent: { plain: [ping(), ping()], steps: Array.from({ length: 12 }, () => failing) },
});

/**
 * Of one call, the pauses themselves show whether they grow. Which failures of several calls belong together is not
 * known: there are more of them than growing pauses would allow.
 */
function levelOf({ count, calls = 1 }: EqualRequests, row: Row | undefined): Level {
  if (count.pauses.areTold) return "should";
  if (calls === 1) return areGrowing(count.pauses) ? "should" : "must";
  return row?.level === "must" || count.failures > calls * mostFailures(count.pauses) ? "must" : "should";
}

function note(finding: Finding, { level, failures, id }: Row): void {
  finding.failAs(level, tooMany(failures), [id]);
}

function tooMany(failures: number): string {
  return `The same request failed ${failures} times in a row, each within 5 s of the one before.`;
}
