import { day, hour, minute, second } from "../../base/text/duration.js";

/**
 * An instant as exact as its text: RFC 3339 §5.6 lets a fraction have any length, and a bound such as `…00.0005Z` must
 * not be rounded to the millisecond, or the result would have a row that the bound excludes.
 */
export interface Instant {
  /** Milliseconds since the epoch, rounded down. */
  readonly ms: number;
  /** Decimal digits of the fraction after the milliseconds, without trailing zeros; usually empty. */
  readonly rest: string;
}

/** Why a text is not a date-time. */
export type InstantFault =
  | "too-long"
  | "space-for-plus"
  | "space-for-t"
  | "no-time"
  | "no-offset"
  | "format"
  | "no-such-date"
  | "no-such-time"
  | "no-such-offset"
  | "leap-second";

/** The end of a sentence about the text: what to do about each fault. */
export const instantAdvice: Readonly<Record<InstantFault, string>> = {
  "too-long": "it is too long",
  "space-for-plus": "it has a space where the offset's '+' belongs; in a URL a '+' is written %2B",
  "space-for-t": "date and time are separated by the letter T, not by a space",
  "no-time": "it has no time; a date-time such as 2026-01-31T09:30:00Z is needed",
  "no-offset": "it has no offset; add Z for UTC, or an offset such as +01:00 (written %2B01:00 in a URL)",
  format: "an RFC 3339 date-time such as 2026-01-31T09:30:00Z is needed",
  "no-such-date": "there is no such date in the calendar",
  "no-such-time": "there is no such time of day",
  "no-such-offset": "there is no such offset",
  "leap-second": "second 60 exists only at 23:59:60 UTC on the last day of a month",
};

export type ParsedInstant =
  | { readonly ok: true; readonly instant: Instant }
  | { readonly ok: false; readonly fault: InstantFault };

/** 0001-01-01T00:00:00.000Z in milliseconds since the epoch. */
export const firstInstant = -62_135_596_800_000;

/** The last anchor of generated rows: 9999-01-01T00:00:00Z. All timestamps have four-digit years, with one year of margin. */
export const lastAnchor = 253_370_764_800_000;

// More digits are not needed, and the time that the pattern takes stays bounded.
const maximumLength = 64;

const pattern = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Reads an RFC 3339 §5.6 date-time: a real calendar date, `T`, a time with optional fraction of any length, and `Z` or
 * an offset.
 *
 * Choices where the RFC leaves one: lower-case `t` and `z` are accepted; `-00:00` is UTC; second 60 is accepted where a
 * leap second is possible (the end of a month, in UTC) and means the following second, as in POSIX time; a space
 * instead of the `T` is rejected.
 */
export function parseInstant(text: string): ParsedInstant {
  if (text.length > maximumLength) return { ok: false, fault: "too-long" };
  const match = pattern.exec(text);
  if (!match) return { ok: false, fault: diagnose(text) };
  const year = Number(match[1]);
  const month = Number(match[2]);
  const dayOfMonth = Number(match[3]);
  const hours = Number(match[4]);
  const minutes = Number(match[5]);
  const seconds = Number(match[6]);
  const fraction = match[7] ?? "";
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999; `setUTCFullYear` does not. A day that does not exist becomes
  // another day.
  const date = new Date(0);
  const midnight = date.setUTCFullYear(year, month - 1, dayOfMonth);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== dayOfMonth) return { ok: false, fault: "no-such-date" };
  if (hours > 23 || minutes > 59 || seconds > 60) return { ok: false, fault: "no-such-time" };
  if (offsetHours > 23 || offsetMinutes > 59) return { ok: false, fault: "no-such-offset" };
  const offset = (offsetHours * 60 + offsetMinutes) * minute * (match[8] === "-" ? -1 : 1);
  const whole = midnight + hours * hour + minutes * minute + seconds * second - offset;
  // Second 60 is read as the following second. It was a leap second if that second begins a month in UTC.
  if (seconds === 60 && (whole % day !== 0 || new Date(whole).getUTCDate() !== 1)) {
    return { ok: false, fault: "leap-second" };
  }
  const ms = whole + Number(fraction.slice(0, 3).padEnd(3, "0"));
  return { ok: true, instant: { ms, rest: withoutTrailingZeros(fraction, 3) } };
}

/** Milliseconds of a text that is known to be a date-time. */
export function instantOf(text: string): number {
  const parsed = parseInstant(text);
  return parsed.ok ? parsed.instant.ms : Number.NaN;
}

function diagnose(text: string): InstantFault {
  if (/^\S{10}[Tt][\d:.]+ \d\d:?\d\d$/.test(text)) return "space-for-plus";
  if (/^\d{4}-\d\d-\d\d \d\d:/.test(text)) return "space-for-t";
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return "no-time";
  if (/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?$/.test(text)) return "no-offset";
  return "format";
}

// A loop, because a pattern such as /0+$/ takes quadratic time for many zeros.
function withoutTrailingZeros(digits: string, from: number): string {
  let end = digits.length;
  while (end > from && digits.charCodeAt(end - 1) === 48) end -= 1;
  return digits.slice(from, end);
}

/** Less than, equal to or greater than zero, as `a` is before, at or after `b`. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.ms !== b.ms) return a.ms - b.ms;
  // Fractions without trailing zeros compare as texts.
  if (a.rest === b.rest) return 0;
  return a.rest < b.rest ? -1 : 1;
}

/** The last instant before another, as exact as any text can be: the upper bound of a range that excludes its end. */
export function justBefore({ ms, rest }: Instant): Instant {
  // The last digit is not zero.
  const digits = rest === "" ? "" : `${rest.slice(0, -1)}${Number(rest.at(-1)) - 1}`;
  return { ms: rest === "" ? ms - 1 : ms, rest: digits + behindEveryFraction };
}

/** More digits than a text can have, so that an instant with them is later than every one that a text can name. */
export const behindEveryFraction = "9".repeat(maximumLength);
