import { quoteAscii } from "../../base/text/printable.js";
import { Refusal } from "../journal/refusal.js";
import { undecodableName } from "./parameters.js";
import type { Call } from "./service.js";

/** How many names the journal keeps of a request, and how many characters of each. */
const mostNames = 8;
const longestName = 200;

/**
 * Notes the query parameters that an operation does not know, or refuses them: the assumption
 * `request.unknown-parameters`.
 * @param isKnown whether the operation knows a parameter of this name
 * @param choice what the operation does, if that is not what all do
 * @throws Refusal for one that may not be ignored, or whose name is not validly encoded
 */
export function takeUnknownParameters(
  call: Call,
  isKnown: (name: string) => boolean,
  choice = call.service.assumptions.values["request.unknown-parameters"],
): void {
  const { exchange, parameters } = call;
  if (parameters.size === 0) return;
  if (parameters.has(undecodableName)) {
    const reason = "the name of a parameter is not validly percent-encoded";
    throw refusalOf("(query)", reason, "The query is not validly percent-encoded UTF-8.");
  }
  noteUnknownParameters(call, isKnown);
  const { unknownParameters: unknown } = exchange;
  const [first] = unknown;
  if (first === undefined) return;
  if (choice === "ignore") return;
  const names = unknown.map((name) => quoteAscii(name, 40)).join(", ");
  throw refusalOf(first, "this operation does not know it", `There is no query parameter ${names}.`);
}

/** Notes the query parameters that an operation does not know, for the journal. */
export function noteUnknownParameters({ exchange, parameters }: Call, isKnown: (name: string) => boolean): void {
  const unknown = [...parameters.keys()].filter((name) => name !== undecodableName && !isKnown(name));
  if (unknown.length > 0)
    exchange.parametersIgnored(unknown.slice(0, mostNames).map((name) => name.slice(0, longestName)));
}

function refusalOf(name: string, reason: string, message: string): Refusal {
  return new Refusal("request.unknown-parameters", { kind: "parameter", name, reason }, { message });
}
