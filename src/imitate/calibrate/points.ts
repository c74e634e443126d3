import { acceptedOf, type Known, type ListTarget } from "./known.js";
import { parametersOf, stepId } from "./list-asker.js";
import { listFacts } from "./list-facts.js";
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
  return samePoints.get(id) ?? (id.startsWith("correlation.format.") ? "correlation.echo" : id);
}

/** Requests that ask the same in two ways. */
const samePoints: ReadonlyMap<string, string> = new Map([
  ["ping.again", "ping.plain"],
  ["ping.produce-twice", "ping.produce-maybe"],
  ["order.no-token", "access.no-token"],
  ["access.malformed", "access.no-token"],
  ["access.made-up-token", "access.altered-token"],
  ["token.text", "token.json"],
  ["http.long-header", "http.no-host"],
  ["http.expect", "http.no-host"],
]);

function pointOfList(known: Known, list: ListTarget, observation: Observation): string {
  const what = observation.step.id.slice(stepId(list, "").length);
  if (/^(parent|page|large)\./.test(what)) return what.replace(/\.\d+$/, "");
  const facts = listFacts(known, list);
  const { sizeName, cursorName, numberName, dates, filters } = facts ?? {};
  const names = new Set([
    sizeName,
    cursorName,
    numberName,
    dates?.from,
    dates?.to,
    ...Object.keys(filters?.filters ?? {}),
  ]);
  const isUnknown = [...parametersOf(observation).keys()].some((name) => !names.has(name));
  const isAccepted = acceptedOf(observation.outcome) === true;
  // The names of one kind: those that are ignored are one answer, and those that are refused are another.
  if (isUnknown && !what.startsWith("filter."))
    return `${/^\w+/.exec(what)?.[0]}.${isAccepted ? "ignored" : "refused"}`;
  if (/^cursor\.\d+$/.test(what)) return "page";
  if (/^size[.-]\d+$/.test(what)) return isAccepted ? "size" : "size.refused";
  if (/^cursor-(tampered|empty|bad)/.test(what)) return "cursor-wrong";
  return /^dates-(word|reversed)/.test(what) ? "dates-wrong" : what;
}
