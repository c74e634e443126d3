/**
 * A set of rows, known by their ordinals (places in the order of the walk), that can be entered anywhere without a scan: `rank`
 * finds the place of an ordinal in the set, `at` the ordinal at a place.
 */
export interface Selection {
  /** Number of rows in the set. */
  readonly size: number;
  /** Number of rows of the set before an ordinal (0 up to and including the list's count). */
  rank(ordinal: number): number;
  /** The ordinal at a place from 0 to `size` - 1. */
  at(place: number): number;
  has(ordinal: number): boolean;
}

/** All rows of a list. */
export class EveryRow implements Selection {
  readonly size: number;

  constructor(count: number) {
    this.size = count;
  }

  rank(ordinal: number): number {
    return ordinal;
  }

  at(place: number): number {
    return place;
  }

  has(): boolean {
    return true;
  }
}

/** No row at all. */
export const noRow: Selection = { size: 0, rank: () => 0, at: () => 0, has: () => false };

/** Rows named one by one, in ascending order of their ordinals. */
export class NamedRows implements Selection {
  readonly #ordinals: readonly number[];
  readonly size: number;

  constructor(ordinals: readonly number[]) {
    this.#ordinals = ordinals;
    this.size = ordinals.length;
  }

  rank(ordinal: number): number {
    return firstWhere(this.size, (place) => this.at(place) >= ordinal);
  }

  at(place: number): number {
    return this.#ordinals[place] as number;
  }

  has(ordinal: number): boolean {
    return this.#ordinals[this.rank(ordinal)] === ordinal;
  }
}

/** The same rows in a walk from the other end of a list of `count` rows. */
export class ReversedRows implements Selection {
  readonly #rows: Selection;
  readonly #count: number;
  readonly size: number;

  constructor(rows: Selection, count: number) {
    this.#rows = rows;
    this.#count = count;
    this.size = rows.size;
  }

  rank(ordinal: number): number {
    return this.size - this.#rows.rank(this.#count - ordinal);
  }

  at(place: number): number {
    return this.#count - 1 - this.#rows.at(this.size - 1 - place);
  }

  has(ordinal: number): boolean {
    return this.#rows.has(this.#count - 1 - ordinal);
  }
}

/** Binary search: the first of `size` places at which `holds` is true, where it is true from some place on; else `size`. */
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
