import * as z from "zod";
import { reportSchema } from "../src/report/report-schema.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  // The dialect that most validators support.
  const { $schema, ...schema } = z.toJSONSchema(reportSchema, { target: "draft-7" });
  const title = "A report of the Business Payments Sandbox: whether a client is correct";
  return new Map([["report.schema.json", `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`]]);
}
