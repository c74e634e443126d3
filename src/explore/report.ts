import * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import type { Level } from "../exam/finding.js";
import { toldTestsSchema } from "../report/told-tests.js";

/** What a verdict counts as. `said` is told, and is neither a finding nor good: it is not known how the client does. */
export type Counts = Level | "said" | "good";

/** Every verdict on a cell, the worst first, with what it counts as at most. */
const verdictCounts = {
  crashed: "must",
  hung: "must",
  wrong: "must",
  misbehaved: "must",
  "failed-after-recovery": "should",
  "gave-up": "should",
  unstable: "said",
  "not-judged": "said",
  "not-reached": "said",
  delivered: "good",
  "failed-clearly": "good",
  recovered: "good",
} as const satisfies Readonly<Record<string, Counts>>;

export type Verdict = keyof typeof verdictCounts;

export const verdicts = Object.keys(verdictCounts) as Verdict[];

/**
 * What a verdict counts as.
 * @param level of what is lost, for `wrong`: rows weigh more than other answers; of the check, for `misbehaved`
 */
export function countsOf(verdict: Verdict, level: Level = "must"): Counts {
  return verdict === "wrong" || verdict === "misbehaved" ? level : verdictCounts[verdict];
}

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);

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
  duration: count.describe("How long the command ran, in milliseconds."),
  message: text.describe("What the client did."),
  fix: text.describe("What to change in the client; empty if nothing is to be changed."),
  checks: texts.describe("Checks that failed here, and not without the fault."),
  exchanges: texts.describe("Ids of the journal: the request that the fault disturbed, and what followed from it."),
  scenario: text.describe("The scenario that reproduces it, as YAML."),
  requests: texts.describe("What happened, a sentence for each request."),
  output: texts.describe("What the command printed: from the first line that looks like a failure, or its last lines."),
  tests: toldTestsSchema
    .describe(
      "Of the tests that passed in all runs without a fault, those that failed. Only present if the command wrote JUnit XML.",
    )
    .optional(),
  repeat: text.describe("The command line that repeats this cell."),
  known: text.describe("The reason of the baseline. Only present for a finding that is known.").optional(),
});

/** A report of `explore` in a file. Its texts contain no secrets. */
export const exploreSchema = z.object({
  version: z.literal(1),
  reference: z
    .object({ runs: count, duration: count.describe("Of the longest one, in milliseconds.") })
    .describe("The runs without a fault."),
  points: z.array(point).describe("In the order of the conversation."),
  unstable: texts.describe("Points that not all runs without a fault reached in the same way. They have no cells."),
  cells: z.array(cell).describe("Each run with a fault, in the order of the plan."),
  notRun: texts.describe("Names of cells that were planned, and not run."),
  notes: texts.describe("What else a reader has to know. Only present if there is something.").optional(),
  summary: z.record(z.enum(verdicts), count).describe("How many cells have each verdict."),
});

/** The report, in the form of its JSON. */
export type ExploreReport = Frozen<z.output<typeof exploreSchema>>;

/** A place in the conversation, named by its role. */
export type Point = ExploreReport["points"][number];

/** One run of the command, with one fault at one point. */
export type Cell = ExploreReport["cells"][number];

/** The report on these cells, with its summary. */
export function exploreReport(parts: Omit<ExploreReport, "version" | "summary">): ExploreReport {
  const count = (wanted: Verdict) => parts.cells.filter(({ verdict }) => verdict === wanted).length;
  const summary = Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>;
  return { version: 1, ...parts, summary };
}

/** `POINT/FAULT`. */
export function cellName({ point, fault }: Pick<Cell, "point" | "fault">): string {
  return `${point}/${fault}`;
}

/** How much a finding weighs: `known` is in the baseline, `warning` is below the level of the report. */
export type Weight = "failure" | "warning" | "known";

/**
 * How much a cell weighs as a finding; undefined if it is none.
 * @param level at which a finding is a failure, not a warning
 */
export function weightOf({ counts, known }: Pick<Cell, "counts" | "known">, level: Level): Weight | undefined {
  if (counts !== "must" && counts !== "should") return undefined;
  if (known !== undefined) return "known";
  return counts === "must" || level === "should" ? "failure" : "warning";
}

/** Whether any of the cells was judged. If none was, nothing is known about the client. */
export function isJudged({ cells }: Pick<ExploreReport, "cells">): boolean {
  return cells.some(({ counts }) => counts !== "said");
}

/** Whether the report fails the command at a level: a cell does, or none was judged. */
export function failsAt(report: Pick<ExploreReport, "cells">, level: Level): boolean {
  return !isJudged(report) || report.cells.some((cell) => weightOf(cell, level) === "failure");
}
