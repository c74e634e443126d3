import * as z from "zod";
import { scenarioSchema } from "../src/sandbox/scenarios/schema.js";

/** The part of JSON Schema that the scenario schema needs. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  pattern?: string;
  enumDescriptions?: string[];
  definitions?: unknown;
  $defs?: Record<string, JsonSchema>;
  $id?: string;
  $ref?: string;
}

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  return new Map([["scenarios/scenario.schema.json", `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`]]);
}

/** The schema of a scenario file in the dialect that most editors support. */
export function scenarioJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(scenarioSchema, { io: "input", target: "draft-7" }) as JsonSchema;
  // "Any JSON" is a recursive definition. A schema without a type means the same.
  delete schema.definitions;
  return withoutReferences(schema) as JsonSchema;
}

function withoutReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === "allOf" && JSON.stringify(member).includes('"$ref"')))
      .map(([key, member]) => [key, withoutReferences(member)]),
  );
}
