import { day as oneDay } from "../../base/text/duration.js";
import { inZone } from "../../base/text/time-zone.js";
import { behindEveryFraction, type InstantFault, instantAdvice, type ParsedInstant, parseInstant } from "./instant.js";

/** How the bounds of a date filter are written: the assumption `list.dates`. */
export interface DateFormat {
  readonly format: "date-time" | "date" | "both";
  readonly offset: "required" | "optional";
  /** Whether the upper bound is in the range. */
  readonly upper: "included" | "excluded";
  /** The time zone of days, and of times without an offset: a name of the IANA database. */
  readonly zone: string;
}

/** The format without a configuration. */
export const defaultDates: DateFormat = { format: "date-time", offset: "required", upper: "included", zone: "UTC" };

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

export type ParsedBound =
  | Extract<ParsedInstant, { readonly ok: true }>
  | { readonly ok: false; readonly fault: BoundFault };

/**
 * Reads a bound. A date means its first instant in the time zone as the lower bound; as the upper bound its last
 * instant, or, if that bound is excluded, its first.
 */
export function parseBound(text: string, bound: "from" | "to", dates: DateFormat): ParsedBound {
  const { format, offset, upper, zone } = dates;
  const isDate = dayPattern.test(text);
  if (isDate && format !== "date-time") {
    return bound === "to" && upper === "included" ? endOfDay(text, zone) : localInstant(`${text}T00:00:00`, zone);
  }
  if (format === "date") return { ok: false, fault: "only-dates" };
  const parsed = parseInstant(text);
  return !parsed.ok && parsed.fault === "no-offset" && offset === "optional" ? localInstant(text, zone) : parsed;
}

/** The last instant of a day: the next day may begin 23 or 25 hours after it. */
function endOfDay(text: string, zone: string): ParsedBound {
  const start = parseInstant(`${text}T00:00:00Z`);
  if (!start.ok) return start;
  return { ok: true, instant: { ms: inZone(start.instant.ms + oneDay, zone) - 1, rest: behindEveryFraction } };
}

/** @param text a date-time without its offset */
function localInstant(text: string, zone: string): ParsedBound {
  const parsed = parseInstant(`${text}Z`);
  if (!parsed.ok) return parsed;
  return { ok: true, instant: { ...parsed.instant, ms: inZone(parsed.instant.ms, zone) } };
}
