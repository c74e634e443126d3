import { quoteAscii } from "../../base/text/printable.js";
import { boundAdvice, parseBound } from "./bound.js";
import type { Instant } from "./instant.js";
import type { List } from "./list.js";
import {
  bounded,
  type ListProblem,
  type PageSizeDetail,
  type ParameterFault,
  type Parameters,
  type ParameterValue,
  type ValidationDetail,
} from "./problems.js";

/** How much of a parameter a public message repeats at most, in characters. */
const longestEcho = 40;

/** Longest value of an equality filter, in UTF-16 units, because every cursor of the walk holds it. */
export const maximumFilterLength = 256;

/** The page size of a request (§8): a plain decimal integer without sign or leading zeros, or the default. */
export function parsePageSize(list: List, parameters: Parameters): number | ListProblem {
  const { pageSize: parameter } = list.parameters;
  const values = parameter === undefined ? undefined : parameters.get(parameter);
  if (parameter === undefined || values === undefined) return list.pageSize.default;
  const { minimum, maximum, beyond } = list.pageSize;
  const single = singleValue(values);
  if (typeof single !== "string") return problem(single.fault);
  if (!/^[0-9]+$/.test(single)) return problem("not-decimal");
  if (single.length > 1 && single.startsWith("0")) return problem("leading-zero");
  // A number beyond 2^53 is inexact, but out of range anyway.
  const size = Number(single);
  if (size > maximum && beyond === "lower") return maximum;
  return size >= minimum && size <= maximum ? size : problem("out-of-range");

  function problem(reason: PageSizeDetail["reason"]): ListProblem {
    const sent = typeof single === "string" ? `, not ${quoteAscii(single, longestEcho)}` : "";
    const range = `a whole number from ${minimum} to ${maximum}, in plain decimal digits`;
    const message = `Parameter '${parameter}' ${general(reason) ?? `must be ${range}${sent}`}.`;
    const detail = { parameter: parameter as string, reason, value: bounded(values?.[0]) };
    return { code: "INVALID_PAGE_SIZE", message, detail };
  }
}

/** A date bound as it was sent and as it was parsed. */
export interface SentDate {
  readonly parameter: string;
  readonly text: string;
  readonly instant: Instant;
}

/** A date bound in the format of the list, sent once, or `undefined` if it was not sent. */
export function parseDate(
  bound: "from" | "to",
  { parameters: names, dates }: List,
  parameters: Parameters,
): SentDate | ListProblem | undefined {
  const parameter = bound === "from" ? names.fromCreatedAt : names.toCreatedAt;
  const values = parameter === undefined ? undefined : parameters.get(parameter);
  if (parameter === undefined || values === undefined) return undefined;
  const text = singleValue(values);
  if (typeof text !== "string") return invalid(parameter, text.fault, values);
  const parsed = parseBound(text, bound, dates);
  if (parsed.ok) return { parameter, text, instant: parsed.instant };
  const explanation = `${quoteAscii(text, longestEcho)} ${boundAdvice(text, parsed.fault, dates)}`;
  return invalid(parameter, parsed.fault, values, explanation);
}

/** The value of an equality filter, sent once and not empty, or `undefined` if it was not sent. */
export function parseFilter(parameter: string, parameters: Parameters): string | ListProblem | undefined {
  const values = parameters.get(parameter);
  if (values === undefined) return undefined;
  const text = singleValue(values);
  if (typeof text !== "string") return invalid(parameter, text.fault, values);
  if (text.length <= maximumFilterLength) return text;
  return invalid(parameter, "too-long", values, `it is longer than ${maximumFilterLength} characters`);
}

function singleValue(values: readonly ParameterValue[]): string | { readonly fault: ParameterFault } {
  if (values.length > 1) return { fault: "repeated" };
  const [value = null] = values;
  if (value === null) return { fault: "undecodable" };
  return value === "" ? { fault: "empty" } : value;
}

function invalid(
  parameter: string,
  reason: ValidationDetail["reason"],
  values: readonly ParameterValue[],
  explanation?: string,
): ListProblem {
  const message = `Parameter '${parameter}' ${general(reason) ?? `is invalid: ${explanation}`}.`;
  return { code: "VALIDATION_ERROR", message, detail: { parameter, reason, value: bounded(values[0]) } };
}

/** The messages that all parameters share. */
function general(reason: string): string | undefined {
  if (reason === "empty") return "is empty; leave it out or give it a value";
  if (reason === "repeated") return "is repeated; send it once";
  if (reason === "undecodable") return "is not valid percent-encoded UTF-8";
  return undefined;
}
