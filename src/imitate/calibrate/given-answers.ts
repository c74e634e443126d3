import { isObject } from "../../base/text/json-object.js";
import { outcomeText } from "./answer.js";
import type { ComparedAnswer } from "./replay.js";
import { withoutSecrets } from "./secrets.js";
import { acceptedOf, type SeenAnswers } from "./seen-answers.js";

/** The outcomes of the requests about each point: status and code, and what was sent. */
function outcomesOf(seen: SeenAnswers, compared: readonly ComparedAnswer[]): ReadonlyMap<string, Map<string, string>> {
  const known = withoutSecrets(seen);
  const found = new Map<string, Map<string, string>>();
  for (const { point, observation } of compared) {
    const { id, says } = observation.step;
    const outcome = known.outcome(id);
    // A failure of the service says nothing about the request.
    if (outcome === undefined || acceptedOf(outcome) === undefined) continue;
    const outcomes = found.get(point) ?? new Map<string, string>();
    if (!outcomes.has(outcomeText(outcome))) outcomes.set(outcomeText(outcome), says);
    found.set(point, outcomes);
  }
  return found;
}

/**
 * What the service answered, for the key `answers` of the file: status and code by what was asked. With it, a change is
 * seen of something that the sandbox does not imitate.
 * @param before the same key of the file as it was: what was not asked stays
 */
export function givenAnswers(
  seen: SeenAnswers,
  compared: readonly ComparedAnswer[],
  before: unknown,
): Readonly<Record<string, readonly string[]>> {
  const now = [...outcomesOf(seen, compared)].map(([point, outcomes]) => [point, [...outcomes.keys()].sort()]);
  return { ...(isObject(before) && (before as Record<string, string[]>)), ...Object.fromEntries(now) };
}

/**
 * The answers that the service did not give when the file was written, one sentence each.
 * @param before the key `answers` of the file; what it does not have is not known
 * @param told the steps whose answers are told otherwise
 */
export function changedAnswers(
  seen: SeenAnswers,
  compared: readonly ComparedAnswer[],
  before: unknown,
  told: ReadonlySet<string>,
): readonly string[] {
  const untold = compared.filter(({ observation }) => !told.has(observation.step.id));
  return [...outcomesOf(seen, untold)].flatMap(([point, outcomes]) => {
    const had: unknown = isObject(before) ? before[point] : undefined;
    if (!Array.isArray(had)) return [];
    return [...outcomes]
      .filter(([outcome]) => !had.includes(outcome))
      .map(([outcome, says]) => `${says}: was ${had.join(" or ")}, is ${outcome}`);
  });
}
