/** A whole number as English writes it: 1,000,000. `toLocaleString` would load the data of all languages for it: five megabytes. */
export function thousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
