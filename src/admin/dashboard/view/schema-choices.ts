import type { YamlPlace } from "./yaml-place.js";

/** The part of JSON Schema that the published schema of scenarios uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
}

/** A text that is allowed at a position. */
export interface Choice {
  readonly label: string;
  readonly kind: "key" | "value";
  readonly detail: string | undefined;
}

/** What a schema allows at a position of a YAML text: keys, or the values of a closed list. */
export function schemaChoices(schema: JsonSchema, { path, kind }: YamlPlace): Choice[] {
  let found: readonly JsonSchema[] = alternatives(schema);
  for (const step of path) found = found.flatMap((one) => below(one, step)).flatMap(alternatives);
  const choices = found.flatMap((one) => (kind === "key" ? keysOf(one) : valuesOf(one)));
  const seen = new Set<string>();
  return choices.filter(({ label }) => !seen.has(label) && seen.add(label));
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ? [schema, ...schema.anyOf.flatMap(alternatives)] : [schema];
}

function below({ properties, additionalProperties, items }: JsonSchema, step: string): JsonSchema[] {
  if (step === "[]") return items ? [items] : [];
  if (properties && Object.hasOwn(properties, step)) return [properties[step] as JsonSchema];
  return typeof additionalProperties === "object" ? [additionalProperties] : [];
}

function keysOf({ properties = {} }: JsonSchema): Choice[] {
  return Object.entries(properties).map(([label, { description }]) => ({ label, kind: "key", detail: description }));
}

function valuesOf({
  enum: values = [],
  enumDescriptions,
  const: only,
  type,
  description,
  examples = [],
}: JsonSchema): Choice[] {
  const value = (given: unknown, detail = description): Choice => ({ label: written(given), kind: "value", detail });
  if (only !== undefined) return [value(only)];
  if (type === "boolean") return [value(true), value(false)];
  if (values.length > 0) return values.map((given, index) => value(given, enumDescriptions?.[index]));
  return examples.map((given) => value(given, description));
}

/** A value as YAML, on one line. */
function written(value: unknown): string {
  if (typeof value === "string")
    return /^[A-Za-z][\w.-]*$|^\d+(\.\d+)?(ms|s|m|h|d)$/.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${/^[\w$.-]+$/.test(name) ? name : JSON.stringify(name)}: ${written(member)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}
