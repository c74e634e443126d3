import * as z from "zod";
import { verdicts } from "../src/explore/report.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  const { $schema, ...schema } = z.toJSONSchema(exploreFileSchema, { target: "draft-7" });
  const title = "A report of payments-sandbox explore: which single failures a client does not survive";
  return new Map([["explore.schema.json", `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`]]);
}

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const milliseconds = z.int().min(0);

const point = z.object({
  id: text.describe("Such as `list.payments.middle`."),
  operation: text,
  list: text.describe("Only present for a list.").optional(),
  requests: count.describe("How many requests of a run without a fault were at this point."),
});

const cell = z.object({
  point: text.describe("The id of a point. The name of the cell is `POINT/FAULT`."),
  fault: text,
  verdict: z.enum(verdicts),
  counts: z
    .enum(["must", "should", "said", "good"])
    .describe("`must` and `should` are findings. `said` is neither a finding nor good: nothing is known."),
  exitStatus: z
    .int()
    .nullable()
    .describe("128 plus the number of the signal, if a signal ended the command; null if it had to be ended."),
  duration: milliseconds.describe("How long the command ran, in milliseconds."),
  message: text.describe("What the client did."),
  fix: text.describe("What to change in the client; empty if nothing is to be changed."),
  checks: texts.describe("Checks that failed here, and not without the fault."),
  exchanges: texts.describe("Ids of the journal: the request that the fault disturbed, and what followed from it."),
  scenario: text.describe("The scenario that reproduces it, as YAML."),
  requests: texts.describe("What happened, a sentence for each request."),
  output: texts.describe("The last lines of the command."),
  repeat: text.describe("The command line that repeats this cell."),
  known: text.describe("The reason of the baseline. Only present for a finding that is known.").optional(),
});

/**
 * A report of `explore` in a file.
 * @internal exported for its test
 */
export const exploreFileSchema = z.object({
  version: z.literal(1),
  reference: z
    .object({ runs: count, duration: milliseconds.describe("Of the longest one, in milliseconds.") })
    .describe("The runs without a fault."),
  points: z.array(point).describe("In the order of the conversation."),
  unstable: texts.describe("Points that not all runs without a fault reached in the same way. They have no cells."),
  cells: z.array(cell).describe("Each run with a fault, in the order of the plan."),
  notRun: texts.describe("Names of cells that were planned, and not run."),
  notes: texts.describe("What else a reader has to know. Only present if there is something.").optional(),
  summary: z
    .object(
      Object.fromEntries(verdicts.map((verdict) => [verdict, count])) as Record<
        (typeof verdicts)[number],
        typeof count
      >,
    )
    .describe("How many cells have each verdict."),
});
