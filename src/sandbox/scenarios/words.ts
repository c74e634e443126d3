/**
 * A time in words.
 * @param milliseconds its length
 */
export function time(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

/** The parts that are there, joined. */
export function joined(parts: readonly (string | false | undefined)[], separator: string): string {
  return parts.filter((part) => part).join(separator);
}
