import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { sampleOf } from "../sample.js";
import { boundWords, dateWords, parameterWords, plainName, rankIn, wordsOf } from "../words.js";
import { FieldMaker } from "./fields.js";
import { parameterName } from "./list-path.js";
import type { Meaning } from "./mapping.js";
import { Notes } from "./notes.js";
import { type Schema, SchemaReader } from "./schema.js";

/** A query parameter of the document. */
export interface QueryParameter {
  /** As in a request: `created[gte]` for a member of an object. */
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly description: string;
  readonly required: boolean;
  /** The object that notes are about. */
  readonly at: object;
}

/**
 * The query parameters of an operation. Those of the path come first; the operation's own of the same name replace
 * them.
 */
export function queryParameters(
  reader: SchemaReader,
  pathItem: JsonObject,
  operation: JsonObject,
): readonly QueryParameter[] {
  const found = new Map<string, readonly QueryParameter[]>();
  for (const { name, object } of parametersOf(reader, pathItem, operation)) {
    if (object["in"] === "query") found.set(name, parameterOf(reader, object, name));
    const isNeeded = object["in"] === "header" && object["required"] === true;
    if (isNeeded && !/^(authorization|accept|content-type)$/i.test(name))
      reader.note(
        object,
        `The header ${JSON.stringify(name)} is required by the document; lists of the sandbox ignore it.`,
      );
  }
  return [...found.values()].flat();
}

/** The parameters of the path, and then those of the operation. */
function parametersOf(reader: SchemaReader, ...owners: readonly JsonObject[]) {
  return owners.flatMap(({ parameters }) =>
    (Array.isArray(parameters) ? parameters : []).flatMap((each) => {
      const object = reader.document.object(each);
      const name = object?.["name"];
      return object && typeof name === "string" ? [{ name, object }] : [];
    }),
  );
}

const anyText = { type: "uuid" } as const;

/**
 * A value for each parameter of the path, by its name in the path of a list. If it may be any text, it is as the member
 * of the rows that has its value.
 */
export function pathSamples(
  reader: SchemaReader,
  pathItem: JsonObject,
  operation: JsonObject,
  rows: Schema,
): Readonly<Record<string, string>> {
  const quiet = new SchemaReader(reader.document, new Notes());
  const samples: Record<string, string> = {};
  for (const { name, object } of parametersOf(reader, pathItem, operation)) {
    if (object["in"] !== "path") continue;
    const [found] = parameterOf(quiet, { ...object, style: undefined }, name);
    const { schema } = found ?? {};
    const isAny = schema?.type === "string" && !schema.format && !schema.pattern && !schema.values && !schema.maxLength;
    const [, member] = [...rows.properties].find(([own]) => plainName(own) === plainName(name)) ?? [];
    const form = !schema || isAny ? quiet.read(member) : schema;
    const isText = form === undefined || (isAny && !form.pattern && !form.maxLength);
    // Rows have the value as well, perhaps with the format of a UUID, which is a text for any other purpose.
    const generator = isText ? anyText : new FieldMaker(quiet, [], 100).value(form, name);
    const sample = sampleOf(generator ?? anyText);
    if (typeof sample !== "object") samples[parameterName(name)] = String(sample);
  }
  return samples;
}

function parameterOf(reader: SchemaReader, object: JsonObject, name: string): readonly QueryParameter[] {
  const { content } = object;
  const [media] = isObject(content) ? Object.values(content) : [];
  const given = object["schema"] ?? reader.document.object(media)?.["schema"];
  const schema = given === undefined ? undefined : reader.read(given);
  const description = `${typeof object["description"] === "string" ? object["description"] : ""} ${schema?.description ?? ""}`;
  const common = { description, required: object["required"] === true, at: object };
  if (object["style"] === "deepObject" && schema && schema.properties.size > 0) {
    const names = [...schema.properties].filter(([member]) => !member.includes("]"));
    return names.map(([member, value]) => ({ ...common, name: `${name}[${member}]`, schema: reader.read(value) }));
  }
  return [{ ...common, name, schema }];
}

/** What a parameter may mean, and how clearly its name says so: a smaller rank is clearer. */
export interface ParameterGuess {
  readonly meaning: Extract<Meaning, "page-size" | "cursor" | "from" | "to">;
  readonly rank: number;
}

/** The meaning of a parameter by its name, type and description; undefined for a filter or anything else. */
export function guessMeaning(parameter: QueryParameter): ParameterGuess | undefined {
  const { name, schema } = parameter;
  const isNumber = schema?.type === "integer" || schema?.type === "number";
  const bound = guessBound(parameter);
  if (bound !== undefined && isDate(parameter)) return bound;
  const size = rankIn(parameterWords["page-size"], innermost(name));
  if (size !== undefined && (isNumber || schema?.type === undefined || schema.type === "string") && !schema?.values)
    return { meaning: "page-size", rank: size };
  const cursor = rankIn(parameterWords.cursor, innermost(name));
  if (cursor !== undefined && !isNumber) return { meaning: "cursor", rank: cursor };
  if (bound === undefined) return undefined;
  if (/\b(pag(e|ing|inat)|cursor|offset|result set)/i.test(parameter.description))
    return bound.meaning === "from" && !isNumber ? { meaning: "cursor", rank: 100 } : undefined;
  return wordsOf(name).length === 1 && !isNumber ? bound : undefined;
}

/** `page[after]` → after, `page[size]` → size; `filter[from]` likewise. */
function innermost(name: string): string {
  const [, outer = "", inner] = /^([^[]*)\[([^\]]+)\]$/.exec(name) ?? [];
  return inner === undefined || /^\d+$/.test(inner) ? name : /^(page|paging|pagination)$/i.test(outer) ? inner : name;
}

function guessBound({ name }: QueryParameter): ParameterGuess | undefined {
  const words = wordsOf(name);
  for (const meaning of ["from", "to"] as const) {
    if (!words.some((word) => (boundWords[meaning] as readonly string[]).includes(word))) continue;
    // The date of creation is preferred; and `gte` to `gt`, because the sandbox includes the bound.
    const isCreation = words.some((word) => /^(creat|from|to$|start|end|since|until)/.test(word));
    return { meaning, rank: (isCreation ? 0 : 10) + (words.some((word) => word === "gt" || word === "lt") ? 5 : 0) };
  }
  return undefined;
}

/** Whether a parameter holds a date, by its format, its words or its description. */
function isDate({ name, schema, description }: QueryParameter): boolean {
  const { format = "", type, example } = schema ?? {};
  if (/^(date|date-time|datetime|unix-time|timestamp)$/i.test(format)) return true;
  if (typeof example === "string" && /^\d{4}-\d\d-\d\d/.test(example)) return true;
  if (type === "boolean" || type === "array" || type === "object") return false;
  if (wordsOf(name).some((word) => dateWords.has(word))) return !/\bcursor\b/i.test(description);
  return (
    type !== "integer" &&
    /\b(date|ISO.?8601|RFC.?3339|timestamp)/i.test(description) &&
    !/\bcursor\b/i.test(description)
  );
}

/** Whether a date is given as a number, which the sandbox does not read. */
export function isNumericDate({ schema }: QueryParameter): boolean {
  return schema?.type === "integer" || schema?.type === "number";
}

/** Whether a parameter names a page by its number, or by the rows before it. */
export function isPageNumber(name: string): boolean {
  return /^(page|pagenumber|pageno|pageindex|currentpage|offset|skip|startindex|start)$/.test(wordsOf(name).join(""));
}

/** Why a parameter that is not a filter has no counterpart. */
export function reasonAgainst({ name, description }: QueryParameter): string {
  const words = wordsOf(name);
  const plain = words.join("");
  if (isPageNumber(name)) return "the sandbox pages by cursors only, and answers every number with the first page";
  if (/^(sort|sortby|order|orderby|direction|sortorder|sortdirection|sortfield)$/.test(plain))
    return "a list has one order";
  if (/^(expand|include|fields|embed|select|view|exclude)$/.test(plain)) return "rows always have all their members";
  if (/before|previous|prev/.test(plain) && !/date/i.test(description)) return "the sandbox does not page backwards";
  return "rows have no member of that name";
}
