/** Whether one position in a stream of Redis, milliseconds and a number, is before another one. */
export function isBefore(one: string, other: string): boolean {
  const [a = 0, b = 0] = one.split("-").map(Number);
  const [c = 0, d = 0] = other.split("-").map(Number);
  return a === c ? b < d : a < c;
}
