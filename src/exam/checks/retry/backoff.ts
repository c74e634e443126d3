import { defineCheck } from "../../check.js";
import { ping, wait } from "../../conversation.js";
import { endOfRow, pace, pausesWith } from "../../known/attempts.js";

/**
 * Pauses do not grow if this many of the first ones, from the second repetition on, are not half as long again as the
 * first, and none of them is as long as the harmless one (in milliseconds). A busy machine makes some longer.
 */
const comparedPauses = 5;
const harmlessPause = 300;

/** The shortest of several pauses that are nearly equal; `retry.paced` judges those that are shorter than its pace. */
function equalPause(pauses: readonly number[]): number | undefined {
  const first = Math.min(...pauses.slice(0, 2));
  const near = pauses.filter((pause) => pause >= pace && pause < harmlessPause && pause < 1.5 * first);
  return near.length >= comparedPauses ? Math.min(...near) : undefined;
}

const failing = ping({ status: 500 });
const failingAfter = (pauses: readonly number[]) => [
  failing,
  ...pauses.flatMap((pause) => (pause === 0 ? [failing] : [wait(pause), failing])),
];

export const backoff = defineCheck({
  id: "retry.backoff",
  level: "should",
  source: "RFC 9110 §9.2.2, good practice",
  exercisedBy: "a request that failed seven times in a row",
  failsWhen:
    "five of seven repetitions in a row, from the second on, follow after nearly equal pauses of less than 300 ms",
  excuses: ["the answer may say how long to wait"],
  fix: "Wait longer before each repetition, for example twice as long.",
  exchange({ id }, { finding, known: { attempted } }) {
    const { before, interval } = attempted;
    const pauses = before === undefined ? [] : pausesWith(interval, before);
    if (before === undefined || pauses.length < comparedPauses) return;
    const shortest = equalPause(pauses);
    if (shortest === undefined) finding.exercise(id);
    else
      finding.fail(
        `A request that kept failing was repeated again and again about ${Math.round(shortest)} ms apart.`,
        endOfRow(before, id),
      );
  },
  fails: { steps: failingAfter([0, 150, 150, 150, 150, 150]) },
  innocent: { steps: failingAfter([150, 200, 300, 400, 600, 800]) },
});
