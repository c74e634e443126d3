import { literal, slack } from "./bytes.js";
import type { Dataset, DatasetView, OrdinalRange } from "./dataset.js";
import { type CompiledRow, maximumArrivals, type RowContext } from "./fields.js";
import { firstInstant, type Instant } from "./instant.js";
import { escaped } from "./json.js";
import { joinKeys, noKey, streamKey } from "./random.js";
import { EveryRow, noRow, ReversedRows, type Selection } from "./selection.js";

export interface GeneratedSettings {
  readonly count: number;
  /** Milliseconds. */
  readonly spacing: number;
  readonly oldestFirst: boolean;
  /** Milliseconds since the epoch, or `undefined` for the clock. */
  readonly anchor: number | undefined;
}

const hour = 3_600_000;

/** The last anchor: 9999-01-01T00:00:00Z, so that the rows that arrive after it have four-digit years as well. */
export const lastAnchor = 253_370_764_800_000;

/**
 * Rows that are never stored: row `index` (0 is the newest) is a function of seed, index and the path's parameters, and was created
 * at anchor - index × spacing. A page costs the same anywhere, and a date bound is a division.
 */
export class GeneratedRows implements Dataset {
  readonly #settings: GeneratedSettings;
  readonly #row: CompiledRow;
  readonly #scratch: Scratch = { buffer: Buffer.alloc(0), out: new DataView(new ArrayBuffer(0)) };
  readonly #firstAnchor: number;
  readonly count: number;

  constructor(settings: GeneratedSettings, row: CompiledRow) {
    this.#settings = settings;
    this.#row = row;
    this.count = settings.count;
    this.#firstAnchor = firstInstant + Math.max(0, settings.count - 1) * settings.spacing;
  }

  /** The pin, or the clock rounded down to the hour. A clock near the ends of the calendar is held where all rows have a date. */
  anchorAt(now: number): number {
    return this.#settings.anchor ?? Math.min(Math.max(Math.floor(now / hour) * hour, this.#firstAnchor), lastAnchor);
  }

  valuesOf(field: string): readonly string[] | undefined {
    return this.#row.filterable.get(field)?.values;
  }

  view(anchor: number, pathParameters: readonly string[]): DatasetView {
    const key = pathParameters.length === 0 ? noKey : streamKey(...pathParameters);
    const parameters = pathParameters.map((value) => literal(escaped(value)));
    return new GeneratedView(this.#settings, this.#row, { anchor, key, parameters }, this.#scratch);
  }
}

/** Where pages are written before they become text. Pages are made synchronously, so a list needs only one. */
interface Scratch {
  buffer: Buffer;
  out: DataView;
}

const comma = 44;

class GeneratedView implements DatasetView {
  readonly #settings: GeneratedSettings;
  readonly #row: CompiledRow;
  readonly #context: RowContext;
  readonly #scratch: Scratch;

  constructor(settings: GeneratedSettings, row: CompiledRow, context: RowContext, scratch: Scratch) {
    this.#settings = settings;
    this.#row = row;
    this.#context = context;
    this.#scratch = scratch;
  }

  within(from: Instant | undefined, to: Instant | undefined): OrdinalRange {
    const { count, spacing, oldestFirst } = this.#settings;
    const { anchor } = this.#context;
    let newest = 0;
    let oldest = count - 1;
    if (to) newest = Math.max(newest, Math.ceil((anchor - to.ms) / spacing));
    // Rows stand on whole milliseconds: a bound between two of them begins with the later one.
    if (from) oldest = Math.min(oldest, Math.floor((anchor - from.ms - (from.rest === "" ? 0 : 1)) / spacing));
    if (newest > oldest) return { start: 0, end: 0 };
    return oldestFirst ? { start: count - 1 - oldest, end: count - newest } : { start: newest, end: oldest + 1 };
  }

  having(field: string, value: string): Selection {
    const { count, oldestFirst } = this.#settings;
    const filterable = this.#row.filterable.get(field);
    const number = filterable?.values.indexOf(value) ?? -1;
    if (!filterable || number < 0) return noRow;
    if (!filterable.choice) return new EveryRow(count);
    const rows = filterable.choice.table.rowsWith(number, count, joinKeys(this.#context.key, filterable.choice.key));
    return oldestFirst ? new ReversedRows(rows, count) : rows;
  }

  json(ordinals: readonly number[]): string {
    const { count, oldestFirst } = this.#settings;
    return this.#text(ordinals.length, (place) => {
      const ordinal = ordinals[place] as number;
      return oldestFirst ? count - 1 - ordinal : ordinal;
    });
  }

  rows(ordinals: readonly number[]): string[] {
    return ordinals.map((ordinal) => this.json([ordinal]));
  }

  arrivals(count: number): string[] {
    const number = Math.min(count, maximumArrivals);
    return Array.from({ length: number }, (_, place) => this.#text(1, () => place - number));
  }

  #text(rows: number, indexAt: (place: number) => number): string {
    this.#makeRoom(rows * (this.#row.maximumBytes + 1) + slack);
    const { buffer, out } = this.#scratch;
    const { write } = this.#row;
    let at = 0;
    for (let place = 0; place < rows; place += 1) {
      if (place > 0) {
        out.setUint8(at, comma);
        at += 1;
      }
      at = write(out, at, indexAt(place), this.#context);
    }
    return buffer.toString("utf8", 0, at);
  }

  #makeRoom(bytes: number): void {
    if (this.#scratch.buffer.length >= bytes) return;
    const buffer = Buffer.allocUnsafeSlow(bytes);
    this.#scratch.buffer = buffer;
    this.#scratch.out = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }
}
