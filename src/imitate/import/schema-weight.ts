import { isObject } from "../../base/text/json-object.js";
import type { JsonSchema } from "./answer-schemas.js";

/** Keywords whose schemas are about the same value. */
const sameValue = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Most schemas that one value is compared with. Real documents have some hundred; schemas that refer to the next one
 * twice, over thirty steps, have a thousand million.
 */
const mostSchemas = 10_000;

/**
 * Whether a schema, or one that it leads to, compares one value with too many schemas, or with itself without end.
 * @param definitions the schemas that others refer to, as `#/$defs/NAME`
 */
export function isTooHeavy(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): boolean {
  const weights = new Map<string, number>();
  const nameIn = (value: object) => ("$ref" in value ? String(value.$ref).slice("#/$defs/".length) : undefined);
  const weightOf = (value: unknown): number => {
    if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weightOf(each), 0);
    if (!isObject(value)) return 0;
    const name = nameIn(value);
    if (name === undefined) return sameValue.reduce((sum, keyword) => sum + weightOf(value[keyword]), 1);
    const known = weights.get(name);
    if (known !== undefined) return known;
    // While it is computed: a schema that leads to itself.
    weights.set(name, Number.POSITIVE_INFINITY);
    const weight = 1 + weightOf(definitions[name]);
    weights.set(name, weight);
    return weight;
  };
  const seen = new Set<unknown>();
  const left: unknown[] = [schema];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (weightOf(value) > mostSchemas) return true;
    const name = nameIn(value);
    if (name !== undefined) left.push(definitions[name]);
    left.push(...Object.values(value));
  }
  return false;
}
