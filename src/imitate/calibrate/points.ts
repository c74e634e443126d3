import type { Observation } from "./answer.js";
import type { Known, ListTarget } from "./known.js";
import { parametersOf, stepId } from "./list-asker.js";
import { listFacts } from "./list-facts.js";

/** Requests that ask the same, by the beginning of their ids: together they are one answer of the score. */
const questions: readonly (readonly [RegExp, string])[] = [
  [/^session\./, "session"],
  [/^ping\.(plain|again)/, "ping"],
  [/^(ping\.produce-(maybe|twice)|order\.)/, "ping.produce-maybe"],
  [/^correlation\.(echo|format)/, "correlation"],
  [/^access\.(no-token|malformed)/, "access.no-token"],
  [/^access\.(altered|made-up)-token/, "access.wrong-token"],
  [/^token\.(json|text)/, "token.media-type"],
  [/^http\.(options|get-token)/, "http.method"],
];

/** The same for the requests about a list. Sizes are told apart by their values. */
const questionsOfList: readonly (readonly [RegExp, string])[] = [
  [/^(cursor\.|cursor-row|number\.|page|large|walk-respelled)/, "next page"],
  [/^(cursor-(bad|tampered)|number-word)/, "wrong cursor"],
  [/^dates\./, "from the future"],
  [/^cursor-other-/, "cursor with other parameters"],
  [/^dates-(past|to|bounds)/, "dates"],
  [/^dates-(bad|word|no-offset)/, "no date"],
  [/^filter/, "filter"],
];

/** The question that a request asks. All names that are tried for a parameter ask one; the pages of a walk, too. */
export function pointOf(known: Known, observation: Observation): string {
  const { id } = observation.step;
  const list = known.options.lists.find((each) => id.startsWith(stepId(each, "")));
  if (list === undefined) return found(questions, id);
  const what = id.slice(stepId(list, "").length);
  return stepId(list, what.startsWith("size") ? sizeQuestion(known, list, observation) : found(questionsOfList, what));
}

/** The question where a list ends. */
export function walkPoint(list: ListTarget): string {
  return stepId(list, "walk");
}

function found(all: typeof questions, id: string): string {
  return all.find(([ids]) => ids.test(id))?.[1] ?? id;
}

function sizeQuestion(known: Known, list: ListTarget, observation: Observation): string {
  const [text] = parametersOf(observation).values();
  const size = Number(text);
  const maximum = listFacts(known, list)?.sizes.maximum;
  if (Number.isNaN(size)) return "size: no number";
  if (size <= 0) return "size: 0";
  if (size === maximum) return "size: the largest";
  return size > (maximum ?? 100) ? "size: too large" : "size";
}
