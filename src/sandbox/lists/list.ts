import { definedOnly } from "../../base/text/json-object.js";
import { thousands } from "../../base/text/numbers.js";
import { quote } from "../../base/text/printable.js";
import { type DateFormat, defaultDates } from "./bound.js";
import type { Dataset } from "./dataset.js";
import { listDefaults } from "./defaults.js";
import { compileEnvelope, type Envelope } from "./envelope.js";
import { compileFields } from "./fields.js";
import { generatedRows } from "./generated.js";
import { instantOf } from "./instant.js";
import { selectorsOf, storedItems } from "./items.js";
import { pathParametersOf } from "./path.js";
import {
  type CompleteList,
  completeList,
  type FieldSettings,
  type ListSettings,
  ListSettingsError,
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

/** UTF-16 units that the rows of a page may have together. They take about half a second. */
const maximumPageText = 16_000_000;

/** Rows that a page examines at most, in each direction. They take about 50 ms. */
export const mostExamined = 1_000_000;

/**
 * Compiles a list's settings, which have been checked: by the schema, and for contradictions. What only its rows show is
 * checked here.
 * @param name the list's name, the NAME of `lists.NAME`
 * @param dates the assumption `list.dates`
 * @throws {ListSettingsError} for wrong items, or rows that are too long
 */
export function compileList(name: string, given: ListSettings, dates: DateFormat = defaultDates): List {
  const where = `lists.${name}`;
  const settings = completeList(name, given);
  const { path, cursorLifetime } = settings;
  const pathParameters = pathParametersOf(path);
  const pageSize = { ...listDefaults.pageSize, ...definedOnly(settings.pageSize) };
  const rows = given.items
    ? compileItems(given.items, settings, { where, pathParameters, dates })
    : compileRows(name, settings, { where, pathParameters, pageSize });
  return {
    name,
    path,
    pathParameters,
    parameters: parametersOf(settings),
    unknownParameters: given.unknownParameters,
    dates,
    pageSize,
    cursorLifetime,
    fields: given.items ? undefined : settings.fields,
    envelope: compileEnvelope(settings.envelope),
    ...rows,
  };
}

/** What depends on where the rows come from. */
type Rows = Pick<List, "dataset" | "filters" | "selectors">;

function compileItems(
  items: readonly unknown[],
  settings: CompleteList,
  { where, pathParameters, dates }: Pick<List, "pathParameters" | "dates"> & { readonly where: string },
): Rows {
  const selectors = selectorsOf(pathParameters, items);
  const dataset = storedItems(items, {
    path: `${where}.items`,
    dateField: settings.dateField,
    oldestFirst: settings.order === "oldest-first",
    filterFields: [...Object.values(settings.filters), ...selectors],
    dates,
  });
  const isUsable = ({ field }: ListFilter) => items.length === 0 || dataset.hasValues(field);
  const filters = filtersOf(settings);
  if (settings.filters === listDefaults.filters) return { dataset, filters: filters.filter(isUsable), selectors };
  together(filters, (filter) => {
    if (isUsable(filter)) return;
    throw new ListSettingsError(
      `${where}.filters.${filter.parameter}`,
      `no item has a value at ${quote(filter.field)}`,
    );
  });
  return { dataset, filters, selectors };
}

function filtersOf({ filters }: CompleteList): ListFilter[] {
  return Object.entries(filters).map(([parameter, field]) => ({ parameter, field }));
}

/** What generated rows depend on, besides their own settings. */
interface GeneratedContext extends Pick<List, "pathParameters" | "pageSize"> {
  /** Of the list, in the configuration. */
  readonly where: string;
}

function compileRows(name: string, settings: CompleteList, context: GeneratedContext): Rows {
  const { count, spacing, anchor, order } = settings;
  const { pathParameters } = context;
  const scope = { list: name, seed: String(settings.seed), count, spacing, pathParameters };
  const row = compileFields(settings.fields, scope);
  const pinned = anchor === undefined ? undefined : instantOf(anchor);
  const dataset = generatedRows({ count, spacing, oldestFirst: order === "oldest-first", anchor: pinned }, row);
  boundPageText(dataset, context);
  const filters = filtersOf(settings).flatMap((filter) => {
    const field = row.filterable.get(filter.field);
    return field === undefined ? [] : [{ ...filter, values: field.values }];
  });
  return { dataset, filters, selectors: [] };
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

/** The names of the query parameters. A list without dates has none for them. */
export function parametersOf({ parameters, dateField }: CompleteList): ListParameters {
  const { pageSize, cursor, fromCreatedAt, toCreatedAt } = { ...listDefaults.parameters, ...definedOnly(parameters) };
  const dated = dateField !== null;
  return {
    pageSize: pageSize ?? undefined,
    cursor,
    fromCreatedAt: dated ? (fromCreatedAt ?? undefined) : undefined,
    toCreatedAt: dated ? (toCreatedAt ?? undefined) : undefined,
  };
}
