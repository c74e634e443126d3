/** Lengths of time, in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

const units = { ms: 1, s: second, m: minute, h: hour, d: day } as const;

/** The format of durations, for messages and help. */
export const durationForm = 'a number with a unit: "500ms", "301s", "15m", "24h" or "7d"';

/** A duration as text, as far as a type can check it: `301s`, `1.5h`. */
export type Duration = `${number}${keyof typeof units}`;

/** A number, its fraction if any, and its unit. */
export const durationPattern = /^(\d{1,12}(?:\.\d{1,6})?) ?(ms|s|m|h|d)$/;

/**
 * Reads a duration such as `301s` or `1.5h`.
 * @returns milliseconds, or undefined when the text is not a duration
 */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text.trim());
  if (!match) return undefined;
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
}

/**
 * An estimate as people say it, rounded up: `25 s`, `65 s`, `3 min`, `2 h`.
 * @param milliseconds from 0 on
 */
export function roughly(milliseconds: number): string {
  const seconds = Math.max(5, Math.ceil(milliseconds / (5 * second)) * 5);
  if (seconds < 120 && seconds !== 60) return `${seconds} s`;
  const minutes = Math.ceil(milliseconds / minute);
  return minutes < 90 ? `${minutes} min` : `${Math.ceil(milliseconds / hour)} h`;
}
