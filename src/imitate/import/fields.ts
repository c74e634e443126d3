import type { FieldGenerator, FieldSettings } from "../../sandbox/lists/settings.js";
import type { Schema, SchemaReader } from "./schema.js";
import { textField } from "./text-field.js";
import { plainName, wordsOf } from "./words.js";

/** Deepest objects of a row. The sandbox's own limit is 16. */
const deepest = 10;

/** Longest name of a member, in characters. */
const longestName = 200;

/** Most values of an enum that are used. */
const mostValues = 200;

type Scalar = string | number | boolean | null;

/** Makes the fields of a row from the schema of an item. */
export class FieldMaker {
  #count = 0;
  #cut = false;

  /**
   * @param pathParameters names of the parameters of the path: a member of that name has its value
   * @param mostFields most members of a row, including those of its objects
   */
  constructor(
    private readonly reader: SchemaReader,
    private readonly pathParameters: readonly string[],
    private readonly mostFields: number,
  ) {}

  /** Members so far, including those beyond the limit. */
  get count(): number {
    return this.#count;
  }

  /** @param above the parts of the schemas around this one */
  fields(schema: Schema, above: ReadonlySet<object> = new Set(), depth = 0): FieldSettings {
    const inside = new Set([...above, ...schema.parts]);
    const fields: Record<string, FieldGenerator> = {};
    for (const [name, value] of schema.properties) {
      const generator = this.#member(schema, name, value, inside, depth);
      if (generator) fields[name] = generator;
    }
    return fields;
  }

  #member(
    schema: Schema,
    name: string,
    value: unknown,
    above: ReadonlySet<object>,
    depth: number,
  ): FieldGenerator | undefined {
    const left = (reason: string) => {
      this.reader.note(schema.at, `${JSON.stringify(name)} is left out: ${reason}.`);
      return undefined;
    };
    if (name === "__proto__" || name === "" || name.length > longestName || /\p{C}/u.test(name))
      return left("the sandbox cannot give a member this name");
    this.#count += 1;
    if (this.#count > this.mostFields) {
      if (!this.#cut)
        left(`rows have at most ${this.mostFields} members here, and this one and all that follow exceed that`);
      this.#cut = true;
      return undefined;
    }
    const member = this.reader.read(value);
    if (member === undefined) return left("the document does not say what it is");
    if (member.parts.some((part) => above.has(part))) return left("it contains itself");
    if (depth >= deepest && (member.type === "object" || member.type === "array"))
      return left(`objects are nested more than ${deepest} deep`);
    const parameter = this.pathParameters.find((each) => plainName(each) === plainName(name));
    if (parameter !== undefined && depth === 0 && member.type === "string")
      return { type: "parameter", name: parameter };
    return this.#generator(member, name, above, depth);
  }

  /** How one value is made. */
  value(schema: Schema, name: string): FieldGenerator | undefined {
    return this.#generator(schema, name, new Set(), 0);
  }

  #generator(schema: Schema, name: string, above: ReadonlySet<object>, depth: number): FieldGenerator | undefined {
    const note = (message: string) => this.reader.note(schema.at, `${JSON.stringify(name)}: ${message}`);
    if (schema.values) return ofValues(schema.values);
    switch (schema.type) {
      case "string":
        return textField(schema, name, note);
      case "integer":
        return integerField(schema, name);
      case "number":
        return { type: "decimal", ...bounds(schema, [1, 900], 100), decimals: 2, as: "number" };
      case "boolean":
        return { type: "boolean" };
      case "object":
        return this.#object(schema, above, depth);
      case "array":
        return this.#array(schema, name, above, depth);
      case "null":
        return { type: "constant", value: null };
      default:
        note("the document gives it no type; rows have null");
        return { type: "constant", value: null };
    }
  }

  #object(schema: Schema, above: ReadonlySet<object>, depth: number): FieldGenerator {
    if (schema.properties.size > 0) return { type: "object", fields: this.fields(schema, above, depth + 1) };
    const { example } = schema;
    const isSmall = typeof example === "object" && example !== null && JSON.stringify(example).length <= 1000;
    return { type: "constant", value: isSmall && !Array.isArray(example) ? example : {} };
  }

  /** Every row has the same list of one value, because no generator makes lists. */
  #array(schema: Schema, name: string, above: ReadonlySet<object>, depth: number): FieldGenerator {
    const item = this.reader.read(schema.items);
    const isRepeated = item?.parts.some((part) => above.has(part)) === true;
    if (item === undefined || isRepeated) return { type: "constant", value: [] };
    const generator = this.#generator(item, name, new Set([...above, ...schema.parts]), depth + 1);
    return { type: "constant", value: generator === undefined ? [] : [sampleOf(generator)] };
  }
}

function ofValues(values: readonly unknown[]): FieldGenerator {
  const scalars = values.filter((value): value is Scalar => value === null || typeof value !== "object");
  const distinct = [...new Map(scalars.map((value) => [String(value), value])).values()].slice(0, mostValues);
  if (distinct.length > 1) return { type: "choice", values: distinct };
  return { type: "constant", value: distinct.length === 1 ? distinct[0] : values[0] };
}

function integerField(schema: Schema, name: string): FieldGenerator {
  const { format, example } = schema;
  const last = wordsOf(name).at(-1) ?? "";
  const isTime =
    format === "unix-time" ||
    format === "timestamp" ||
    (["at", "timestamp", "created", "updated", "time", "date"].includes(last) && !(Number(schema.maximum) < 1e9));
  if (isTime)
    return {
      type: "createdAt",
      as: Number(example) > 1e11 || /milli/i.test(schema.description) ? "milliseconds" : "seconds",
    };
  // With a smaller range, several rows would have the same id.
  if (last === "id") return { type: "integer", ...bounds(schema, [1, format === "int32" ? 2 ** 31 - 1 : 1e12]) };
  const isMoney = ["amount", "value", "price", "balance", "fee", "total"].includes(last);
  return { type: "integer", ...bounds(schema, isMoney ? [100, 90_000] : [0, 1000]) };
}

/**
 * Bounds from the schema if it has them, within the range that the sandbox supports.
 * @param steps values between two whole numbers
 */
function bounds(schema: Schema, [low, high]: readonly [number, number], steps = 1): { min: number; max: number } {
  const exact = (bound: number) => Math.min(Math.max(bound, -1e12), 1e12);
  const min = Math.ceil(exact(schema.minimum ?? Math.min(low, schema.maximum ?? low)) * steps) / steps;
  const max = Math.floor(exact(schema.maximum ?? (min < high ? high : min + high)) * steps) / steps;
  return { min, max: Math.max(min, max) };
}

/** A sample of the values of a generator. */
export function sampleOf(generator: FieldGenerator): unknown {
  switch (generator.type) {
    case "uuid":
      return "0f8fad5b-d9cb-469f-a165-70867728950e";
    case "id":
      return `${generator.prefix ?? ""}${"0123456789ABCDEFGHJKMNPQRSTVWXYZ".repeat(2).slice(0, generator.length ?? 16)}`;
    case "choice":
      return generator.values[0];
    case "integer":
      return generator.min;
    case "decimal":
      return generator.as === "number" ? generator.min : generator.min.toFixed(generator.decimals ?? 2);
    case "boolean":
      return true;
    case "constant":
      return generator.value;
    case "text":
      return generator.template.replaceAll("{number}", "1").replaceAll("{{", "{").replaceAll("}}", "}");
    case "createdAt":
      return {
        "date-time": "2026-01-31T09:00:00.000Z",
        date: "2026-01-31",
        seconds: 1769850000,
        milliseconds: 1769850000000,
      }[generator.as ?? "date-time"];
    case "object":
      return Object.fromEntries(Object.entries(generator.fields).map(([name, field]) => [name, sampleOf(field)]));
    case "parameter":
      return "";
  }
}

/** A field at a dotted path. */
export interface PlacedField {
  readonly path: string;
  readonly name: string;
  readonly generator: FieldGenerator;
}

/** All fields, those of objects by dotted path, the outer ones first. A name with a dot cannot be in a path. */
export function placed(fields: FieldSettings, above = ""): PlacedField[] {
  const own = Object.entries(fields)
    .filter(([name]) => !name.includes("."))
    .map(([name, generator]) => ({ path: `${above}${name}`, name, generator }));
  return [
    ...own,
    ...own.flatMap(({ path, generator }) => (generator.type === "object" ? placed(generator.fields, `${path}.`) : [])),
  ];
}

/** The fields with another generator at a path. */
export function withField(fields: FieldSettings, path: string, generator: FieldGenerator): FieldSettings {
  const [name = "", ...rest] = path.split(".");
  const old = fields[name];
  if (rest.length === 0) return { ...fields, [name]: generator };
  if (old?.type !== "object") return fields;
  return { ...fields, [name]: { ...old, fields: withField(old.fields, rest.join("."), generator) } };
}
