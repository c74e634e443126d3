import { definedOnly } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import { type DateFormat, defaultDates } from "./bound.js";
import type { Dataset } from "./dataset.js";
import { compileEnvelope, type Envelope } from "./envelope.js";
import { compileFields } from "./fields.js";
import { generatedRows, lastAnchor } from "./generated.js";
import { firstInstant, instantAdvice, parseInstant } from "./instant.js";
import { selectorsOf, storedItems } from "./items.js";
import { parsePath, pathFault } from "./path.js";
import {
  type FieldSettings,
  generatedRowKeys,
  type ListSettings,
  ListSettingsError,
  listDefaults,
  together,
} from "./settings.js";

/** A list endpoint with compiled settings. `compileList` creates it once. */
export interface List {
  readonly name: string;
  /** As configured: `/v1/accounts/{accountId}/payments`. */
  readonly path: string;
  /** Names of the path's parameters, in order. */
  readonly pathParameters: readonly string[];
  /** The path's parameters that select rows: items have a member of that name. */
  readonly selectors: readonly string[];
  /** Names of the query parameters; `undefined` if the list does not have the parameter. */
  readonly parameters: ListParameters;
  readonly filters: readonly ListFilter[];
  /** What happens to an unknown query parameter; undefined if the list does what all operations do. */
  readonly unknownParameters: ListSettings["unknownParameters"];
  /** How the bounds of its dates are written. */
  readonly dates: DateFormat;
  readonly pageSize: {
    readonly default: number;
    readonly minimum: number;
    readonly maximum: number;
    readonly beyond: "refuse" | "lower";
  };
  /** Milliseconds. */
  readonly cursorLifetime: number;
  /** The generators of a row's members; undefined if the rows are the user's own. */
  readonly fields: FieldSettings | undefined;
  readonly dataset: Dataset;
  readonly envelope: Envelope;
}

interface ListParameters {
  readonly pageSize: string | undefined;
  readonly cursor: string;
  readonly fromCreatedAt: string | undefined;
  readonly toCreatedAt: string | undefined;
}

interface ListFilter {
  /** Name of the query parameter. */
  readonly parameter: string;
  /** Dotted path of the field that it tests. */
  readonly field: string;
  /** The values that occur, if they are known without looking at rows. */
  readonly values?: readonly string[] | undefined;
}

/** Longest value of a path parameter, in UTF-16 units, because cursors and rows hold it. */
export const maximumPathParameterLength = 256;

const maximumFilters = 16;
const maximumPageSize = 10_000;

/** UTF-16 units that the rows of a page may have together. They take about half a second. */
const maximumPageText = 16_000_000;

/** Rows that a page examines at most, in each direction. They take about 50 ms. */
export const mostExamined = 1_000_000;

/**
 * 2000-01-01T00:00:00Z. A list without a pinned anchor must fit between the year 0001 and this instant, so that it fits
 * whatever the clock says.
 */
const year2000 = 946_684_800_000;

/**
 * Compiles a list's settings. The schema has checked types and unknown keys. What a schema cannot express is checked
 * here.
 * @param name the list's name, the NAME of `lists.NAME`
 * @param dates the assumption `list.dates`
 * @throws {ListSettingsError} whose `path` names the wrong setting
 */
export function compileList(name: string, given: ListSettings, dates: DateFormat = defaultDates): List {
  const where = `lists.${name}`;
  const settings = withDefaults(name, given);
  const { path, cursorLifetime } = settings;
  const fault = pathFault(path);
  if (fault !== undefined) throw new ListSettingsError(`${where}.path`, fault);
  const pathParameters = parsePath(path).flatMap((segment) => (typeof segment === "string" ? [] : segment.parameter));
  const pageSize = compilePageSize(settings, where);
  const envelope = compileEnvelope(settings.envelope, where);
  if (!(cursorLifetime > 0)) throw new ListSettingsError(`${where}.cursorLifetime`, "must be longer than 0");
  if (Object.keys(settings.filters).length > maximumFilters) {
    throw new ListSettingsError(`${where}.filters`, `more than ${maximumFilters}`);
  }
  const parameters = compileParameters(settings, where);
  const rows = given.items
    ? compileItems(given.items, given, settings, { where, pathParameters, dates })
    : compileRows(name, settings, { where, pathParameters, pageSize, needsTotal: envelope.needsTotal });
  return {
    name,
    path,
    pathParameters,
    parameters,
    unknownParameters: given.unknownParameters,
    dates,
    pageSize,
    cursorLifetime,
    fields: given.items ? undefined : settings.fields,
    envelope,
    ...rows,
  };
}

type CompleteSettings = ReturnType<typeof withDefaults>;

function withDefaults(name: string, given: ListSettings) {
  return { path: `/v1/${name}`, ...listDefaults, ...definedOnly(given) };
}

/** What depends on where the rows come from. */
type Rows = Pick<List, "dataset" | "filters" | "selectors">;

/**
 * If `problemOf` finds no field for a filter in the rows, a default filter is left out and a configured one is
 * rejected.
 */
function usableFilters(
  { filters }: CompleteSettings,
  where: string,
  problemOf: (field: string) => string | undefined,
): ListFilter[] {
  return together(Object.entries(filters), ([parameter, field]): ListFilter[] => {
    const problem = problemOf(field);
    if (problem === undefined) return [{ parameter, field }];
    if (filters === listDefaults.filters) return [];
    throw new ListSettingsError(`${where}.filters.${parameter}`, problem);
  }).flat();
}

function compileItems(
  items: readonly unknown[],
  given: ListSettings,
  settings: CompleteSettings,
  { where, pathParameters, dates }: Pick<List, "pathParameters" | "dates"> & { readonly where: string },
): Rows {
  const selectors = selectorsOf(pathParameters, items);
  for (const key of generatedRowKeys) {
    if (given[key] !== undefined) throw new ListSettingsError(`${where}.${key}`, "has no meaning together with items");
  }
  const dataset = storedItems(items, {
    path: `${where}.items`,
    dateField: settings.dateField,
    oldestFirst: settings.order === "oldest-first",
    filterFields: [...Object.values(settings.filters), ...selectors],
    dates,
  });
  const filters = usableFilters(settings, where, (field) =>
    items.length === 0 || dataset.hasValues(field) ? undefined : `no item has a value at ${JSON.stringify(field)}`,
  );
  return { dataset, filters, selectors };
}

/** What generated rows depend on, besides their own settings. */
interface GeneratedContext extends Pick<List, "pathParameters" | "pageSize"> {
  /** Of the list, in the configuration. */
  readonly where: string;
  readonly needsTotal: boolean;
}

function compileRows(name: string, settings: CompleteSettings, context: GeneratedContext): Rows {
  const { where, pathParameters } = context;
  const { count, spacing, dateField } = settings;
  const anchor = compileTimes(count, spacing, settings.anchor, where);
  const seed = String(settings.seed);
  const scope = { path: `${where}.fields`, list: name, seed, count, spacing, pathParameters };
  const row = compileFields(settings.fields, scope);
  if (dateField !== null && !row.dates.has(dateField)) {
    const reason = `no field of type createdAt at ${JSON.stringify(dateField)}; null means a list without dates`;
    throw new ListSettingsError(`${where}.dateField`, reason);
  }
  const filters = usableFilters(settings, where, (field) =>
    row.filterable.has(field)
      ? undefined
      : `${JSON.stringify(field)} is not a field of type choice, boolean or constant; other fields cannot be filtered`,
  );
  if (context.needsTotal && filters.length > 0 && count > mostExamined) {
    const most = thousands(mostExamined);
    const reason = `with filters, the rows are counted for each page: lower the count to ${most}, or set filters to {}`;
    throw new ListSettingsError(`${where}.envelope.total`, reason);
  }
  const oldestFirst = settings.order === "oldest-first";
  const dataset = generatedRows({ count, spacing, oldestFirst, anchor }, row);
  boundPageText(dataset, context);
  return {
    dataset,
    filters: filters.map((filter) => ({ ...filter, values: row.filterable.get(filter.field)?.values })),
    selectors: [],
  };
}

/**
 * A page is made in one turn of the event loop, so every other request waits for a large page. Rows have nearly the
 * same length.
 * @throws {ListSettingsError}
 */
function boundPageText(
  { count, anchorAt, view }: Dataset,
  { where, pageSize, pathParameters }: GeneratedContext,
): void {
  if (count === 0) return;
  const emptyPath = pathParameters.map(() => "");
  const [row = ""] = view(anchorAt(0), emptyPath).rows([0]);
  const most = Math.floor(maximumPageText / row.length);
  if (Math.min(count, pageSize.maximum) <= most) return;
  const reason = `with rows of ${thousands(row.length)} characters, a page can have at most ${thousands(most)} rows`;
  throw new ListSettingsError(`${where}.pageSize.maximum`, reason);
}

function compileTimes(count: number, spacing: number, pin: string | undefined, where: string): number | undefined {
  if (!Number.isSafeInteger(count) || count < 0)
    throw new ListSettingsError(`${where}.count`, "must be a whole number");
  if (!Number.isSafeInteger(spacing) || spacing < 1) {
    throw new ListSettingsError(`${where}.spacing`, "must be a millisecond or more");
  }
  let newest = year2000;
  if (pin !== undefined) {
    const parsed = parseInstant(pin);
    if (!parsed.ok)
      throw new ListSettingsError(`${where}.anchor`, `is not a date-time: ${instantAdvice[parsed.fault]}`);
    newest = parsed.instant.ms;
    if (newest < firstInstant || newest > lastAnchor) {
      throw new ListSettingsError(`${where}.anchor`, "must be between the years 0001 and 9998");
    }
  }
  if (count > 1 && (count - 1) * spacing > newest - firstInstant) {
    const most = Math.floor((newest - firstInstant) / (count - 1));
    const remedy = most < 1 ? "lower the count" : `at most ${most} ms fit this count`;
    throw new ListSettingsError(`${where}.spacing`, `the oldest rows would be before the year 0001; ${remedy}`);
  }
  return pin === undefined ? undefined : newest;
}

function compilePageSize(settings: CompleteSettings, where: string): List["pageSize"] {
  const pageSize = { ...listDefaults.pageSize, ...definedOnly(settings.pageSize) };
  together(["minimum", "maximum", "default"] as const, (key) => {
    const value = pageSize[key];
    if (!Number.isInteger(value) || value < 1 || value > maximumPageSize) {
      throw new ListSettingsError(`${where}.pageSize.${key}`, `must be a whole number from 1 to ${maximumPageSize}`);
    }
  });
  if (pageSize.minimum > pageSize.maximum) {
    throw new ListSettingsError(`${where}.pageSize.minimum`, "must not be larger than the maximum");
  }
  if (pageSize.default < pageSize.minimum || pageSize.default > pageSize.maximum) {
    const reason = `${pageSize.default} is not from ${pageSize.minimum} to ${pageSize.maximum}`;
    throw new ListSettingsError(`${where}.pageSize.default`, reason);
  }
  return pageSize;
}

function compileParameters(settings: CompleteSettings, where: string): ListParameters {
  const named = { ...listDefaults.parameters, ...definedOnly(settings.parameters) };
  const dated = settings.dateField !== null;
  const compiled: ListParameters = {
    pageSize: named.pageSize ?? undefined,
    cursor: named.cursor,
    fromCreatedAt: dated ? (named.fromCreatedAt ?? undefined) : undefined,
    toCreatedAt: dated ? (named.toCreatedAt ?? undefined) : undefined,
  };
  const known = new Set<string>();
  const claims = [
    ...Object.entries(compiled).map(([key, name]) => ({ name, path: `${where}.parameters.${key}` })),
    ...Object.keys(settings.filters).map((name) => ({ name, path: `${where}.filters.${name}` })),
  ];
  together(claims, ({ name, path }) => {
    if (name === undefined) return;
    if (name === "") throw new ListSettingsError(path, "a parameter's name is empty");
    if (known.has(name)) throw new ListSettingsError(path, `the name ${JSON.stringify(name)} is used twice`);
    known.add(name);
  });
  return compiled;
}
