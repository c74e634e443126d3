import { undecodableName } from "../api/parameters.js";
import type { UnknownParameter } from "../exam/observation.js";
import type { Exchange } from "../journal/exchange.js";
import { redactText } from "../journal/redact.js";
import type { List } from "../lists/list.js";
import type { Parameters } from "../lists/problems.js";
import { longestName, printable } from "../text/printable.js";
import { nearest } from "../yaml/issues.js";

/** Unknown parameters of a request that are reported. */
const mostUnknown = 8;

/** Parameters of a token request that are judged by checks of their own, also in a URL. */
const formNames = ["grant_type", "client_id", "scope", "client_secret", "client_assertion", "client_assertion_type"];

const nothingUnknown: readonly UnknownParameter[] = [];

/** Whether a parameter carries a value that is judged: a date, a filter, or the error to produce. */
function carriesValue(name: string, operation: Exchange["operation"], list: List | undefined): boolean {
  if (operation === "ping") return name === "produceError";
  if (list === undefined) return false;
  const { fromCreatedAt, toCreatedAt } = list.parameters;
  return name === fromCreatedAt || name === toCreatedAt || list.filters.some(({ parameter }) => parameter === name);
}

/** Whether a request has a parameter whose value is judged. */
export function hasValues(query: Parameters, operation: Exchange["operation"], list: List | undefined): boolean {
  for (const name of query.keys()) if (carriesValue(name, operation, list)) return true;
  return false;
}

/** The parameters that the operation does not know, and what each may be meant for. */
export function unknownParameters(
  query: Parameters,
  operation: Exchange["operation"],
  list: List | undefined,
): readonly UnknownParameter[] {
  if (operation === undefined || query.size === 0) return nothingUnknown;
  const unknown: UnknownParameter[] = [];
  for (const name of query.keys()) {
    if (unknown.length === mostUnknown) break;
    if (isKnown(name, operation, list)) continue;
    const near = nearest(name.slice(0, longestName), knownNames(operation, list))[0];
    unknown.push({ name: printable(redactText(name), longestName), near });
  }
  return unknown;
}

function isKnown(name: string, operation: Exchange["operation"], list: List | undefined): boolean {
  if (name === "access_token" || name === undecodableName || carriesValue(name, operation, list)) return true;
  if (operation === "token") return formNames.includes(name);
  return name === list?.parameters.cursor || name === list?.parameters.pageSize;
}

/** The names that a misspelt one can be meant for. */
function knownNames(operation: Exchange["operation"], list: List | undefined): string[] {
  if (operation === "ping") return ["produceError"];
  if (list === undefined) return [];
  const { fromCreatedAt, toCreatedAt, cursor, pageSize } = list.parameters;
  const filters = list.filters.map(({ parameter }) => parameter);
  return [fromCreatedAt, toCreatedAt, ...filters, cursor, pageSize].filter((name) => name !== undefined);
}
