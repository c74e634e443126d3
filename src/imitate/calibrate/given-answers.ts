import { isObject } from "../../base/text/json-object.js";
import { answerOf, outcomeText } from "./answer.js";
import { bodyText } from "./compare.js";
import type { ComparedAnswer } from "./replay.js";
import { acceptedOf, tokenPath } from "./seen-answers.js";

/** The outcomes of the requests about each point, and what was sent: status and code, and the bodies of errors. */
function outcomesOf(compared: readonly ComparedAnswer[]): ReadonlyMap<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const { point, observation } of compared) {
    const { outcome, request, step } = observation;
    const add = (about: string, text: string) => {
      const outcomes = found.get(about) ?? new Map<string, string>();
      if (!outcomes.has(text)) outcomes.set(text, step.says);
      found.set(about, outcomes);
    };
    const isAccepted = acceptedOf(outcome);
    // A failure of the service says nothing about the request.
    if (isAccepted === undefined) continue;
    add(point, outcomeText(outcome));
    const answer = answerOf(outcome);
    if (answer && !isAccepted) add(request.path === tokenPath ? "errors of tokens" : "errors", bodyText(answer));
  }
  return found;
}

/**
 * What the service answered, for the key `answers` of the file: status and code by what was asked. With it, a change is
 * seen of something that the sandbox does not imitate.
 * @param before the same key of the file as it was: what was not asked stays
 * @param lists the names of the lists of the file: what is about another one goes
 */
export function givenAnswers(
  compared: readonly ComparedAnswer[],
  before: unknown,
  lists: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const now = [...outcomesOf(compared)].map(([point, outcomes]) => [point, [...outcomes.keys()].sort()]);
  const kept = Object.entries(isObject(before) ? (before as Record<string, string[]>) : {}).filter(
    ([point]) => !point.startsWith("list.") || lists.some((name) => point.startsWith(`list.${name}.`)),
  );
  return Object.fromEntries([...kept, ...now]);
}

/**
 * The answers that the service did not give when the file was written, one sentence each.
 * @param before the key `answers` of the file; what it does not have is not known
 * @param told the steps whose answers are told otherwise
 */
export function changedAnswers(
  compared: readonly ComparedAnswer[],
  before: unknown,
  told: ReadonlySet<string>,
): readonly string[] {
  const untold = compared.filter(({ observation }) => !told.has(observation.step.id));
  return [...outcomesOf(untold)].flatMap(([point, outcomes]) => {
    const had: unknown = isObject(before) ? before[point] : undefined;
    if (!Array.isArray(had)) return [];
    return [...outcomes]
      .filter(([outcome]) => !had.includes(outcome))
      .map(([outcome, says]) => `${says}: was ${had.join(" or ")}, is ${outcome}`);
  });
}
