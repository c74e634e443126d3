import { defineCheck } from "../../check.js";
import { ping, wait } from "../../conversation.js";
import { endOfRow, isFast } from "../../known/attempts.js";

/** This many fast repetitions in a row are a failure; the first repetition may be fast. */
const mostFast = 2;

const failing = ping({ status: 500 });

export const paced = defineCheck({
  id: "retry.paced",
  level: "should",
  source: "RFC 9110 §9.2.2, good practice",
  exercisedBy: "a request that failed three times in a row",
  failsWhen: "two repetitions in a row, from the second on, follow within 100 ms each",
  excuses: ["the answer may ask for a short wait", "they may be first attempts of several calls"],
  fix: "Wait between repetitions, longer each time, with some randomness.",
  exchange({ id }, { finding, known: { attempted, limit = 1 } }) {
    const { before, interval, attempt } = attempted;
    if (attempt?.failures === 3) finding.exercise(attempt.id);
    if (before === undefined || before.failures <= Math.max(1, limit)) return;
    if (!isFast(interval, before) || before.fast + 1 < mostFast) return;
    finding.fail("A request that kept failing was repeated several times within 100 ms each.", endOfRow(before, id));
  },
  fails: { steps: [failing, failing, failing, failing] },
  innocent: { steps: [failing, failing, wait(200), failing, wait(400), failing] },
});
