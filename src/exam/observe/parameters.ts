import { nearest } from "../../base/text/nearest.js";
import { longestName, printable } from "../../base/text/printable.js";
import { undecodableName } from "../../sandbox/api/parameters.js";
import { isFormParameter } from "../../sandbox/api/token.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { TakenStep } from "../../sandbox/journal/exchange-facts.js";
import { redactText } from "../../sandbox/journal/redact.js";
import type { List } from "../../sandbox/lists/list.js";
import type { Parameters } from "../../sandbox/lists/problems.js";
import type { UnknownParameter } from "../observation.js";

/** How many unknown parameters of a request are reported. */
const mostUnknown = 8;

const nothingUnknown: readonly UnknownParameter[] = [];

/** What an operation knows about queries. */
export interface KnownParameters {
  readonly operation: Exchange["operation"];
  readonly list: List | undefined;
  /** The steps of the operation; may be empty for a request without parameters. */
  readonly steps: readonly TakenStep[];
}

/** The names that the steps of an operation know. */
function namesOf({ steps }: KnownParameters): readonly string[] {
  return steps.flatMap(({ parameters = [] }) => parameters);
}

/**
 * Whether a request has a parameter whose value is judged: a date, a filter, or the error to produce, but not cursor
 * and page size.
 */
export function hasValues(query: Parameters, known: KnownParameters): boolean {
  if (query.size === 0) return false;
  const { cursor, pageSize } = known.list?.parameters ?? {};
  return namesOf(known).some((name) => query.has(name) && name !== cursor && name !== pageSize);
}

/** The parameters that the operation does not know, and what each may be meant for. */
export function unknownParameters(query: Parameters, known: KnownParameters): readonly UnknownParameter[] {
  if (known.operation === undefined || query.size === 0) return nothingUnknown;
  const names = namesOf(known);
  const unknown: UnknownParameter[] = [];
  for (const name of query.keys()) {
    if (unknown.length === mostUnknown) break;
    if (names.includes(name) || isJudgedElsewhere(name, known)) continue;
    const near = nearest(name.slice(0, longestName), names)[0];
    unknown.push({ name: printable(redactText(name), longestName), near });
  }
  return unknown;
}

/** Other checks judge tokens in a URL, what belongs in a form, and encodings. */
function isJudgedElsewhere(name: string, { operation }: KnownParameters): boolean {
  return name === "access_token" || name === undecodableName || (operation === "token" && isFormParameter(name));
}
