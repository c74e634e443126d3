import * as z from "zod";
import { baselineSchema } from "../src/cli/exam/baseline-file.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  const { $schema, ...schema } = z.toJSONSchema(baselineSchema, { io: "input", target: "draft-7" });
  const title = "Known failures of a client: a baseline of payments-sandbox exam, explore and run";
  return new Map([["baseline.schema.json", `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`]]);
}
