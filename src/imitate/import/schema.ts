import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { ApiDocument } from "./api-document.js";
import { contradiction } from "./example.js";
import type { Notes } from "./notes.js";

/** A schema merged with its references, `allOf` and alternatives. */
export type Schema = Readonly<ReturnType<Merged["schema"]>>;

/** Most schemas that are merged into one. */
const mostParts = 100;

/** Longest value of an enum that is read, in characters. */
const longestValue = 300;

/** Reads the schemas of a document. */
export class SchemaReader {
  constructor(
    readonly document: ApiDocument,
    readonly notes: Notes,
  ) {}

  /** @returns undefined if this is not an object, as `true` in OpenAPI 3.1, or a reference without a target */
  read(value: unknown): Schema | undefined {
    const at = this.document.object(value);
    if (at === undefined) return undefined;
    const merged = new Merged(this);
    merged.add(value);
    return merged.schema(at);
  }

  note(at: object, message: string, ...keys: readonly string[]): void {
    this.notes.add(this.document.placeOf(at, ...keys), message);
  }
}

class Merged {
  readonly #properties = new Map<string, unknown>();
  readonly #required = new Set<string>();
  readonly #keywords: Record<string, unknown> = {};
  readonly #parts = new Set<object>();
  #nullable = false;
  /** Whether other values are valid than those of the merged schema. */
  #isOneOfSeveral = false;

  constructor(private readonly reader: SchemaReader) {}

  add(value: unknown): void {
    const object = this.reader.document.object(value);
    if (object === undefined || this.#parts.has(object) || this.#parts.size >= mostParts) return;
    this.#parts.add(object);
    const { allOf, properties, required, ...keywords } = object;
    for (const part of Array.isArray(allOf) ? allOf : []) this.add(part);
    for (const [name, member] of Object.entries(isObject(properties) ? properties : {})) this.#addMember(name, member);
    for (const name of Array.isArray(required) ? required : []) this.#required.add(String(name));
    for (const [keyword, given] of Object.entries(keywords))
      if (given !== undefined) this.#keywords[keyword] = both(keyword, this.#keywords[keyword], given);
    if (isNullable(object)) this.#nullable = true;
    if (Array.isArray(object["type"]) && object["type"].filter((type) => type !== "null").length > 1)
      this.#isOneOfSeveral = true;
    for (const keyword of ["oneOf", "anyOf"]) if (Array.isArray(object[keyword])) this.#choose(object, keyword);
  }

  /** A member that several parts describe is as all of them say. */
  #addMember(name: string, member: unknown): void {
    const known = this.#properties.get(name);
    if (known === undefined || isEmpty(known)) this.#properties.set(name, member);
    else if (!isEmpty(member) && known !== member) this.#properties.set(name, { allOf: [known, member] });
  }

  /** Adds the first of several alternatives that is not null. */
  #choose(object: JsonObject, keyword: string): void {
    const alternatives = (object[keyword] as unknown[]).flatMap((each) => {
      const resolved = this.reader.document.object(each);
      return resolved === undefined ? [] : [{ each, resolved }];
    });
    const useful = alternatives.filter(({ resolved }) => !isNull(resolved));
    if (useful.length < alternatives.length) this.#nullable = true;
    const isAlone = ({ resolved }: { readonly resolved: JsonObject }) =>
      useful.every((other) => other.resolved === resolved || this.#excludes(resolved, other.resolved));
    const first = (keyword === "oneOf" && useful.find(isAlone)) || useful[0];
    if (first === undefined) return;
    this.#isOneOfSeveral ||= useful.length > 1;
    if (
      useful.length > 1 &&
      !useful.every(({ resolved }) => "required" in resolved && Object.keys(resolved).length === 1)
    )
      this.reader.note(
        object,
        `Of ${useful.length} alternatives, rows have the ${first === useful[0] ? "first" : "only"} one${first === useful[0] ? "" : " that can be told from the others"}.`,
        keyword,
      );
    this.add(first.each);
  }

  /** Whether an object with all members of one alternative is none of another, as far as these say so themselves. */
  #excludes(one: JsonObject, other: JsonObject): boolean {
    const [own, others] = [membersIn(one), membersIn(other)];
    if (one["type"] !== other["type"]) return true;
    if (Array.isArray(other["required"]) && other["required"].some((name) => !(String(name) in own))) return true;
    const names = Object.keys(own);
    if (other["additionalProperties"] === false && names.some((name) => !(name in others))) return true;
    return names.some((name) => {
      const [values, further] = [this.#valuesOf(own[name]), this.#valuesOf(others[name])];
      return values.length > 0 && further.length > 0 && !values.some((value) => further.includes(value));
    });
  }

  #valuesOf(member: unknown): readonly unknown[] {
    const { enum: values, const: one } = this.reader.document.object(member) ?? {};
    return one === undefined ? (Array.isArray(values) ? values : []) : [one];
  }

  schema(at: object) {
    const keywords = this.#keywords;
    const text = (keyword: string) => (typeof keywords[keyword] === "string" ? keywords[keyword] : undefined);
    const schema = {
      /** The object in the document that notes are about: the first one that is in the document itself. */
      at: [at, ...this.#parts].find((part) => this.reader.document.has(part)) ?? at,
      /** Of several types, the first one that is not null. */
      type: this.#type(),
      nullable: this.#nullable,
      /** Members by name, as in the document. */
      properties: this.#properties as ReadonlyMap<string, unknown>,
      required: this.#required as ReadonlySet<string>,
      items: keywords["items"],
      /** Of the members that `properties` does not name. */
      additional: keywords["additionalProperties"],
      /** `enum`, or the one value of `const`; without null. */
      values: this.#values(),
      default: keywords["default"],
      format: text("format"),
      pattern: text("pattern"),
      description: text("description") ?? "",
      /** The bounds of a number, both inclusive. */
      minimum: this.#bound("minimum", "exclusiveMinimum", 1),
      maximum: this.#bound("maximum", "exclusiveMaximum", -1),
      minLength: this.#count("minLength"),
      maxLength: this.#count("maxLength"),
      multipleOf: this.#number("multipleOf"),
      minItems: this.#count("minItems"),
      maxItems: this.#count("maxItems"),
      /** Whether it may have no members but these. */
      closed: keywords["additionalProperties"] === false || keywords["unevaluatedProperties"] === false,
      /** Whether only requests have it (§4.7.24 of OpenAPI 3.0.3). */
      writeOnly: keywords["writeOnly"] === true,
      /** The objects of the document that were merged: if one of these is inside itself, the schema is recursive. */
      parts: [...this.#parts] as readonly object[],
    };
    return { ...schema, example: this.#example(schema) };
  }

  /** The first example that the schema allows. */
  #example(schema: Parameters<typeof contradiction>[1] & { readonly at: object }): unknown {
    const { example, examples } = this.#keywords;
    const given = [example, ...(Array.isArray(examples) ? examples : [])].filter((each) => each !== undefined);
    const faults = given.map((each) => contradiction(each, schema));
    const [fault] = faults;
    // It may be an example of a type or of an alternative that rows do not have.
    if (fault !== undefined && !this.#isOneOfSeveral)
      this.reader.note(schema.at, `The example contradicts its own schema, and is not used: it ${fault}.`);
    return given[faults.indexOf(undefined)];
  }

  #number(keyword: string): number | undefined {
    const value = this.#keywords[keyword];
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** Undefined for what can be no number of characters or items: documents have mistakes. */
  #count(keyword: string): number | undefined {
    const value = this.#number(keyword);
    return Number.isInteger(value) && Number(value) >= 0 ? value : undefined;
  }

  /** A bound that is part of the range. */
  #bound(keyword: string, exclusive: string, inwards: 1 | -1): number | undefined {
    const bound = this.#number(keyword);
    const beyond = this.#number(exclusive);
    const step = this.#type() === "integer" ? inwards : inwards / 100;
    // In OpenAPI 3.1 this is the bound itself; in 3.0 it is `true`, next to the bound.
    if (beyond !== undefined) return beyond + step;
    return bound !== undefined && this.#keywords[exclusive] === true ? bound + step : bound;
  }

  #type(): string | undefined {
    const { type } = this.#keywords;
    const named = Array.isArray(type) ? type.find((each) => each !== "null") : type;
    if (typeof named === "string") return named;
    if (this.#properties.size > 0) return "object";
    if (this.#keywords["items"] !== undefined) return "array";
    const [value] = this.#values() ?? [this.#keywords["example"]];
    return value === undefined ? undefined : typeOf(value);
  }

  #values(): readonly unknown[] | undefined {
    const { enum: values, const: one } = this.#keywords;
    if (one !== undefined) return isShort(one) ? [one] : undefined;
    const given = Array.isArray(values) ? values.filter((value) => value !== null && isShort(value)) : [];
    return given.length === 0 ? undefined : given;
  }
}

function membersIn({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

/** Keywords of which the larger or the smaller value is the narrower one. */
const narrower: Readonly<Record<string, (one: number, other: number) => number>> = {
  minimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
};

/** What a keyword says if two schemas have to be met. */
function both(keyword: string, one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  const narrow = narrower[keyword];
  if (narrow && typeof one === "number" && typeof other === "number") return narrow(one, other);
  if (keyword === "enum" && Array.isArray(one) && Array.isArray(other)) {
    const common = other.filter((value) => one.includes(value));
    return common.length > 0 ? common : other;
  }
  return other;
}

/** Whether a value is short enough for a configuration. */
function isShort(value: unknown): boolean {
  return (typeof value === "string" ? value : JSON.stringify(value)).length <= longestValue;
}

/**
 * Whether `nullable` of OpenAPI 3.0 allows null: not beside alternatives without a type, of which none may be null
 * (§4.7.24.1 of OpenAPI 3.0.3).
 */
export function allowsNull({ nullable, type, oneOf, anyOf }: JsonObject): boolean {
  return nullable === true && (type !== undefined || (oneOf === undefined && anyOf === undefined));
}

function isNullable(schema: JsonObject): boolean {
  const { type, enum: values } = schema;
  return (
    allowsNull(schema) ||
    (Array.isArray(type) && type.includes("null")) ||
    (Array.isArray(values) && values.includes(null))
  );
}

/** An alternative that means null: OpenAPI 3.1 has a type for it, and some documents of 3.0 have an enum. */
function isNull({ type, enum: values }: JsonObject): boolean {
  return (
    type === "null" ||
    (Array.isArray(values) && values.length > 0 && values.every((each) => each === null || each === ""))
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value)) return "integer";
  return value === null ? "null" : typeof value;
}
