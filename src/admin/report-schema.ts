import * as z from "zod";
import type { Frozen } from "../base/frozen.js";

const verdict = z.enum(["pass", "fail", "not-exercised"]);
const ids = z.array(z.string());

const checkResultSchema = z
  .object({
    id: z.string().describe("Such as `token.refused`."),
    level: z.enum(["must", "should"]),
    verdict: verdict.describe("A check that was not exercised never counts as passed."),
    message: z.string().describe("What happened, or what would exercise the check."),
    fix: z.string().describe("What to change in the client."),
    source: z.string().describe("The section of the interface, the RFC or the assumption that the rule comes from."),
    exchanges: ids.describe(
      "The first few exchanges that failed the check, or that exercised it: ids of `GET /requests`.",
    ),
    handshakes: ids.describe("The same for handshakes: ids of `GET /handshakes`."),
    known: z
      .string()
      .describe(
        "Why the failure does not count: the code that was expected, or the reason of a baseline. Only present if it does not.",
      )
      .optional(),
  })
  .meta({ id: "CheckResult" });

const expectedErrorSchema = z
  .object({
    code: z.string(),
    count: z.int().describe("How many requests got it; 0 if it was expected and never delivered."),
    exchanges: ids.describe("The first few of them: ids of `GET /requests`."),
  })
  .meta({ id: "ExpectedError" });

const drillSchema = z
  .object({
    name: z.string().describe("`run` for a report on a running sandbox."),
    verdict: verdict.describe("`fail` when a `must` failed."),
    outcome: z.object({
      expected: z.enum(["succeeds", "fails", "any"]),
      exitStatus: z.int().nullable().describe("null if no command was run."),
      verdict,
    }),
    checks: z.array(checkResultSchema),
    expected: z
      .array(expectedErrorSchema)
      .describe("Errors that were provoked on purpose, and did not count. Only present if there are some.")
      .optional(),
  })
  .meta({ id: "Drill" });

/** Whether clients are correct: the verdict of every check. */
export const reportSchema = z
  .object({
    version: z.literal(1),
    drills: z.array(drillSchema),
    summary: z.object({
      pass: z.int(),
      fail: z.int().describe("Checks of the level `must` that failed."),
      warn: z.int().describe("Checks of the level `should` that failed."),
      notExercised: z.int(),
      known: z.int().describe("Failures that do not count. Only present if there are some.").optional(),
    }),
    replicas: z
      .int()
      .describe(
        "How many sandboxes share the state. The report covers what reached the one that was asked. Only present if there are several.",
      )
      .optional(),
  })
  .meta({ id: "Report" });

/** A report, as the admin API returns it. */
export type ReportAnswer = Frozen<z.output<typeof reportSchema>>;
