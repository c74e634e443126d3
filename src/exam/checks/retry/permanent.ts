import { defineCheck } from "../../check.js";
import { ping } from "../../conversation.js";
import { endOfRow } from "../../known/attempts.js";
import { isPermanent } from "../../known/calls.js";

const forbidden = ping({ status: 403, code: "FORBIDDEN" });
const message = "The same request was sent a third time in a row although it was refused permanently.";

export const permanent = defineCheck({
  id: "retry.permanent",
  level: "must",
  source: "RFC 9110 §15.5",
  exercisedBy: "a refusal that no repetition can change (400, 403, 404 or 405)",
  failsWhen:
    "a request is sent a third time in a row for each of its calls although it was refused with 400, 403, 404 or 405 (a warning if the calls are unknown, or if it is for a token, and was sent more often than each call of the client asks for one)",
  excuses: [
    "the client gave up the answer unread",
    "the sample error (produceError)",
    "list.restart judges refused cursors",
  ],
  fix: "Report a refusal with 400, 403, 404 or 405: a repetition does not help.",
  exchange(observed, { finding, known }) {
    const { attempted, equal, limit } = known;
    const { id, expected } = observed;
    if (isPermanent(observed) && expected === undefined) finding.exercise(id);
    for (const { count, calls } of equal) {
      const newest = count.exchanges.slice(-3).map((each) => each.id);
      if (calls !== undefined && count.refusals >= 2 * calls) finding.fail(message, newest);
      const asks = known.asksFor(observed);
      if (asks !== undefined && count.refusals >= Math.max(2, asks)) finding.suspect(message, newest);
    }
    const { before } = attempted;
    if (limit === undefined && before !== undefined && before.refusals > 1)
      finding.suspect(message, endOfRow(before, id));
  },
  fails: { plain: [ping()], steps: [forbidden, forbidden, forbidden] },
  innocent: { plain: [ping(), ping(), ping()], steps: [forbidden, forbidden, forbidden] },
});
