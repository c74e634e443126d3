import * as z from "zod";
import { exploreSchema } from "../src/explore/report.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  const { $schema, ...schema } = z.toJSONSchema(exploreSchema, { target: "draft-7" });
  const title = "A report of payments-sandbox explore: which single failures a client does not survive";
  return new Map([["explore.schema.json", `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`]]);
}
