import { type InstantFault, instantAdvice, type ParsedInstant, parseInstant } from "./instant.js";

/** How the bounds of a date filter are written: the assumption `list.dates`. */
export interface DateFormat {
  readonly format: "date-time" | "date" | "both";
  readonly offset: "required" | "optional";
}

/** The format without a configuration. */
export const defaultDates: DateFormat = { format: "date-time", offset: "required" };

/** Why a text is not a bound. */
export type BoundFault = InstantFault | "only-dates";

const dateAdvice = "a date such as 2026-01-31";

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** The end of a sentence about a text: what it is not, and how to fix it. */
export function boundAdvice(text: string, fault: BoundFault, { format }: Pick<DateFormat, "format">): string {
  if (fault === "only-dates") return `is not a date: ${dateAdvice} is needed`;
  if (format === "date-time") return `is not a date-time: ${instantAdvice[fault]}`;
  if (fault === "format") return `is not a date or a date-time: ${dateAdvice} or ${instantAdvice.format}`;
  return `is not a ${dayPattern.test(text) ? "date" : "date-time"}: ${instantAdvice[fault]}`;
}

/**
 * More digits than a text can have, so that the last instant of a day is later than every instant of that day that a
 * text can name.
 */
const behindEveryFraction = "9".repeat(64);

export type ParsedBound =
  | Extract<ParsedInstant, { readonly ok: true }>
  | { readonly ok: false; readonly fault: BoundFault };

/** Reads a bound. A date means its first instant in UTC as the lower bound, and its last instant as the upper bound. */
export function parseBound(text: string, bound: "from" | "to", { format, offset }: DateFormat): ParsedBound {
  const isDate = dayPattern.test(text);
  if (isDate && format !== "date-time") return parseDay(text, bound);
  if (format === "date") return { ok: false, fault: "only-dates" };
  const parsed = parseInstant(text);
  return !parsed.ok && parsed.fault === "no-offset" && offset === "optional" ? parseInstant(`${text}Z`) : parsed;
}

function parseDay(text: string, bound: "from" | "to"): ParsedBound {
  if (bound === "from") return parseInstant(`${text}T00:00:00Z`);
  const last = parseInstant(`${text}T23:59:59.999Z`);
  return last.ok ? { ok: true, instant: { ms: last.instant.ms, rest: behindEveryFraction } } : last;
}
