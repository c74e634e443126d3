import type { Condition } from "./condition.js";
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

/** A page of a walk, by its number or its place: `page 2`, `the last page`. */
export function pageName(page: NonNullable<Condition["page"]>): string {
  if (typeof page === "number") return `page ${page}`;
  return page === "middle" ? "a middle page" : `the ${page} page`;
}
