import type * as z from "zod";
import type { Frozen } from "../base/frozen.js";
import type { reportSchema } from "../report/report-schema.js";
import type { Level } from "./finding.js";

/** The report, in the form of its JSON. */
export type Report = Frozen<z.output<typeof reportSchema>>;

/** One run of a command under one scenario. */
export type DrillReport = Report["drills"][number];

/** One check of one drill. */
export type CheckResult = DrillReport["checks"][number];

/** Why a drill does not pass, besides the verdicts of its checks. */
export type DrillProblem = NonNullable<DrillReport["problems"]>[number];

/** An error that a client provoked on purpose, and that is not judged. */
export type ExpectedError = NonNullable<DrillReport["expected"]>[number];

/** Why a drill was not exercised, as far as it is known. */
export type Idleness = Pick<DrillReport, "missing" | "notReached" | "needsMoreThan">;

/** How the command ended, and how it should have ended. */
type DrillOutcome = DrillReport["outcome"];

/** A check that was not exercised never counts as passed. */
export type Verdict = DrillReport["verdict"];

/** The level at which a failure fails the command. */
export type FailOn = "never" | Level;

/** If no outcome is expected and no command was run: the report on a running sandbox. */
const noCommand: DrillOutcome = { expected: "any", exitStatus: null, verdict: "pass" };

/** The name of the one drill of a plain report. */
export const plainDrill = "run";

/** Whether a failed check fails the report. A known failure does not. */
export function countsAsFailure({ verdict, level, known }: CheckResult, failOn: FailOn): boolean {
  if (verdict !== "fail" || known !== undefined) return false;
  return failOn === "should" || (failOn === "must" && level === "must");
}

/** The level at which a failed check is shown as a failure, not as a warning: `never` only affects exit statuses. */
export function failureLevel(failOn: FailOn): Level {
  return failOn === "never" ? "must" : failOn;
}

/**
 * The verdict of a drill without expectations: `fail` when a check failed at the level, `not-exercised` when no check
 * was exercised.
 * @param failOn `never` is read as `must`: it only affects exit statuses
 * @internal exported for its test, which tries verdicts that no drill has together
 */
export function verdictOfChecks(checks: readonly CheckResult[], failOn: FailOn): Verdict {
  const level = failureLevel(failOn);
  if (checks.some((check) => countsAsFailure(check, level))) return "fail";
  return checks.some(({ verdict }) => verdict !== "not-exercised") ? "pass" : "not-exercised";
}

/** What is known of the command of a plain report, if one was run. */
interface PlainOptions {
  readonly outcome?: DrillOutcome;
  readonly failOn?: FailOn;
  /** In milliseconds. */
  readonly duration?: number;
  readonly expected?: readonly ExpectedError[] | undefined;
  readonly tests?: DrillReport["tests"] | undefined;
}

/** A plain report: one drill named `run`. */
export function plainReport(
  checks: readonly CheckResult[],
  { outcome = noCommand, failOn = "must", duration, expected = [], tests }: PlainOptions = {},
): Report {
  const verdict = verdictOfChecks(checks, failOn);
  const drill = {
    name: plainDrill,
    verdict,
    outcome,
    checks,
    ...(duration !== undefined && { duration }),
    ...(expected.length > 0 && { expected }),
    ...(tests !== undefined && { tests }),
  };
  return reportOf([drill]);
}

/** The report on these drills, with its summary. */
export function reportOf(drills: readonly DrillReport[]): Report {
  const checks = drills.flatMap((drill) => drill.checks);
  const count = (chosen: (check: CheckResult) => boolean) => checks.filter(chosen).length;
  const known = count((check) => check.known !== undefined);
  return {
    version: 1,
    drills,
    summary: {
      pass: count(({ verdict }) => verdict === "pass"),
      fail: count((check) => countsAsFailure(check, "must")),
      warn: count((check) => check.level === "should" && countsAsFailure(check, "should")),
      notExercised: count(({ verdict }) => verdict === "not-exercised"),
      ...(known > 0 && { known }),
    },
  };
}

/** The checks without the ignored ones. */
export function withoutIgnored(checks: readonly CheckResult[], ignored: ReadonlySet<string>): readonly CheckResult[] {
  return ignored.size === 0 ? checks : checks.filter(({ id }) => !ignored.has(id));
}
