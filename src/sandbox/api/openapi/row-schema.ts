import { grouped } from "../../../base/grouped.js";
import { parseInstant } from "../../lists/instant.js";
import type { FieldGenerator, FieldSettings } from "../../lists/settings.js";
import type { Json } from "./source.js";

/** The schema of generated rows: exactly what the generators of their members can make. */
export function schemaOfFields(fields: FieldSettings): Json {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, generator]) => [name, schemaOfField(generator)]),
  );
  return { type: "object", required: Object.keys(fields), properties };
}

function schemaOfField(generator: FieldGenerator): Json {
  switch (generator.type) {
    case "uuid":
      return { type: "string", format: "uuid" };
    case "id":
      return {
        type: "string",
        pattern: `^${escapedPattern(generator.prefix ?? "")}[0-9A-HJKMNP-TV-Z]{${generator.length ?? 16}}$`,
      };
    case "choice":
      return schemaOfScalars(generator.values);
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", minimum: generator.min, maximum: generator.max };
    case "decimal":
      return generator.as === "number"
        ? { type: "number", minimum: generator.min, maximum: generator.max }
        : { type: "string", pattern: decimalPattern(generator.min, generator.decimals ?? 2) };
    case "constant":
      return { ...inferredSchema([generator.value]), const: generator.value };
    case "createdAt":
      if (generator.template !== undefined) return { type: "string" };
      if (generator.as === "seconds" || generator.as === "milliseconds") return { type: "integer" };
      return { type: "string", format: generator.as ?? "date-time" };
    case "object":
      return schemaOfFields(generator.fields);
    case "nullable":
      return { anyOf: [schemaOfField(generator.of), { type: "null" }] };
    case "text":
    case "parameter":
      return { type: "string" };
  }
}

function schemaOfScalars(values: readonly unknown[]): Json {
  const types = [...new Set(values.map(typeOf))];
  return { type: types.length === 1 ? types[0] : types, enum: values };
}

function decimalPattern(minimum: number, decimals: number): string {
  return `^${minimum < 0 ? "-?" : ""}\\d+${decimals > 0 ? `\\.\\d{${decimals}}` : ""}$`;
}

function escapedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/**
 * The narrowest simple schema that all these values fit. It is for values that users write themselves, where no
 * definition says what else may come. Members that not all of them have are optional; a text is a date-time if all of
 * them are.
 */
export function inferredSchema(values: readonly unknown[]): Json {
  const byType = grouped(values, typeOf);
  // Every integer is a number.
  if (byType.has("number")) byType.delete("integer");
  const schemas = [...byType].filter(([type]) => type !== "null").map(([type, group]) => schemaOfType(type, group));
  const [only] = schemas;
  if (!only) return byType.has("null") ? { type: "null" } : {};
  if (schemas.length > 1) return { anyOf: byType.has("null") ? [...schemas, { type: "null" }] : schemas };
  return byType.has("null") ? { ...only, type: [only["type"], "null"] } : only;
}

function schemaOfType(type: JsonType, values: readonly unknown[]): Json {
  if (type === "string") {
    const dates = (values as string[]).every((value) => parseInstant(value).ok);
    return dates ? { type, format: "date-time" } : { type };
  }
  if (type === "array") return { type, items: inferredSchema((values as unknown[][]).flat(1)) };
  return type === "object" ? schemaOfObjects(values as Readonly<Record<string, unknown>>[]) : { type };
}

function schemaOfObjects(objects: readonly Readonly<Record<string, unknown>>[]): Json {
  const members = grouped(
    objects.flatMap((object) => Object.entries(object)),
    ([name]) => name,
  );
  const required = [...members].filter(([, all]) => all.length === objects.length).map(([name]) => name);
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      [...members].map(([name, all]) => [name, inferredSchema(all.map(([, value]) => value))]),
    ),
  };
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}
