/**
 * A whole number in English notation: 1,000,000. `toLocaleString` would load the data of all languages: five megabytes.
 */
export function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number of things: `1 request`, `1,000 requests`. */
export function counted(count: number, what: string): string {
  return `${thousands(count)} ${what}${count === 1 ? "" : "s"}`;
}
