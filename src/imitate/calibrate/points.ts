import { acceptedOf, type Known, type ListTarget } from "./known.js";
import { parametersOf } from "./list-asker.js";
import { listFacts, stepId } from "./list-facts.js";
import type { Observation } from "./observation.js";

/**
 * What a request asks, so that requests that ask the same count as one answer: the names that are tried for a parameter
 * that the list does not have, the pages of a walk, the sizes that are tried for a limit, the samples of a correlation ID.
 */
export function pointOf(known: Known, observation: Observation): string {
  const { id } = observation.step;
  const list = known.options.lists.find((each) => id.startsWith(stepId(each, "")));
  if (list !== undefined) return stepId(list, pointOfList(known, list, observation));
  if (id.startsWith("session.")) return "session.token";
  if (id === "ping.again") return "ping.plain";
  return id.startsWith("correlation.format.") ? "correlation.echo" : id;
}

function pointOfList(known: Known, list: ListTarget, observation: Observation): string {
  const what = observation.step.id.slice(stepId(list, "").length);
  if (/^(parent|page|large)\./.test(what)) return what.replace(/\.\d+$/, "");
  const facts = listFacts(known, list);
  const { sizeName, cursorName, dates, filters } = facts ?? {};
  const names = new Set([sizeName, cursorName, dates?.from, dates?.to, ...Object.keys(filters?.filters ?? {})]);
  const isUnknown = [...parametersOf(observation).keys()].some((name) => !names.has(name));
  // Unknown parameters that are ignored are one answer, and those that are refused are another.
  const isAccepted = acceptedOf(observation.outcome) === true;
  if (isUnknown) return isAccepted ? "unknown" : "unknown.refused";
  if (/^cursor\.\d+$/.test(what)) return "page";
  if (/^size[.-]\d+$/.test(what)) return isAccepted ? "size" : "size.refused";
  return what;
}
