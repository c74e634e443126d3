import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { isPermanent } from "../../known/calls.js";

const forbidden = ping({ status: 403, code: "FORBIDDEN" });
const message = "The same request was sent a third time in a row although it was refused permanently.";

export const permanent = defineCheck({
  id: "retry.permanent",
  level: "must",
  source: "RFC 9110 §15.5",
  exercisedBy: "a refusal that no repetition can change (400, 403, 404 or 405)",
  failsWhen:
    "the same request is sent a third time in a row, for each call of it, although it was refused with 400, 403, 404 or 405; where the calls are not known, that is a warning",
  excuses: [
    "several workers, or several tests, each meet the same refusal",
    "the client gave up the refusal before it could read it",
    "the sample error is requested on purpose, and list.restart judges refused cursors",
  ],
  fix: "Do not repeat a request that was refused with 400, 403, 404 or 405: report the error to the caller.",
  exchange(observed, { finding, known: { attempted, equal, limit } }) {
    const { id, expected } = observed;
    if (isPermanent(observed) && expected === undefined) finding.exercise(id);
    for (const { count, calls } of equal) {
      if (calls === undefined || count.refusals < 2 * calls) continue;
      finding.fail(
        message,
        count.exchanges.slice(-3).map((each) => each.id),
      );
    }
    const { before } = attempted ?? {};
    if (limit === undefined && before !== undefined && before.refusals > 1)
      finding.suspect(
        message,
        [before.previous, before.id, id].filter((each) => each !== undefined),
      );
  },
  fails: { plain: [ping()], steps: [forbidden, forbidden, forbidden] },
  innocent: { plain: [ping(), ping(), ping()], steps: [forbidden, forbidden, forbidden] },
});
