import * as z from "zod";
import { fileSchema } from "../src/sandbox/config/schema.js";
import type { JsonSchema } from "./generate-scenarios.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  return new Map([["sandbox.schema.json", `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`]]);
}

/** The schema of `sandbox.yaml` in the dialect that most editors support. */
export function configurationJsonSchema(): JsonSchema {
  return z.toJSONSchema(fileSchema, { io: "input", target: "draft-7", unrepresentable: "any" }) as JsonSchema;
}
