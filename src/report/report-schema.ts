import * as z from "zod";
import type { AssumptionId } from "../sandbox/assumptions.js";
import { type CheckId, needNames } from "../sandbox/scenarios/expectation.js";
import { toldTestsSchema } from "./told-tests.js";

const text = z.string();
const verdict = z.enum(["pass", "fail", "not-exercised"]);
const ids = z.array(text);
const count = z.int();
/** Validators of a file take any text: later releases have more ids. */
const checkId = text as z.ZodType<string> as z.ZodType<CheckId>;
const assumptionId = text as z.ZodType<string> as z.ZodType<AssumptionId>;
const known = text
  .describe(
    "Why the failure does not count: the code that was expected, or the reason of a baseline. Only present if it does not.",
  )
  .optional();

/** One check of one drill. */
const checkAnswerSchema = z
  .object({
    id: text.describe("Such as `token.refused`."),
    level: z.enum(["must", "should"]),
    verdict: verdict.describe("A check that was not exercised never counts as passed."),
    message: text.describe("What happened, or what would exercise the check."),
    fix: text.describe("What to change in the client."),
    source: text.describe("The section of the interface, the RFC or the assumption that the rule comes from."),
    exchanges: ids.describe(
      "The first few exchanges that failed the check, or that exercised it: ids of `GET /requests`.",
    ),
    handshakes: ids.describe("The same for handshakes: ids of `GET /handshakes`."),
    evidence: z
      .array(text)
      .describe(
        "The requests and connections that show the failure: seconds since the start, method, path, status and what was wrong. Only present in the report on a command.",
      )
      .optional(),
    known,
  })
  .meta({ id: "CheckResult" });

/** The same with the type of its id. */
const checkResultSchema = checkAnswerSchema
  .extend({ id: checkId.describe(checkAnswerSchema.shape.id.description ?? "") })
  .meta({ id: "CheckResult" });

const expectedErrorSchema = z
  .object({
    code: text,
    count: count.describe("How many requests got it; 0 if it was expected and never delivered."),
    exchanges: ids.describe("The first few of them: ids of `GET /requests`."),
  })
  .meta({ id: "ExpectedError" });

const drillAnswerSchema = z
  .object({
    name: text.describe("The name of the drill; `run` for a report on one command, or on a running sandbox."),
    verdict: verdict.describe("`fail` when a `must` failed, or an expectation of the drill was not met."),
    outcome: z.object({
      expected: z.enum(["succeeds", "fails", "any"]),
      exitStatus: count
        .nullable()
        .describe("128 plus the number of the signal, if a signal ended the command; null if no command was run."),
      verdict,
    }),
    checks: z.array(checkAnswerSchema).describe("Every check, except those that are ignored."),
    expected: z
      .array(expectedErrorSchema)
      .describe("Errors that were provoked on purpose, and did not count. Only present if there are some.")
      .optional(),
  })
  .meta({ id: "Drill" });

const problemSchema = z.object({
  about: (checkId as z.ZodType<CheckId | "outcome" | "requests">).describe(
    "`outcome`, `requests`, or a check that the drill requires.",
  ),
  message: text.describe("What happened."),
  fix: text.describe("What to change in the client."),
  assumption: assumptionId
    .describe("The assumption by which the sandbox refused requests of the command. Only present if it did.")
    .optional(),
  known,
});

const drillSchema = drillAnswerSchema.extend({
  checks: z.array(checkResultSchema).describe("Every check, except those that are ignored."),
  description: text.describe("What the drill does. Only present for a drill of an exam.").optional(),
  advice: text.describe("What a correct client does. Only present for a drill of an exam.").optional(),
  output: z
    .array(text)
    .describe(
      "What the command printed: from the first line that looks like a failure, or its last lines. Only present for a drill of an exam.",
    )
    .optional(),
  tests: toldTestsSchema
    .describe("Tests of the command that failed. Only present if the command wrote JUnit XML.")
    .optional(),
  problems: z
    .array(problemSchema)
    .describe("Why the drill does not pass, besides the verdicts of its checks. Only present if there are problems.")
    .optional(),
  missing: z
    .array(z.enum(needNames))
    .describe(
      "What the drill needs of the program, and the program did not send. Only present if the drill was not exercised.",
    )
    .optional(),
  notReached: z
    .array(checkId)
    .describe("Checks that the drill requires, and that its fault never reached. Only present if there are some.")
    .optional(),
  needsMoreThan: text
    .describe(
      "The timeout, such as `60 s`. Only present if the command waited, or repeated within bounds, when it was ended: then the drill is not judged.",
    )
    .optional(),
  duration: count.describe("How long the command ran, in milliseconds. Only present if one was run.").optional(),
});

/** Whether clients are correct: the verdict of every check, as the admin API returns it. */
export const reportAnswerSchema = z
  .object({
    version: z.literal(1),
    drills: z.array(drillAnswerSchema),
    summary: z
      .object({
        pass: count.describe("Results that are `pass`."),
        fail: count.describe("Results of the level `must` that are `fail`, without those that are known."),
        warn: count.describe("Results of the level `should` that are `fail`, without those that are known."),
        notExercised: count.describe("Results that are `not-exercised`."),
        known: count
          .describe("Results that are `fail` and do not count, because they are known. Only present if there are some.")
          .optional(),
      })
      .describe(
        "Counts of results: a check has one in each drill, so one check that failed in three drills counts three times. Drills are not counted here.",
      ),
    replicas: count
      .describe(
        "How many sandboxes share the state. The report covers what reached the one that was asked. Only present if there are several.",
      )
      .optional(),
  })
  .meta({ id: "Report" });

/** The same in a file: with the members that only a drill or a baseline adds. */
export const reportSchema = reportAnswerSchema.omit({ replicas: true }).extend({ drills: z.array(drillSchema) });
