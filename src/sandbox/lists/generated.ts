import { hour } from "../../base/text/duration.js";
import type { Dataset, OrdinalRange, RowTest } from "./dataset.js";
import type { CompiledRow } from "./fields.js";
import { firstInstant, type Instant, lastAnchor } from "./instant.js";
import { escaped } from "./json.js";
import { joinKeys, noKey, type StreamKey, streamKey } from "./random.js";

export interface GeneratedSettings {
  readonly count: number;
  /** Milliseconds. */
  readonly spacing: number;
  readonly oldestFirst: boolean;
  /** Milliseconds since the epoch, or `undefined` for the clock. */
  readonly anchor: number | undefined;
}

/**
 * Rows that are computed when they are requested: row `index` (0 is the newest) is a function of seed, index and the
 * path's parameters, and was created at anchor - index × spacing. A page costs the same anywhere in the list, and a
 * date bound is a division.
 */
export function generatedRows(
  { count, spacing, oldestFirst, anchor: pinned }: GeneratedSettings,
  { text, filterable }: CompiledRow,
): Dataset {
  const firstAnchor = firstInstant + Math.max(0, count - 1) * spacing;

  function within(anchor: number, from: Instant | undefined, to: Instant | undefined): OrdinalRange {
    let newest = 0;
    let oldest = count - 1;
    if (to) newest = Math.max(newest, Math.ceil((anchor - to.ms) / spacing));
    // The instants of rows are whole milliseconds: a bound between two milliseconds begins at the later one.
    if (from) oldest = Math.min(oldest, Math.floor((anchor - from.ms - (from.rest === "" ? 0 : 1)) / spacing));
    if (newest > oldest) return { start: 0, end: 0 };
    return oldestFirst ? { start: count - 1 - oldest, end: count - newest } : { start: newest, end: oldest + 1 };
  }

  const indexOf = (ordinal: number) => (oldestFirst ? count - 1 - ordinal : ordinal);

  function having(key: StreamKey, field: string, value: string): RowTest | undefined {
    const { values, choice } = filterable.get(field) ?? { values: [] };
    const number = values.indexOf(value);
    if (number < 0) return undefined;
    if (!choice) return () => true;
    const own = joinKeys(key, choice.key);
    return (ordinal) => choice.table.valueAt(indexOf(ordinal), own) === number;
  }

  return {
    count,
    // The clock rounded down to the hour, within the years in which all rows have a date.
    anchorAt: (now) => pinned ?? Math.min(Math.max(Math.floor(now / hour) * hour, firstAnchor), lastAnchor),
    view(anchor, pathParameters) {
      const key = pathParameters.length === 0 ? noKey : streamKey(...pathParameters);
      const context = { anchor, key, parameters: pathParameters.map(escaped) };
      return {
        within: (from, to) => within(anchor, from, to),
        having: (field, value) => having(key, field, value),
        rows: (ordinals) => ordinals.map((ordinal) => text(indexOf(ordinal), context)),
      };
    },
  };
}
