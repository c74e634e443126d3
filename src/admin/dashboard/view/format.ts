/**
 * Makes text from a client visible: invisible characters, and characters that change the direction of the surrounding
 * text, are written as escapes. Line breaks and tabs stay.
 */
export function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** `07:16:15.123` of an RFC 3339 instant in UTC. */
export function clockTime(instant: string | null): string {
  return instant === null ? "--:--:--" : (/T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(instant)?.[1] ?? instant);
}

/** `2026-11-21 07:16:15 UTC`. */
export function instant(text: string | null): string {
  if (text === null) return "unknown";
  return text.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC");
}

/** How long something took: `0.42 ms`, `12 ms`, `1.20 s`. */
export function took(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(2)} s`;
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

/** The offset from another clock: `+5 m 1 s`, `−1 d`. */
export function offset(milliseconds: number): string {
  return `${milliseconds < 0 ? "−" : "+"}${span(milliseconds)}`;
}

/** The beginning of a thumbprint, to recognize it. */
export function short(thumbprint: string): string {
  return `${thumbprint.slice(0, 12)}…`;
}

export function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
