import { remember } from "../remember.js";
import { day, second } from "./duration.js";

/** Whether a text is the name of a time zone: one of the IANA database, or UTC. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}

/**
 * When the clocks of a time zone show a time. Of a time that they show twice, it is the first; one that they skip counts
 * as if they had not been changed.
 * @param shown the time, as if it were in UTC, in milliseconds since the epoch
 * @param zone a valid name
 * @returns milliseconds since the epoch
 */
export function inZone(shown: number, zone: string): number {
  const [before, after] = [offsetAt(shown - day, zone), offsetAt(shown + day, zone)];
  const isChanged = offsetAt(shown - before, zone) !== before && offsetAt(shown - after, zone) === after;
  return shown - (isChanged ? after : before);
}

/** How far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const date = new Date(0);
  date.setUTCFullYear(of("year"), of("month") - 1, of("day"));
  const shown = date.setUTCHours(of("hour"), of("minute"), of("second"));
  return shown - Math.floor(instant / second) * second;
}

const mostClocks = 100;
const clocks = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for a name that is none */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const [numeric, twoDigits] = ["numeric", "2-digit"] as const;
  const clock = new Intl.DateTimeFormat("en-u-ca-iso8601", {
    timeZone: zone,
    hourCycle: "h23",
    year: numeric,
    month: twoDigits,
    day: twoDigits,
    hour: twoDigits,
    minute: twoDigits,
    second: twoDigits,
  });
  remember(clocks, zone, clock, mostClocks);
  return clock;
}
