import type { Instant } from "./instant.js";
import type { Selection } from "./selection.js";

/**
 * The rows of a list. A row is known by its ordinal: its place, from 0, in the order in which a walk shows the rows.
 */
export interface Dataset {
  /** Number of rows. */
  readonly count: number;
  /** The anchor of a walk that begins now. Times in milliseconds since the epoch. */
  anchorAt(now: number): number;
  /** The rows as one walk sees them. `pathParameters`: values in the order of the path. */
  view(anchor: number, pathParameters: readonly string[]): DatasetView;
}

/** The rows of a list in one walk. */
export interface DatasetView {
  /** The rows whose date is within the bounds, both inclusive: ordinals from `start` to `end`, without `end`. */
  within(from: Instant | undefined, to: Instant | undefined): OrdinalRange;
  /** The rows whose field has a value, compared as text. */
  having(field: string, value: string): Selection;
  /** JSON text of each row. */
  rows(ordinals: readonly number[]): string[];
}

export interface OrdinalRange {
  readonly start: number;
  readonly end: number;
}
