import type { JsonObject } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import type { FieldGenerator, FieldSettings, ListSettings } from "../../sandbox/lists/settings.js";
import { identifiersIn, type PlacedField, placed, withField } from "../field-paths.js";
import { sampleOf } from "../sample.js";
import { createdNames, isBoundWord, plainName, rankIn, singular, wordsOf } from "../words.js";
import type { FoundEnvelope } from "./envelope.js";
import { leadsToNextPage } from "./leading-headers.js";
import type { ChosenName, Meaning } from "./mapping.js";
import { guessMeaning, isNumericDate, isPageNumber, type QueryParameter, reasonAgainst } from "./parameters.js";
import type { SchemaReader } from "./schema.js";

/** Rows of a list without pages. */
const rowsOfOnePage = 50;

/** Rows of an imported list: enough for several pages, and few enough to read all pages. */
const rows = 500;

/** Most filters that a list can have. */
const mostFilters = 16;

/** Largest page size of a list. */
const largestPage = 10_000;

/** The roles of an operation's query parameters. */
export interface Roles {
  readonly of: ReadonlyMap<Meaning, QueryParameter>;
  readonly others: readonly QueryParameter[];
}

const roleMeanings = ["page-size", "cursor", "from", "to"] as const;

/** Gives each meaning the parameter that was named for it, or else the one with the most fitting name. */
export function rolesOf(parameters: readonly QueryParameter[], names: ChosenName): Roles {
  const of = new Map<Meaning, QueryParameter>();
  const isFree = (parameter: QueryParameter) => ![...of.values()].includes(parameter);
  const guessed: Meaning[] = [];
  for (const meaning of roleMeanings) {
    const name = names(meaning, (each) => parameters.some((parameter) => parameter.name === each));
    const found = parameters.find((parameter) => parameter.name === name);
    if (found) of.set(meaning, found);
    if (name === undefined) guessed.push(meaning);
  }
  const guesses = parameters
    .flatMap((parameter) => {
      const guess = guessMeaning(parameter);
      return guess ? [{ parameter, ...guess }] : [];
    })
    .sort((a, b) => a.rank - b.rank);
  for (const { meaning, parameter } of guesses)
    if (guessed.includes(meaning) && !of.has(meaning) && isFree(parameter)) of.set(meaning, parameter);
  return { of, others: parameters.filter(isFree) };
}

/** The parts that a list is made from. */
export interface ListParts {
  readonly path: string;
  /** The name of the rows in the path. */
  readonly rowsName: string;
  readonly roles: Roles;
  readonly envelope: FoundEnvelope;
  readonly fields: FieldSettings;
  readonly operation: JsonObject;
  readonly names: ChosenName;
}

/** Makes the settings of a list. What they cannot express is noted. */
export function listSettings(reader: SchemaReader, parts: ListParts): ListSettings {
  const { path, roles, envelope, operation, names } = parts;
  const dated = withDate(parts, names);
  const { fields: given, dateField } = dated;
  const bounds = boundsOf(reader, roles, dateField, operation);
  const { fields, filters } = filtersOf(reader, { ...parts, fields: given });
  const order = orderOf(roles.others);
  const { of } = roles;
  for (const parameter of [...of.values()]) noteRequired(reader, parameter);
  const sizes = pageSizeOf(of.get("page-size"), envelope.mostOfPage);
  const whole = isWhole(reader, parts);
  const ofOnePage = Math.min(of.has("page-size") ? sizes.default : rowsOfOnePage, envelope.mostOfPage);
  const count = Math.min(whole ? ofOnePage : rows, envelope.mostRows);
  return {
    path,
    count,
    ...(order === undefined ? {} : { order }),
    dateField: dateField ?? null,
    parameters: {
      pageSize: of.get("page-size")?.name ?? null,
      ...(of.has("cursor") ? { cursor: of.get("cursor")?.name } : {}),
      fromCreatedAt: bounds.from ?? null,
      toCreatedAt: bounds.to ?? null,
    },
    ...pageSizes(sizes, of.has("page-size"), whole ? Math.max(count, 1) : undefined),
    filters,
    envelope: {
      ...envelope.settings,
      ...(whole && { nextCursor: null }),
      ...(!whole && envelope.settings.items === null && !leadsToNextPage(envelope.settings) && { linkHeader: true }),
    },
    fields,
  };
}

/**
 * Whether all rows are on one page, without a cursor: the list has no parameter about pages, or no place for a cursor.
 * What the document says otherwise is noted.
 */
function isWhole(reader: SchemaReader, { roles: { of, others }, envelope, operation }: ListParts): boolean {
  const { hasMore } = envelope.settings;
  const note = (message: string) => reader.note(operation, message);
  const names = others.map(({ name }) => name);
  if (!leadsToNextPage(envelope.settings)) {
    const isPaged = of.has("cursor") || of.has("page-size") || hasMore !== undefined || names.some(isPageNumber);
    if (!isPaged) return true;
    if (envelope.closed) {
      note("Answers have no member for a cursor and may have no other: the sandbox's list has one page.");
      return true;
    }
    if (envelope.settings.items === null)
      note(
        "The document has no header that leads to the next page; the sandbox's answers have `Link` (--map next-cursor=NAME names another header of the document).",
      );
    else
      note(
        hasMore !== undefined && /after|id$/i.test(of.get("cursor")?.name ?? "")
          ? `In the document, ${quote(of.get("cursor")?.name ?? "")} is the identifier of a row. The sandbox's cursor is another text, which its answers have as "nextCursor".`
          : 'The document has no member for the cursor of the next page; the sandbox\'s answers have "nextCursor" (--map next-cursor=NAME names another).',
      );
  }
  if (!of.has("cursor"))
    note('The document has no parameter for a cursor; the sandbox takes "cursor" (--map cursor=NAME names another).');
  return false;
}

function noteRequired(reader: SchemaReader, { name, required, at }: QueryParameter): void {
  if (required) reader.note(at, `${quote(name)} is required by the document; the sandbox does not require it.`);
}

function noteLeft(reader: SchemaReader, { name, at }: QueryParameter, reason: string): void {
  reader.note(at, `The parameter ${quote(name)} is not imported: ${reason}.`);
}

/**
 * The date that orders the rows: the one that was named, the date of creation, or the first. A named text or number
 * becomes a date.
 */
function withDate(
  { fields, roles }: ListParts,
  names: ChosenName,
): { readonly fields: FieldSettings; readonly dateField: string | undefined } {
  const all = placed(fields);
  const mapped = names("date-field", (path) => all.some((each) => each.path === path && asDate(each) !== undefined));
  const named = all.find(({ path }) => path === mapped);
  const date = named && asDate(named);
  if (named && date) return { fields: withField(fields, named.path, date), dateField: named.path };
  if (mapped !== undefined) return { fields, dateField: undefined };
  const dates = all.filter(({ generator }) => generator.type === "createdAt");
  const bound = wordsOf(roles.of.get("from")?.name ?? roles.of.get("to")?.name ?? "").filter(
    (word) => !isBoundWord(word) && !["date", "time", "at", "on"].includes(word),
  );
  const rankOf = ({ path, name }: PlacedField) => {
    const own = wordsOf(name);
    // Five letters: `created` and `creation` count as the same word.
    if (bound.length > 0 && bound.every((word) => own.some((each) => each.slice(0, 5) === word.slice(0, 5)))) return 0;
    return 1 + (rankIn(createdNames, name) ?? 100) + 10 * (path.split(".").length - 1);
  };
  return { fields, dateField: dates.toSorted((a, b) => rankOf(a) - rankOf(b))[0]?.path };
}

/** The date that takes the place of a field; undefined for a field that can be none. */
function asDate({ generator }: PlacedField): FieldGenerator | undefined {
  if (generator.type === "createdAt") return generator;
  if (generator.type === "integer") return { type: "createdAt", as: generator.max > 1e11 ? "milliseconds" : "seconds" };
  const value = sampleOf(generator);
  if (typeof value !== "string") return undefined;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? { type: "createdAt", as: "date" } : { type: "createdAt" };
}

function boundsOf(
  reader: SchemaReader,
  { of }: Roles,
  dateField: string | undefined,
  operation: JsonObject,
): { from?: string; to?: string } {
  const bounds: { from?: string; to?: string } = {};
  for (const meaning of ["from", "to"] as const) {
    const parameter = of.get(meaning);
    if (!parameter) continue;
    if (dateField === undefined)
      noteLeft(reader, parameter, "rows have no date that it could test (--map date-field=NAME names one)");
    else if (isNumericDate(parameter))
      noteLeft(reader, parameter, "it takes a number, and the sandbox's bounds are dates as text");
    else bounds[meaning] = parameter.name;
    if (/\b(gt|lt)\b/.test(wordsOf(parameter.name).join(" ")))
      reader.note(operation, `In the sandbox, the bound ${quote(parameter.name)} is included in the range.`);
  }
  return bounds;
}

interface PageSizes {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

const usualSizes: PageSizes = { default: 10, minimum: 1, maximum: 100 };

/** The page sizes that the document itself names, without guesses. */
export function documentedSizes({ roles }: ListParts): Partial<PageSizes> {
  const { schema } = roles.of.get("page-size") ?? {};
  const given = { default: Number(schema?.default), minimum: schema?.minimum, maximum: schema?.maximum };
  const isSize = ([, size]: readonly [string, unknown]) => Number.isInteger(size) && Number(size) > 0;
  return Object.fromEntries(Object.entries(given).filter(isSize));
}

/** @param mostOfPage most rows that an answer may have */
function pageSizeOf(parameter: QueryParameter | undefined, mostOfPage: number): PageSizes {
  const { minimum, maximum, default: usual } = parameter?.schema ?? {};
  const most = Math.min(maximum ?? usualSizes.maximum, mostOfPage, largestPage);
  const least = Math.min(Math.max(minimum ?? 1, 1), Math.max(most, 1));
  const given = Number(usual);
  if (![most, least].every(Number.isInteger) || most < 1) return usualSizes;
  const size = Math.min(Math.max(Number.isInteger(given) && given > 0 ? given : usualSizes.default, least), most);
  return { default: size, minimum: least, maximum: most };
}

/**
 * @param hasParameter whether requests can name a size
 * @param whole the number of rows, if all are on one page
 */
function pageSizes(sizes: PageSizes, hasParameter: boolean, whole: number | undefined): Pick<ListSettings, "pageSize"> {
  if (whole !== undefined)
    return { pageSize: { ...(hasParameter ? sizes : { minimum: 1, maximum: whole }), default: whole } };
  const isUsual = !hasParameter && sizes.maximum === usualSizes.maximum;
  return isUsual ? {} : { pageSize: sizes };
}

function orderOf(parameters: readonly QueryParameter[]): "newest-first" | "oldest-first" | undefined {
  for (const { name, schema } of parameters) {
    if (!/^(sort|order|direction)/.test(plainName(name)) || typeof schema?.default !== "string") continue;
    if (/desc|^-/i.test(schema.default)) return "newest-first";
    if (/asc|^\+/i.test(schema.default)) return "oldest-first";
  }
  return undefined;
}

/** Parameters with the name of a field become filters. If the field has no fixed values, it gets some. */
function filtersOf(
  reader: SchemaReader,
  { fields: given, roles, rowsName }: ListParts,
): { fields: FieldSettings; filters: Record<string, string> } {
  let fields = given;
  const filters: Record<string, string> = {};
  const identifiers = identifiersIn(given, rowsName);
  for (const parameter of roles.others) {
    const field = fieldFor(parameter.name, placed(fields));
    const isFree = field !== undefined && !identifiers.includes(field.path);
    const generator = isFree || field?.generator.type === "choice" ? filterable(field.generator, parameter) : undefined;
    if (field === undefined) noteLeft(reader, parameter, reasonAgainst(parameter));
    else if (Object.keys(filters).length >= mostFilters)
      noteLeft(reader, parameter, `a list has at most ${mostFilters} filters`);
    else if (generator === undefined)
      noteLeft(reader, parameter, `a filter cannot name the values of ${quote(field.path)}`);
    else {
      fields = withField(fields, field.path, generator);
      filters[parameter.name] = field.path;
      noteRequired(reader, parameter);
    }
  }
  return { fields, filters };
}

/**
 * The field with the name of a parameter, in the singular or plural: `name`, `filter[name]`, or with the names of the
 * objects around it.
 */
function fieldFor(name: string, fields: readonly PlacedField[]): PlacedField | undefined {
  const inner = /^(?:filters?|where|query)\[([^\]]+)\](?:\[(?:eq)?\])?$/.exec(name)?.[1] ?? name.replace(/\[\]$/, "");
  const plain = (text: string) => singular(plainName(text));
  const wanted = plain(inner);
  const scalars = fields.filter(({ generator }) => generator.type !== "object");
  const whole = scalars.find(({ path }) => plain(path) === wanted);
  const ends = scalars.filter(({ name: own }) => plain(own) === wanted);
  return whole ?? (ends.length === 1 ? ends[0] : undefined);
}

/** A generator of similar values that a request can name; undefined if there is none. */
function filterable(generator: FieldGenerator, { schema }: QueryParameter): FieldGenerator | undefined {
  const wanted = (schema?.values ?? []).filter((value) => typeof value === "string");
  switch (generator.type) {
    case "choice":
      // One value is an example: a value that the document requires is a constant.
      if (generator.values.length === 1 && wanted.includes(String(generator.values[0])))
        return { type: "choice", values: [...new Set(wanted)] };
      return generator;
    case "boolean":
      return generator;
    case "constant":
      return typeof generator.value === "object" && generator.value !== null ? undefined : generator;
    case "text":
      return { type: "choice", values: wanted.length > 0 ? [...new Set(wanted)] : few(generator) };
    case "id":
    case "uuid":
      return { type: "choice", values: few(generator) };
    default:
      return undefined;
  }
}

/** Three values, or fewer if there are no more. */
function few(generator: FieldGenerator): string[] {
  return [...new Set([0, 1, 2].map((index) => String(sampleOf(generator, index))))];
}
