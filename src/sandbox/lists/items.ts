import { hour } from "../../base/text/duration.js";
import { isObject, valueAt } from "../../base/text/json-object.js";
import { boundAdvice, type DateFormat, defaultDates, parseBound } from "./bound.js";
import type { Dataset, DatasetView, OrdinalRange, RowTest } from "./dataset.js";
import { compareInstants, type Instant } from "./instant.js";
import { json } from "./json.js";
import { ListSettingsError, together } from "./settings.js";

export interface ItemSettings {
  /** Path of the setting, for errors: `lists.payments.items`. */
  readonly path: string;
  /** Dotted path of the date, or `null` for items without. */
  readonly dateField: string | null;
  readonly oldestFirst: boolean;
  /** Dotted paths that equality filters test. */
  readonly filterFields: readonly string[];
  /** The assumption `list.dates`: whether a date-time needs an offset. */
  readonly dates: DateFormat;
}

interface Item {
  readonly text: string;
  readonly instant: Instant | undefined;
  /** Values of the filter fields, as text. */
  readonly values: readonly (string | undefined)[];
}

interface StoredItems extends Dataset {
  /** Whether some item has a value in a filter's field. */
  hasValues(field: string): boolean;
}

/**
 * The user's own items, kept as JSON text in the order of the walk; items of the same instant keep their order.
 * @throws {ListSettingsError} for items that are not objects, have no valid date, or have an object or array in a
 *   filter's field: for the first one, with the others in `further`
 */
export function storedItems(given: readonly unknown[], settings: ItemSettings): StoredItems {
  const { oldestFirst, dateField, filterFields } = settings;
  const items = together(given.entries(), ([place, item]) => readItem(item, `${settings.path}[${place}]`, settings));
  if (dateField !== null) {
    const direction = oldestFirst ? 1 : -1;
    items.sort((a, b) => direction * compareInstants(a.instant as Instant, b.instant as Instant));
  }
  const count = items.length;
  const present = new Map(
    filterFields.map((field, place) => [field, new Set(items.flatMap(({ values }) => values[place] ?? []))]),
  );

  function within(from: Instant | undefined, to: Instant | undefined): OrdinalRange {
    if (dateField === null || (!from && !to)) return { start: 0, end: count };
    const first = (holds: (instant: Instant) => boolean) =>
      firstWhere(count, (place) => holds(items[place]?.instant as Instant));
    const notBefore = (instant: Instant) => !from || compareInstants(instant, from) >= 0;
    const notAfter = (instant: Instant) => !to || compareInstants(instant, to) <= 0;
    const [enters, stays] = oldestFirst ? [notBefore, notAfter] : [notAfter, notBefore];
    const start = first(enters);
    const end = first((instant) => !stays(instant));
    return { start, end: Math.max(start, end) };
  }

  function having(field: string, value: string): RowTest | undefined {
    if (!present.get(field)?.has(value)) return undefined;
    const place = filterFields.indexOf(field);
    return (ordinal) => items[ordinal]?.values[place] === value;
  }

  const view: DatasetView = {
    within,
    having,
    rows: (ordinals) => ordinals.map((ordinal) => (items[ordinal] as Item).text),
  };
  return {
    count,
    // Stored items do not depend on it. Cursors hold it, so that they stay valid when the list becomes a generated one.
    anchorAt: (now) => Math.floor(now / hour) * hour,
    view: () => view,
    hasValues: (field) => (present.get(field)?.size ?? 0) > 0,
  };
}

function readItem(item: unknown, where: string, settings: ItemSettings): Item {
  if (!isObject(item)) throw new ListSettingsError(where, "must be an object");
  const reads = [
    () => json(item, where),
    () => (settings.dateField === null ? undefined : readDate(item, where, settings)),
    () => together(settings.filterFields, (field) => readScalar(item, field, where)),
  ];
  const [text, instant, values] = together(reads, (read) => read()) as [string, Item["instant"], Item["values"]];
  return { text, instant, values };
}

/** A date means its first instant in UTC, whatever `list.dates` requires of requests. */
function readDate(item: object, where: string, { dateField, dates }: ItemSettings): Instant {
  const field = dateField ?? "";
  const value = valueAt(item, field.split("."));
  if (value === undefined) {
    throw new ListSettingsError(where, `has no ${field}; name the items' date in dateField, or set dateField to null`);
  }
  const format: DateFormat = { ...defaultDates, format: "both", offset: dates.offset };
  if (typeof value !== "string")
    throw new ListSettingsError(`${where}.${field}`, "must be a string: a date, or an RFC 3339 date-time");
  const parsed = parseBound(value, "from", format);
  if (!parsed.ok) throw new ListSettingsError(`${where}.${field}`, boundAdvice(value, parsed.fault, format));
  return parsed.instant;
}

function readScalar(item: object, field: string, where: string): string | undefined {
  const value = valueAt(item, field.split("."));
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object")
    throw new ListSettingsError(`${where}.${field}`, "is tested by a filter and must be a scalar");
  return String(value);
}

/**
 * Binary search: the first of `size` places at which `holds` is true, where it is true from some place on; else `size`.
 */
function firstWhere(size: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The parameters of a path that select rows: some item has a member of that name with a scalar.
 * @param names the parameters of the path, in their order
 */
export function selectorsOf(names: readonly string[], items: readonly unknown[]): readonly string[] {
  return names.filter((name) => items.some((item) => hasScalar(item, name)));
}

/**
 * The items that no path shows, because they lack a member that selects rows. Only objects are items.
 * @returns the place of each among the items, and the member that it lacks
 */
export function hiddenItems(
  selectors: readonly string[],
  items: readonly unknown[],
): { readonly index: number; readonly member: string }[] {
  return items.flatMap((item, index) => {
    if (!isObject(item)) return [];
    const member = selectors.find((name) => !hasScalar(item, name));
    return member === undefined ? [] : [{ index, member }];
  });
}

function hasScalar(item: unknown, name: string): boolean {
  const value = valueAt(item, [name]);
  return value !== undefined && value !== null && typeof value !== "object";
}
