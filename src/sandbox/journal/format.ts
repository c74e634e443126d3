import { day, hour, minute, second } from "../../base/text/duration.js";
import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import { isoInstant } from "../clock.js";

/** An instant in UTC, to the second. */
export function instant(milliseconds: number | undefined): string {
  const text = milliseconds === undefined ? null : isoInstant(milliseconds);
  return text === null ? "an unknown time" : text.replace(/\.\d{3}Z$/, "Z");
}

/** A length of time in a unit that is easy to compare. Lifetimes of tokens are in seconds. */
export function span(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < 15 * minute) return `${Math.round(length / second)} s`;
  if (length < 2 * hour) return `${Math.round(length / minute)} minutes`;
  if (length < 3 * day) return `${Math.round(length / hour)} hours`;
  return `${thousands(Math.round(length / day))} days`;
}

/** A value that may not have been sent. */
export function sent(value: string | undefined): string {
  return value === undefined ? "not sent" : quote(value);
}

/** The text as a sentence, with a full stop if it has none. */
export function ended(text: string): string {
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Joins sentences. Empty ones are left out. */
export function paragraph(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
