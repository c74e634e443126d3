/**
 * A time in words.
 * @param milliseconds its length
 */
export function time(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

/** A place in a sequence: `2nd`. */
export function ordinal(count: number): string {
  const ending = { 1: "st", 2: "nd", 3: "rd" }[count % 100 > 10 && count % 100 < 14 ? 0 : count % 10] ?? "th";
  return `${count}${ending}`;
}

/** A version of HTTP, as people write it. */
export function versionName(http: 1 | 2): string {
  return http === 1 ? "HTTP/1.1" : "HTTP/2";
}

/** The parts that are there, joined. */
export function joined(parts: readonly (string | false | undefined)[], separator: string): string {
  return parts.filter((part) => part).join(separator);
}
