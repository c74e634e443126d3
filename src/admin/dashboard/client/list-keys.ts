/** The distance of a key that goes to the last row. */
export const toTheEnd = Number.MAX_SAFE_INTEGER;

const distances: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  End: toTheEnd,
  Home: -toTheEnd,
};

/** How many rows a key moves the choice; undefined for other keys. */
export function distanceOf(key: string): number | undefined {
  return distances[key];
}
