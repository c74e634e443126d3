import { isObject, type JsonObject } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import type { FieldGenerator, FieldSettings } from "../../sandbox/lists/settings.js";
import { sampleOf } from "../sample.js";
import { createdNames, identifiesRow, plainName, rankIn, wordsOf } from "../words.js";
import { contradiction } from "./example.js";
import type { Schema, SchemaReader } from "./schema.js";
import { textField } from "./text-field.js";

/** Deepest objects of a row. The sandbox's own limit is 16. */
const deepest = 10;

/** Longest name of a member, in characters. */
const longestName = 200;

/** Longest list in a row. */
const longestList = 100;

/** Longest example of an object without described members, as JSON. */
const longestMap = 1000;

/** Most values of an enum that are used. */
const mostValues = 200;

type Scalar = string | number | boolean | null;

/** Makes the fields of a row from the schema of an item. */
export class FieldMaker {
  #count = 0;

  /**
   * @param pathParameters names of the parameters of the path: a member of that name has its value
   * @param mostFields most members of a row, including those of its objects; those that are needed are never left out
   * @param list the name of the rows in the path, which shows what identifies them
   * @param optionalDepth objects at this depth have only the members that are needed; 0 is the row itself
   */
  constructor(
    private readonly reader: SchemaReader,
    private readonly pathParameters: readonly string[],
    private readonly mostFields: number,
    private readonly optionalDepth = Number.POSITIVE_INFINITY,
    private readonly list = "",
  ) {}

  /** Members so far. */
  get count(): number {
    return this.#count;
  }

  /** @param above the parts of the schemas around this one */
  fields(schema: Schema, above: ReadonlySet<object> = new Set(), depth = 0): FieldSettings {
    const inside = new Set([...above, ...schema.parts]);
    const members = [...schema.properties, ...undeclared(schema)];
    const isNeeded = ([name]: readonly [string, unknown]) => schema.required.has(name) || (depth === 0 && isKept(name));
    const made = new Map<string, FieldGenerator | undefined>();
    const make = ([name, value]: readonly [string, unknown]) =>
      made.set(name, this.#member(schema, name, value, inside, depth));
    for (const member of members.filter(isNeeded)) make(member);
    for (const member of members)
      if (!isNeeded(member) && (depth < this.optionalDepth || (depth === 0 && this.#count < this.mostFields)))
        make(member);
    const left = members.filter((member) => !made.has(member[0]) && depth === 0);
    if (left.length > 0)
      this.reader.note(
        schema.at,
        `${JSON.stringify(left[0]?.[0])}${left.length > 1 ? ` and ${left.length - 1} more` : ""} are left out, because ${atMost(this.mostFields)}.`,
      );
    else if (depth === 0 && this.optionalDepth < deepest)
      this.reader.note(
        schema.at,
        `Objects ${this.optionalDepth} deep in a row have only the members that are required, because ${atMost(this.mostFields)}.`,
      );
    return Object.fromEntries(
      members.flatMap(([name]) => {
        const generator = made.get(name);
        return generator ? [[name, generator]] : [];
      }),
    );
  }

  #member(
    schema: Schema,
    name: string,
    value: unknown,
    above: ReadonlySet<object>,
    depth: number,
  ): FieldGenerator | undefined {
    const isRequired = schema.required.has(name);
    const of = this.list === "" ? "" : ` in rows of ${this.list}`;
    const left = (reason: string) => {
      this.reader.note(
        schema.at,
        `${JSON.stringify(name)} is left out: ${reason}${isRequired ? `, although it is required${of}` : ""}.`,
      );
      return undefined;
    };
    if (name === "__proto__" || name === "" || name.length > longestName || /\p{C}/u.test(name))
      return left("the sandbox cannot give a member this name");
    const member = this.reader.read(value);
    if (member === undefined) return left("the document does not say what it is");
    if (member.writeOnly && !isRequired) return undefined;
    this.#count += 1;
    const ends = isRequired && member.nullable ? ({ type: "constant", value: null } as const) : undefined;
    if (member.parts.some((part) => above.has(part))) return ends ?? left("it contains itself");
    if (depth >= deepest && (member.type === "object" || member.type === "array"))
      return ends ?? left(`objects are nested more than ${deepest} deep`);
    const parameter = this.pathParameters.find((each) => plainName(each) === plainName(name));
    const identifies = identifiesRow(name, this.list);
    if (parameter !== undefined && depth === 0 && member.type === "string" && !identifies)
      return { type: "parameter", name: parameter };
    return this.#generator(member, name, above, depth);
  }

  /** How one value is made. */
  value(schema: Schema, name: string): FieldGenerator | undefined {
    return this.#generator(schema, name, new Set(), 0);
  }

  #generator(schema: Schema, name: string, above: ReadonlySet<object>, depth: number): FieldGenerator | undefined {
    const note = (message: string) => this.reader.note(schema.at, `${JSON.stringify(name)}: ${message}`);
    const identifies = identifiesRow(name, this.list);
    if (schema.values) return ofValues(schema.values);
    switch (schema.type) {
      case "string":
        return textField(schema, name, identifies, note);
      case "integer":
        return integerField(schema, name, identifies);
      case "number":
        if (identifies) return integerField(schema, name, identifies);
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
        if (identifies) return { type: "id" };
        note("the document gives it no type; rows have null");
        return { type: "constant", value: null };
    }
  }

  #object(schema: Schema, above: ReadonlySet<object>, depth: number): FieldGenerator {
    if (schema.properties.size > 0) return { type: "object", fields: this.fields(schema, above, depth + 1) };
    const { example } = schema;
    if (!isObject(example) || JSON.stringify(example).length > longestMap) return { type: "constant", value: {} };
    const fault = this.#faultIn(example, schema);
    if (fault === undefined) return { type: "constant", value: example };
    this.reader.note(schema.at, `The example contradicts its own schema, and is not used: ${fault}.`);
    return { type: "constant", value: {} };
  }

  /** What is wrong with a value in a map, at any depth, as a sentence. */
  #faultIn(map: JsonObject, { additional }: Schema): string | undefined {
    const each = this.reader.read(additional);
    if (each === undefined) return undefined;
    for (const [name, value] of Object.entries(map)) {
      const fault = contradiction(value, each);
      if (fault !== undefined) return `${quote(name)} ${fault}`;
      const inside = isObject(value) ? this.#faultIn(value, each) : undefined;
      if (inside !== undefined) return inside;
    }
    return undefined;
  }

  /** Every row has the same list, of as few values as the document allows, because no generator makes lists. */
  #array(schema: Schema, name: string, above: ReadonlySet<object>, depth: number): FieldGenerator {
    const item = this.reader.read(schema.items);
    const isRepeated = item?.parts.some((part) => above.has(part)) === true;
    if (item === undefined || isRepeated) return { type: "constant", value: [] };
    const generator = this.#generator(item, name, new Set([...above, ...schema.parts]), depth + 1);
    const length = Math.min(Math.max(1, schema.minItems ?? 1), schema.maxItems ?? longestList, longestList);
    const values = Array.from({ length }, (_, index) => generator && sampleOf(generator, index));
    return { type: "constant", value: generator === undefined ? [] : values };
  }
}

/** Members that a schema requires and does not describe. */
function undeclared({ required, properties, closed }: Schema): readonly (readonly [string, unknown])[] {
  if (closed) return [];
  return [...required].filter((name) => !properties.has(name)).map((name) => [name, { type: "string" }]);
}

function atMost(members: number): string {
  return `rows have at most ${members} members here (--list for fewer lists at once)`;
}

/** Whether clients need a member of a row in any case: what identifies it, its status and its date. */
function isKept(name: string): boolean {
  return ["id", "status", "state"].includes(plainName(name)) || rankIn(createdNames, name) !== undefined;
}

function ofValues(values: readonly unknown[]): FieldGenerator {
  const scalars = values.filter((value): value is Scalar => value === null || typeof value !== "object");
  const distinct = [...new Map(scalars.map((value) => [String(value), value])).values()].slice(0, mostValues);
  if (distinct.length > 1) return { type: "choice", values: distinct };
  return { type: "constant", value: distinct.length === 1 ? distinct[0] : values[0] };
}

function integerField(schema: Schema, name: string, identifies: boolean): FieldGenerator {
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
  if ((schema.multipleOf ?? 1) > 1) return multiples(schema, Number(schema.multipleOf));
  if (identifies || last === "id") {
    const range = bounds(schema, [1, format === "int32" ? 2 ** 31 - 1 : 1e12]);
    return { type: "integer", ...range, ...(identifies && { distinct: true }) };
  }
  const isMoney = ["amount", "value", "price", "balance", "fee", "total"].includes(last);
  return { type: "integer", ...bounds(schema, isMoney ? [100, 90_000] : [0, 1000]) };
}

function multiples(schema: Schema, step: number): FieldGenerator {
  const { min, max } = bounds(schema, [step, 100 * step]);
  const first = Math.ceil(min / step) * step;
  const values = [first, first + step, first + 2 * step].filter((value) => value <= max);
  return values.length > 0 ? { type: "choice", values } : { type: "integer", min, max };
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
