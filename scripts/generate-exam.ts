import * as z from "zod";
import { reportSchema } from "../src/admin/report-schema.js";
import { needNames } from "../src/sandbox/scenarios/expectation.js";

/** Every generated file: its path in the repository, and its text. */
export async function generated(): Promise<Map<string, string>> {
  return new Map([["report.schema.json", `${JSON.stringify(reportJsonSchema(), null, 2)}\n`]]);
}

const { drills, summary } = reportSchema.shape;
const drill = drills.element;

const { known } = drill.shape.checks.element.shape;

const problem = z.object({
  about: z.string().describe("`outcome`, `requests`, or a check that the drill requires."),
  message: z.string().describe("What happened."),
  fix: z.string().describe("What to change in the client."),
  assumption: z
    .string()
    .describe("The assumption by which the sandbox refused requests of the command. Only present if it did.")
    .optional(),
  known,
});

/**
 * A report in a file: the answer of `GET /report`, and the members that only a drill or a baseline adds.
 * @internal exported for its test
 */
export const reportFileSchema = reportSchema.omit({ replicas: true }).extend({
  drills: z.array(
    drill.extend({
      name: z.string().describe("The name of the drill; `run` for the report on one command."),
      verdict: drill.shape.verdict.describe("`fail` when a `must` failed, or an expectation of the drill was not met."),
      checks: z.array(drill.shape.checks.element).describe("Every check, except those that are ignored."),
      problems: z
        .array(problem)
        .describe(
          "Why the drill does not pass, besides the verdicts of its checks. Only present if there are problems.",
        )
        .optional(),
      missing: z
        .array(z.enum(needNames))
        .describe(
          "What the drill needs of the program, and the program did not send. Only present if the drill was not exercised.",
        )
        .optional(),
      notReached: z
        .array(z.string())
        .describe("Checks that the drill requires, and that its fault never reached. Only present if there are some.")
        .optional(),
      needsMoreThan: z
        .string()
        .describe(
          "The timeout, such as `60 s`. Only present if the command waited, or repeated within bounds, when it was ended: then the drill is not judged.",
        )
        .optional(),
      duration: z.int().describe("How long the command ran, in milliseconds. Only present if one was run.").optional(),
    }),
  ),
  summary: summary.describe("Counts of checks, over all drills."),
});

/** The schema of a report in JSON, in the dialect that most validators support. */
function reportJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(reportFileSchema, { target: "draft-7" });
  return { $schema, title: "A report of the Business Payments Sandbox: whether a client is correct", ...schema };
}
