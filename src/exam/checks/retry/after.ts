import { thousands } from "../../../base/text/numbers.js";
import { defineCheck } from "../../check.js";
import { oneSecond, ping, wait } from "../../conversation.js";
import { tooSoon } from "../../known/proof.js";

const limited = { status: 429, retryAfter: oneSecond } as const;

/** @param interval and wait in milliseconds */
function told(interval: number, wait: number): string {
  const [passed, required] = [interval, wait].map((time) => thousands(Math.max(0, Math.round(time))));
  return `A request was repeated after ${passed} ms, although Retry-After required ${required} ms.`;
}

export const after = defineCheck({
  id: "retry.after",
  level: "must",
  source: "RFC 9110 §10.2.3",
  exercisedBy: "the same request again after an answer with Retry-After",
  failsWhen:
    "a request is repeated sooner than Retry-After allows (a warning unless more equal requests arrive than the client has calls and ended waits)",
  excuses: [
    "it is the first attempt of another call",
    "the client gave up the answer unread",
    "50 ms of grace; for a date, a second",
  ],
  fix: "Wait as long as Retry-After says, in seconds or until its date.",
  exchange({ id }, { finding, known }) {
    const { attempted, equal, reading, limit } = known;
    for (const each of equal) {
      const proof = tooSoon(each, reading);
      if (proof !== undefined) finding.fail(told(proof.after, proof.wait), proof.ids);
    }
    const likely = known.likely && tooSoon(known.likely, reading);
    if (likely !== undefined) finding.suspect(told(likely.after, likely.wait), likely.ids);
    const { before, interval } = attempted;
    if (before?.retryAfter === undefined) return;
    const { wait: required, grace } = before.retryAfter;
    if (interval >= required - grace) finding.exercise(id);
    else if (limit === undefined) finding.suspect(told(interval, required), [before.id, id]);
  },
  fails: { plain: [ping()], steps: [ping(limited), ping()] },
  innocent: { plain: [ping(), ping()], steps: [ping(limited), wait(500), ping(limited), wait(1000), ping(), ping()] },
});
