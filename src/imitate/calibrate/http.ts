import { answerOf, refusalOf } from "./answer.js";
import { type Known, pingPath, tokenPath } from "./known.js";
import { type CalibrationsOf, callStep, type Reading, readingOf, type Step, tokenStep } from "./probe.js";
import { ifRefused, readRefusal, refusalProbe } from "./refusal.js";

/** No service has this path. */
const nowhere = "/v1/payments-sandbox-calibrate-no-such-path";

const unknownPath = callStep("http.unknown-path", "GET of an unknown path", nowhere);
const optionsStep = callStep("http.options", "OPTIONS of ping", pingPath, { method: "OPTIONS" });
const getToken = callStep("http.get-token", "GET of the token endpoint", tokenPath);
const head = callStep("http.head", "HEAD of ping", pingPath, { method: "HEAD" });
const methods = [optionsStep, getToken, head];

const small = tokenStep("http.small-body", "a token request with a meaningless field", { calibrate: "x" });
const large: Step = {
  id: "http.large-body",
  says: "a token request of 70,000 bytes",
  mayBreak: true,
  request: (known) =>
    known.printed || known.accepted(small.id) ? known.tokenCall({ calibrate: "x".repeat(70_000) }) : undefined,
};
const expectation: Step = {
  ...callStep("http.expect", "ping with an unknown Expect", pingPath, { headers: { Expect: "calibrate" } }),
  mayBreak: true,
};
const longHeader: Step = {
  ...callStep("http.long-header", "ping with a header of 17,000 bytes", pingPath, {
    headers: { "X-Calibrate": "x".repeat(17_000) },
  }),
  mayBreak: true,
};
const noHost: Step = {
  id: "http.no-host",
  says: "ping without the header Host",
  mayBreak: true,
  request: (known) => {
    const call = known.call(pingPath);
    return call && { ...call, withoutHost: true };
  },
};

/** Assumptions about HTTP itself. */
export const httpCalibrations: CalibrationsOf<"http"> = {
  "http.versions": { unprobed: "the probes use HTTP/1.1" },
  "http.not-found": refusalProbe("http.not-found", [unknownPath]),
  "http.method-not-allowed": { steps: () => methods, read: readMethods },
  "http.head": { steps: () => [], read: readHead },
  "http.request-timeout": { unprobed: "it needs a request that holds a connection open for a long time" },
  "http.payload-too-large": ifRefused("http.payload-too-large", large, [small, large]),
  "http.expectation-failed": ifRefused("http.expectation-failed", expectation),
  "http.rate-limit": { steps: () => [], read: readRateLimit },
  "http.headers-too-large": ifRefused("http.headers-too-large", longHeader),
  "http.bad-request": ifRefused("http.bad-request", noHost),
  "http.internal-error": { unprobed: "a request that only reads does not make a service fail" },
  "http.unavailable": { unprobed: "a request that only reads does not cause maintenance" },
};

/** A method that is answered is not a mistake either: a service may answer OPTIONS and HEAD. */
function readMethods(known: Known): readonly Reading[] {
  const refused = methods.filter(({ id }) => isMethodRefusal(known, id));
  return refused.length === 0 ? [] : readRefusal(known, "http.method-not-allowed", refused);
}

function readHead(known: Known): readonly Reading[] {
  const isAnswered = known.accepted(head.id);
  // A refusal for another reason than the method says nothing.
  if (isAnswered === undefined || (!isAnswered && !isMethodRefusal(known, head.id))) return [];
  return [readingOf(["assumptions", "http.head"], isAnswered ? "answer" : "refuse", known.observations(head.id))];
}

/** Refused because of the method, and not because of an unknown path or a bad token. */
function isMethodRefusal(known: Known, id: string): boolean {
  const answer = known.answer(id);
  const refusal = refusalOf(answer);
  if (refusal === undefined) return false;
  if (refusal.status === 405 || refusal.status === 501) return true;
  return answer?.headers.has("allow") === true || /METHOD/i.test(refusal.code ?? "");
}

/** Not provoked: seen if the service answers that there are too many requests. */
function readRateLimit(known: Known): readonly Reading[] {
  const evidence = [...known.seen.values()].filter(({ outcome }) => answerOf(outcome)?.status === 429);
  const [first] = evidence;
  const answer = answerOf(first?.outcome);
  if (first === undefined || answer === undefined) return [];
  // Read with another status, because `refusalOf` ignores 429.
  const code = refusalOf({ ...answer, status: 400 })?.code;
  const value = { status: 429, ...(code !== undefined && { code }) };
  return [readingOf(["assumptions", "http.rate-limit"], value, [first])];
}
