import { isObject, type JsonObject } from "../../base/text/json-object.js";
import type { ApiDocument } from "./api-document.js";
import { allowsNull } from "./schema.js";

/** A schema of JSON Schema 2020-12. */
export type JsonSchema = boolean | JsonObject;

const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown) => typeof value === "string";
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Keywords that are copied, each with what its value must be: documents have mistakes, which no validator accepts. */
const copied: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["enum", (value: unknown) => Array.isArray(value) && value.length > 0],
  ["const", () => true],
  ["required", isTexts],
  ["format", isText],
  ["pattern", isText],
  ["uniqueItems", (value: unknown) => typeof value === "boolean"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((name) => [name, isNumber] as const),
  ["multipleOf", (value: unknown) => isNumber(value) && Number(value) > 0],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map(
    (name) => [name, (value: unknown) => isNumber(value) && Number.isInteger(value) && Number(value) >= 0] as const,
  ),
]);

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ofOne = ["not", "additionalProperties", "items", "contains", "propertyNames", "if", "then", "else"];
const ofList = ["allOf", "anyOf", "oneOf", "prefixItems"];
const ofNames = ["properties", "patternProperties", "dependentSchemas"];

const types = ["string", "integer", "number", "boolean", "object", "array", "null"];

/**
 * Writes schemas of an OpenAPI document, with all that they refer to, as JSON Schema 2020-12. Version 3.0 has another
 * dialect: `nullable`, bounds that are exclusive by a boolean, references that hide their neighbours, and members that
 * only requests have (§4.7.24 of OpenAPI 3.0.3).
 */
export class AnswerSchemas {
  /** The schemas that others refer to, by their names. */
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #names = new Map<object, string>();
  /** Definitions that have a name, and are not written yet. */
  readonly #left: { readonly name: string; readonly target: JsonObject }[] = [];
  readonly #isOld: boolean;

  constructor(
    private readonly document: ApiDocument,
    version: string,
  ) {
    this.#isOld = version.startsWith("3.0");
  }

  /** @returns a schema that refers to definitions */
  of(value: unknown): JsonSchema {
    const schema = this.#of(value);
    for (let next = this.#left.pop(); next !== undefined; next = this.#left.pop())
      this.definitions[next.name] = this.#written(next.target);
    return schema;
  }

  #of(value: unknown): JsonSchema {
    if (!isObject(value)) return value !== false;
    if (typeof value["$ref"] !== "string") return this.#written(value);
    const target = this.document.resolve(value);
    const referred = isObject(target) ? { $ref: `#/$defs/${this.#nameOf(target)}` } : target !== false;
    const { $ref: _, ...beside } = value;
    if (this.#isOld || Object.keys(beside).length === 0) return referred;
    return { allOf: [referred, this.#written(beside)] };
  }

  #nameOf(target: JsonObject): string {
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    const name = `s${this.#names.size + 1}`;
    this.#names.set(target, name);
    // Written later: the schema may refer to itself, or to the first of thousands that refer to each other.
    this.#left.push({ name, target });
    return name;
  }

  #written(schema: JsonObject): JsonSchema {
    const written: Record<string, unknown> = {};
    for (const [keyword, fits] of copied) if (fits(schema[keyword])) written[keyword] = schema[keyword];
    for (const keyword of ofOne) if (keyword in schema) written[keyword] = this.#of(schema[keyword]);
    for (const keyword of ofList) {
      const list = schema[keyword];
      if (Array.isArray(list) && list.length > 0) written[keyword] = list.map((each) => this.#of(each));
    }
    for (const keyword of ofNames) {
      const byName = schema[keyword];
      if (!isObject(byName)) continue;
      written[keyword] = Object.fromEntries(Object.entries(byName).map(([name, each]) => [name, this.#of(each)]));
    }
    const given = [schema["type"]].flat().filter((type) => types.includes(String(type)));
    if (given.length > 0) written["type"] = given;
    return this.#isOld ? this.#renewed(written, schema) : written;
  }

  /** The keywords that mean something else in OpenAPI 3.0. */
  #renewed(written: Record<string, unknown>, schema: JsonObject): JsonSchema {
    for (const [exclusive, bound] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (schema[exclusive] !== true || !isNumber(schema[bound])) continue;
      written[exclusive] = schema[bound];
      delete written[bound];
    }
    if (Array.isArray(written["required"]))
      written["required"] = written["required"].filter(
        (name) => this.document.object(Object(schema["properties"])[name])?.["writeOnly"] !== true,
      );
    return allowsNull(schema) ? { if: { type: "null" }, else: written } : written;
  }
}
