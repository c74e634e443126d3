/**
 * A set of rows, known by their ordinals (places in the order of the walk), that can be read from any place without a
 * scan: `rank` finds the place of an ordinal in the set, `at` finds the ordinal at a place.
 */
export interface Selection {
  /** Number of rows in the set. */
  readonly size: number;
  /** Number of rows of the set before an ordinal (from 0 to the list's count). */
  rank: (ordinal: number) => number;
  /** The ordinal at a place from 0 to `size` - 1. */
  at: (place: number) => number;
  has: (ordinal: number) => boolean;
}

/** All rows of a list. */
export function everyRow(count: number): Selection {
  return { size: count, rank: (ordinal) => ordinal, at: (place) => place, has: () => true };
}

export const noRow: Selection = { size: 0, rank: () => 0, at: () => 0, has: () => false };

/** The rows with these ordinals, in ascending order. */
export function namedRows(ordinals: readonly number[]): Selection {
  const size = ordinals.length;
  const rank = (ordinal: number) => firstWhere(size, (place) => (ordinals[place] as number) >= ordinal);
  return {
    size,
    rank,
    at: (place) => ordinals[place] as number,
    has: (ordinal) => ordinals[rank(ordinal)] === ordinal,
  };
}

/** The same rows in a walk from the other end of a list of `count` rows. */
export function reversedRows({ size, rank, at, has }: Selection, count: number): Selection {
  return {
    size,
    rank: (ordinal) => size - rank(count - ordinal),
    at: (place) => count - 1 - at(size - 1 - place),
    has: (ordinal) => has(count - 1 - ordinal),
  };
}

/**
 * Binary search: the first of `size` places at which `holds` is true, where it is true from some place on; else `size`.
 */
export function firstWhere(size: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
