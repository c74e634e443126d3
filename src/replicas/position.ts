/** The position in a stream of Redis before all others: milliseconds and a number. */
export const start = "0-0";

/** Whether one position is before another one. */
export function isBefore(one: string, other: string): boolean {
  const [a = 0, b = 0] = one.split("-").map(Number);
  const [c = 0, d = 0] = other.split("-").map(Number);
  return a === c ? b < d : a < c;
}

/** When a batch was written, in milliseconds since the epoch, by the clock of Redis. */
export function writtenAt(position: string): number {
  return Number.parseInt(position, 10);
}
