import type { JsonObject } from "../../base/text/json-object.js";
import { answerOf, outcomeText, refusalCode } from "./answer.js";
import { type Step, tokenStep } from "./probe.js";
import { asksForCorrelation, type SeenAnswers, tokenAnswerIn, tokenPath } from "./seen-answers.js";

/** Names that are tried if no answer shows one. */
export const usualNames = [
  "X-Correlation-ID",
  "X-Request-ID",
  "Correlation-ID",
  "Request-ID",
  "X-Trace-ID",
  "x-fapi-interaction-id",
];

/**
 * Correlation IDs that are tried, to find out which format is required: what most clients send, the likelier first.
 * @param id a fresh UUID
 */
export function correlationSamples(id: string) {
  return { uuid: id, hex: id.replaceAll("-", "") };
}

/** Whether each of the samples was accepted. */
type AcceptedSamples = Readonly<Record<keyof ReturnType<typeof correlationSamples>, boolean | undefined>>;

/** The value of `correlation.format` that fits the samples; undefined if none was accepted. */
export function formatOf({ uuid, hex }: AcceptedSamples): string | undefined {
  if (hex) return uuid ? "[\\w.-]{1,64}" : "[0-9A-Fa-f]{32}";
  return uuid ? "uuid" : undefined;
}

/** Most token requests with a correlation ID until one is accepted. */
const mostAttempts = 12;

/** The good token request as JSON: where a form is refused, perhaps because it is one. */
export const jsonStep: Step = {
  id: "session.json",
  says: "a good token request as JSON, only if the form was refused",
  request: (known) => {
    const answer = known.answer("session.token");
    const isOther = asksForCorrelation(answer) || /client|scope|cert/i.test(refusalCode(answer) ?? "");
    const isOfForm = [400, 415, 422].includes(answer?.status ?? 0) && !isOther;
    return known.printed || (known.token === undefined && isOfForm) ? known.jsonTokenCall() : undefined;
  },
};

/**
 * The requests that get the first token: the plain one, some with a correlation ID if that is required, and one as JSON
 * if a form is refused.
 */
export const sessionSteps: readonly Step[] = [
  tokenStep("session.token", "a good token request"),
  ...Array.from(
    { length: mostAttempts },
    (_, attempt): Step => ({
      id: `session.correlated.${attempt}`,
      says: "a good token request with a correlation ID, only if the ones before were refused",
      request: (known) => correlatedRequest(known, attempt),
    }),
  ),
  jsonStep,
];

/** Requests a new token when the last one is about to expire. */
export const renewalStep = tokenStep("session.renewed", "a good token request, as the token before expires");

function correlatedRequest(known: SeenAnswers, attempt: number) {
  const first = known.answer("session.token");
  // If the user named the header, it is tried once, for any refusal.
  const isNamed = known.options.correlationHeader !== undefined && first !== undefined && attempt === 0;
  const needed = known.printed || (known.token === undefined && (isNamed || asksForCorrelation(first)));
  if (!needed) return undefined;
  const names = known.correlationNames.length > 0 ? known.correlationNames : usualNames;
  const samples = Object.values(correlationSamples(known.options.newId()));
  const headers = samples.flatMap((text) => names.map((name) => ({ [name]: text })))[attempt];
  return headers && known.tokenCall({}, { headers });
}

/** How long the token of an answer is valid, in milliseconds, from `expires_in`. */
export function lifetimeOf(known: SeenAnswers): number | undefined {
  const seconds = secondsIn(tokenAnswerIn(known.tokenAnswer));
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined;
}

/** `expires_in` (§2.1): a number, or one that is written as text. */
export function secondsIn(answer: JsonObject | undefined): number | undefined {
  const value = answer?.["expires_in"];
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}

/** Why there is no token, for people. */
export function tokenProblem(known: SeenAnswers): string | undefined {
  if (known.token !== undefined) return undefined;
  const outcome = known.outcome("session.token");
  if (outcome === undefined) return "No token request was sent.";
  const answer = answerOf(outcome);
  if (asksForCorrelation(answer))
    return "The service requires a correlation ID, and refuses all that were tried: name its header with --correlation-header.";
  if (answer === undefined) return `The service did not answer the token request: ${outcomeText(outcome)}.`;
  const { status } = answer;
  const issued = `The service issued no token (status ${status})`;
  if (status === 404 || status === 405 || (status >= 300 && status < 400))
    return `${issued}: check the path of --url; the token endpoint is at ${tokenPath} below it.`;
  if (status >= 500) return `${issued}: it failed, three times.`;
  if (status < 300) return `${issued}: the answer has no access_token; check the path of --url.`;
  return `${issued}: check --client-id, --cert and --scope.`;
}
