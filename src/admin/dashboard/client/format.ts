import { second } from "../../../base/text/duration.js";
import { readKept, writeKept } from "./kept.js";

/**
 * Makes text from a client visible: invisible characters, and characters that change the direction of the surrounding
 * text, are written as escapes. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The zone in which the page writes instants; addresses and queries have UTC. */
type Zone = "UTC" | "local";

/** One for the whole page. */
let zone: Zone = "UTC";

const storageKey = "payments-sandbox-zone";

/** Writes all instants in the zone that the user chose in this browser. */
export function restoreZone(): void {
  if (readKept(storageKey) === ("local" satisfies Zone)) zone = "local";
}

/** Writes all instants in the other zone from now on. */
export function changeZone(): void {
  zone = zone === "UTC" ? "local" : "UTC";
  writeKept(storageKey, zone);
}

/** The zone of all instants. */
export function writtenIn(): Zone {
  return zone;
}

/** An RFC 3339 instant in UTC with the date and the time of the zone. */
export function inZone(instant: string): string {
  const at = new Date(instant);
  if (zone === "UTC" || Number.isNaN(at.getTime())) return instant;
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
}

/** `07:16:15.123` of an RFC 3339 instant in UTC. */
export function clockTime(instant: string | null): string {
  if (instant === null) return "--:--:--";
  return /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(inZone(instant))?.[1] ?? instant;
}

/** `2026-11-21 07:16:15 UTC`, or `2026-11-21 08:16:15 +01:00`. */
export function instant(text: string | null): string {
  if (text === null) return "unknown";
  const suffix = zone === "UTC" ? "UTC" : offsetAt(new Date(text));
  return inZone(text)
    .replace("T", " ")
    .replace(/(?:\.\d+)?Z$/, ` ${suffix}`);
}

/** The offset of the local zone from UTC: `+01:00`. */
function offsetAt(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const digits = [Math.abs(minutes) / 60, Math.abs(minutes) % 60].map((part) =>
    String(Math.floor(part)).padStart(2, "0"),
  );
  return `${minutes < 0 ? "-" : "+"}${digits.join(":")}`;
}

/** How long something took: `0.42 ms`, `12 ms`, `1.20 s`. */
export function took(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** A size: `0 B`, `512 B`, `12.3 kB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** A span in its two largest units: `5 m 1 s`, `395 d 23 h`. */
export function span(milliseconds: number): string {
  let rest = Math.round(Math.abs(milliseconds) / 1000) * 1000;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** `3 s ago`; `now` within one second. */
export function ago(instant: string, now: number): string {
  const passed = now - Date.parse(instant);
  return passed < second ? "now" : `${span(passed)} ago`;
}

/** The offset from another clock: `+5 m 1 s`, `−1 d`. */
export function offset(milliseconds: number): string {
  return `${milliseconds < 0 ? "−" : "+"}${span(milliseconds)}`;
}

/** The beginning of a thumbprint, to recognize it. */
export function short(thumbprint: string): string {
  return `${thumbprint.slice(0, 12)}…`;
}

/** The time of the browser, to the second: `12:03:04`. */
export function timeNow(): string {
  return clockTime(new Date().toISOString()).slice(0, 8);
}
