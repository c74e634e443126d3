import { answerOf, refusalOf } from "./answer.js";
import { type CalibrationsOf, callStep, type Reading, readingOf } from "./probe.js";
import { refusalProbe } from "./refusal.js";
import type { SeenAnswers } from "./seen-answers.js";

/** No service has this path. */
const nowhere = "/v1/payments-sandbox-calibrate-no-such-path";

/** Assumptions about HTTP itself. */
export const httpCalibrations: CalibrationsOf<"http"> = {
  "http.not-found": refusalProbe("http.not-found", [callStep("http.unknown-path", "GET of an unknown path", nowhere)]),
  "http.rate-limit": { steps: () => [], read: readRateLimit },
};

/** Not provoked: seen if the service answers that there are too many requests. */
function readRateLimit(known: SeenAnswers): readonly Reading[] {
  const evidence = [...known.seen.values()].filter(({ outcome }) => answerOf(outcome)?.status === 429);
  const [first] = evidence;
  const answer = answerOf(first?.outcome);
  if (first === undefined || answer === undefined) return [];
  // Read with another status, because `refusalOf` ignores 429.
  const code = refusalOf({ ...answer, status: 400 })?.code;
  const value = { status: 429, ...(code !== undefined && { code }) };
  return [readingOf(["assumptions", "http.rate-limit"], value, [first])];
}
