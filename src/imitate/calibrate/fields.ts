import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { FieldGenerator, FieldSettings } from "../../sandbox/lists/settings.js";
import { sampleOf } from "../sample.js";
import { decimalsOf, isMemberName, placeholder, shapeOf } from "../shape.js";

/** Names of fields whose values are words of the service, and not data of a person. */
const ofWords =
  /(status|state|type|kind|object|currency|ccy|direction|method|category|scheme|channel|country|priority|frequency|flow|level|rail|network|result|outcome|phase|mode|unit|role|tier|class|severity|period|interval|language|locale|rating|(country|currency|reason|purpose|status|type)_?code)$/i;

/** Further members of a row, and deeper ones, are left out. */
const mostMembers = 200;
const deepest = 8;

/** Most values of a field of words. */
const mostWords = 12;

/**
 * Generators of rows that look like some items: same members, same types, same formats. No value of an item is
 * repeated, except the words of fields such as `status` and `currency`.
 * @param items without duplicates
 */
export function fieldsOf(items: readonly JsonObject[], parameters: PathParameters = {}, depth = 0): FieldSettings {
  const all = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const names = all.filter(isMemberName).slice(0, mostMembers);
  return Object.fromEntries(
    names.map((name) => {
      const values = items.filter((item) => Object.hasOwn(item, name)).map((item) => item[name]);
      return [name, generatorOf(name, values, parameters, depth)];
    }),
  );
}

/** The values in the path of the request, by the names of the parameters. */
export type PathParameters = Readonly<Record<string, string>>;

function generatorOf(name: string, all: readonly unknown[], parameters: PathParameters, depth: number): FieldGenerator {
  const made = generatorWithoutNull(name, all, parameters, depth);
  return all.includes(null) ? orNull(made) : made;
}

/** A choice with null can be a filter. */
function orNull(made: FieldGenerator): FieldGenerator {
  if (made.type === "constant" && made.value === null) return made;
  if (made.type === "choice") return { type: "choice", values: [...new Set([...made.values, null])] };
  if (made.type === "boolean") return { type: "choice", values: [true, false, null] };
  return { type: "nullable", of: made };
}

function generatorWithoutNull(
  name: string,
  all: readonly unknown[],
  parameters: PathParameters,
  depth: number,
): FieldGenerator {
  const values = all.filter((value) => value !== null);
  if (values.length === 0) return { type: "constant", value: null };
  if (values.every(isObject))
    return { type: "object", fields: depth < deepest ? fieldsOf(values, parameters, depth + 1) : {} };
  const parameter = Object.keys(parameters).find((each) => values.every((value) => value === parameters[each]));
  if (parameter !== undefined) return { type: "parameter", name: parameter };
  if (values.every((value) => typeof value === "boolean")) return { type: "boolean" };
  if (values.every((value) => typeof value === "number"))
    return instantGenerator(name, values) ?? numberGenerator(name, values);
  if (values.every((value) => typeof value === "string")) return textGenerator(name, values);
  // An empty list shows nothing about its elements.
  const shown = values.find((value) => !Array.isArray(value) || value.length > 0) ?? values[0];
  return { type: "constant", value: placeholder(shown) };
}

/** Seconds or milliseconds since 1970, by the name of the field and a value of the years 2001 to 2100. */
function instantGenerator(name: string, values: readonly number[]): FieldGenerator | undefined {
  if (!/(at|on|date|time|timestamp|created|updated)$/i.test(name)) return undefined;
  const within = (unit: number) =>
    values.every((value) => Number.isInteger(value) && value >= 1e9 * unit && value < 4.1e9 * unit);
  if (within(1)) return { type: "createdAt", as: "seconds" };
  return within(1000) ? { type: "createdAt", as: "milliseconds" } : undefined;
}

/** Names of members that identify a row, and the digits with which random numbers differ from row to row. */
const ofId = /(?:^|[^A-Za-z])id$|I[dD]$/;
const digitsOfIds = 9;

/**
 * Bounds are powers of ten, so that they reveal no amount of the service. The range of ids is so wide that rows have
 * different ones.
 */
function numberGenerator(name: string, values: readonly number[]): FieldGenerator {
  const whole = values.every((value) => Number.isInteger(value));
  const max = Math.min(10 ** Math.max(digitsOf(values), ofId.test(name) ? digitsOfIds : 1), 1e12);
  if (whole) return { type: "integer", min: 1, max };
  const decimals = Math.max(...values.map((value) => decimalsOf(String(value))));
  return { type: "decimal", min: 1, max: Math.min(max, 1e6), decimals, as: "number" };
}

function digitsOf(values: readonly number[]): number {
  return Math.max(1, ...values.map((value) => String(Math.trunc(Math.abs(value))).length));
}

function textGenerator(name: string, values: readonly string[]): FieldGenerator {
  const filled = values.filter((value) => value !== "");
  if (filled.length === 0) return { type: "constant", value: "" };
  const shapes = new Set(filled.map(shapeOf));
  const [shape] = shapes.size === 1 ? shapes : (["text"] as const);
  if (shape === "uuid") return { type: "uuid" };
  if (shape === "date-time") return { type: "createdAt" };
  if (shape === "date") return { type: "createdAt", as: "date" };
  if (shape === "decimal") {
    const decimals = Math.max(...filled.map(decimalsOf));
    return { type: "decimal", min: 1, max: Math.min(10 ** digitsOf(filled.map(Number)), 1e6), decimals };
  }
  const least = ofId.test(name) ? digitsOfIds : 1;
  if (shape === "digits" && filled.every(({ length }) => length >= least && length <= mostDigits))
    return digitsGenerator(filled);
  const words = [...new Set(filled)].sort();
  if (ofWords.test(name) && words.length <= mostWords && words.every((word) => isWord(word, filled)))
    return { type: "choice", values: words };
  return idGenerator(name, filled) ?? { type: "text", template: `${name.replaceAll(/[{}]/g, "")} {number}` };
}

/** Most digits of a number that is exact. */
const mostDigits = String(Number.MAX_SAFE_INTEGER).length;

/** Texts of digits, as long as those that were seen. */
function digitsGenerator(texts: readonly string[]): FieldGenerator {
  const lengths = texts.map(({ length }) => length);
  const [min, above] = [10 ** (Math.min(...lengths) - 1), 10 ** Math.max(...lengths)];
  return { type: "decimal", min, max: Math.min(above - 1, Number.MAX_SAFE_INTEGER), decimals: 0 };
}

/** Whether this is a word of the service. A word that is written like a name must occur more than once. */
function isWord(word: string, all: readonly string[]): boolean {
  if (!/^[A-Za-z]{1,20}([_-][A-Za-z]{1,20}){0,4}$/.test(word)) return false;
  return !/^[A-Z][a-z]/.test(word) || all.filter((each) => each === word).length > 1;
}

/** Fields with an identifier. In other fields, a prefix may be the beginning of a name. */
const ofIds = /(id|ref|reference|number|no|nr|key|code|token)$/i;

/** Identifiers: one word each, all different, of letters and digits after a common prefix. */
function idGenerator(name: string, values: readonly string[]): FieldGenerator | undefined {
  const isId = values.every((value) => /^[\w-]{8,80}$/.test(value) && /\d/.test(value));
  if (!isId || new Set(values).size < values.length) return undefined;
  const prefix = /^[A-Za-z]{1,8}[_-]/.exec(values[0] as string)?.[0] ?? "";
  const isShared = values.length > 1 && ofIds.test(name) && values.every((value) => value.startsWith(prefix));
  const shared = isShared ? prefix : "";
  const length = Math.min(64, Math.max(8, ...values.map((value) => value.length - shared.length)));
  return { type: "id", ...(shared !== "" && { prefix: shared }), length };
}

/**
 * What was seen, completed from the document of the service: values of fields that had none on all rows, and further
 * words.
 * @param seen generators without values of rows
 */
export function completed(seen: FieldSettings, documented: FieldSettings): FieldSettings {
  return Object.fromEntries(
    Object.entries(seen).map(([name, own]) => [
      name,
      Object.hasOwn(documented, name) ? completedField(own, documented[name] as FieldGenerator) : own,
    ]),
  );
}

function completedField(seen: FieldGenerator, documented: FieldGenerator): FieldGenerator {
  if (seen.type === "nullable") return orNull(completedField(seen.of, documented));
  if (seen.type === "object" && documented.type === "object")
    return { type: "object", fields: completed(seen.fields, documented.fields) };
  if (seen.type === "constant" && (seen.value === null || seen.value === "")) return documented;
  if (documented.type !== "choice" || fieldType(documented) !== fieldType(seen)) return seen;
  if (seen.type === "choice") return { type: "choice", values: [...new Set([...documented.values, ...seen.values])] };
  return seen.type === "text" ? documented : seen;
}

/** The types of the JSON values that generators make, by path. A path is JSON, because a name may have a dot. */
export function typesOf(fields: FieldSettings, above: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([name, field]): [string, string][] => {
      const path = [...above, name];
      const generator = field.type === "nullable" ? field.of : field;
      const inner = generator.type === "object" ? typesOf(generator.fields, path) : [];
      return [[JSON.stringify(path), fieldType(generator)], ...inner];
    }),
  );
}

/** The members of rows whose types differ, by path, each with its types before and now. */
export function differingTypes(
  before: FieldSettings,
  now: FieldSettings,
): readonly (readonly [path: string, before: string | undefined, now: string | undefined])[] {
  const [types, newTypes] = [typesOf(before), typesOf(now)];
  const paths = [...new Set([...types.keys(), ...newTypes.keys()])];
  return paths
    .map((path) => [path, types.get(path), newTypes.get(path)] as const)
    .filter(([path, one, other]) => {
      if (one !== undefined && other !== undefined) return !isAlike(one, other);
      return !isHidden(path, one === undefined ? types : newTypes);
    });
}

/** The names in a path of `typesOf`. */
export function namesIn(path: string): readonly string[] {
  return JSON.parse(path);
}

/** Whether values of two types may belong to one member: null says nothing about the others. */
export function isAlike(one: string, other: string): boolean {
  return one === other || one === "null" || other === "null";
}

/** Whether nothing is known about a member, because the one around it is null, or a list, on all rows. */
export function isHidden(path: string, types: ReadonlyMap<string, string>): boolean {
  const outer = namesIn(path).slice(0, -1);
  return outer.some((_, end) => (types.get(JSON.stringify(outer.slice(0, end + 1))) ?? "object") !== "object");
}

function fieldType(generator: FieldGenerator): string {
  const value = sampleOf(generator);
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}
