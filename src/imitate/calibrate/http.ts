import { answerOf, refusalOf } from "./answer.js";
import { type CalibrationsOf, callStep, type Reading, readingOf } from "./probe.js";
import { readRefusal, refusalProbe } from "./refusal.js";
import { pingPath, type SeenAnswers, tokenPath } from "./seen-answers.js";

/** No service has this path. */
const nowhere = "/v1/payments-sandbox-calibrate-no-such-path";

const unknownPath = callStep("http.unknown-path", "GET of an unknown path", nowhere);
const optionsStep = callStep("http.options", "OPTIONS of ping", pingPath, { method: "OPTIONS" });
const getToken = callStep("http.get-token", "GET of the token endpoint", tokenPath);
const head = callStep("http.head", "HEAD of ping", pingPath, { method: "HEAD" });
const methods = [optionsStep, getToken, head];

/** Assumptions about HTTP itself. */
export const httpCalibrations: CalibrationsOf<"http"> = {
  "http.versions": { unprobed: "the probes use HTTP/1.1" },
  "http.not-found": refusalProbe("http.not-found", [unknownPath]),
  "http.method-not-allowed": { steps: () => methods, read: readMethods },
  "http.head": { steps: () => [], read: readHead },
  "http.request-timeout": { unprobed: "it needs a request that holds a connection open for a long time" },
  "http.rate-limit": { steps: () => [], read: readRateLimit },
};

/** A method that is answered is not a mistake either: a service may answer OPTIONS and HEAD. */
function readMethods(known: SeenAnswers): readonly Reading[] {
  const refused = methods.filter(({ id }) => isMethodRefusal(known, id));
  return refused.length === 0 ? [] : readRefusal(known, "http.method-not-allowed", refused);
}

function readHead(known: SeenAnswers): readonly Reading[] {
  const isAnswered = known.accepted(head.id);
  // A refusal for another reason than the method says nothing.
  if (isAnswered === undefined || (!isAnswered && !isMethodRefusal(known, head.id))) return [];
  return [readingOf(["assumptions", "http.head"], isAnswered ? "answer" : "refuse", known.observations(head.id))];
}

/** Refused because of the method, and not because of an unknown path or a bad token. */
function isMethodRefusal(known: SeenAnswers, id: string): boolean {
  const answer = known.answer(id);
  const refusal = refusalOf(answer);
  if (refusal === undefined) return false;
  if (refusal.status === 405 || refusal.status === 501) return true;
  return answer?.headers.has("allow") === true || /METHOD/i.test(refusal.code ?? "");
}

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
