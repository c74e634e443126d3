import type { AssumptionId } from "../sandbox/assumptions.js";
import type { Need } from "../sandbox/scenarios/expectation.js";
import type { CheckId } from "./checks.js";
import type { Level } from "./finding.js";

/** A check that was not exercised never counts as passed. */
export type Verdict = "pass" | "fail" | "not-exercised";

/** The level at which a failure fails the command. */
export type FailOn = "never" | Level;

/** One check of one drill. */
export interface CheckResult {
  readonly id: CheckId;
  readonly level: Level;
  readonly verdict: Verdict;
  /** What happened, or what would exercise the check: one sentence. */
  readonly message: string;
  /** What to change in the client: one sentence. */
  readonly fix: string;
  readonly source: string;
  /** Ids of the journal: the first few exchanges that failed the check, or that exercised it. */
  readonly exchanges: readonly string[];
  /** Ids of the journal's failed handshakes and connections without a request. */
  readonly handshakes: readonly string[];
  /**
   * Why the failure is known: the reason of the baseline, or the code that was expected. A known failure does not count
   * as a failure. Present only if it is known.
   */
  readonly known?: string;
}

/** Why a drill does not pass, besides the verdicts of its checks. */
export interface DrillProblem {
  /** The exit status of the command, the number of its requests, or a check that the drill requires. */
  readonly about: "outcome" | "requests" | CheckId;
  readonly message: string;
  readonly fix: string;
  /** If the sandbox refused requests of the command by an assumption: the first one. The message tells of it. */
  readonly assumption?: AssumptionId;
  /** As for a check. */
  readonly known?: string;
}

/** An error that a client provoked on purpose, and that is not judged. */
export interface ExpectedError {
  readonly code: string;
  /** How many requests got it; 0 if it was expected and never delivered. */
  readonly count: number;
  /** Ids of the journal: the first few. */
  readonly exchanges: readonly string[];
}

/** How the command ended, and how it should have ended. */
interface DrillOutcome {
  readonly expected: "succeeds" | "fails" | "any";
  /** 128 plus the number of the signal, if a signal ended the command; null if no command was run. */
  readonly exitStatus: number | null;
  readonly verdict: Verdict;
}

/** Why a drill was not exercised, as far as it is known. */
export interface Idleness {
  /** What the drill needs of the program, and the program did not send. */
  readonly missing?: readonly Need[];
  /** Checks that the drill requires, and that its fault never reached. */
  readonly notReached?: readonly CheckId[];
  /** The timeout in words, if the command waited, or repeated within bounds, when it was ended. */
  readonly needsMoreThan?: string;
}

/** One run of a command under one scenario. The members of `Idleness` are present only if it was not exercised. */
export interface DrillReport extends Idleness {
  readonly name: string;
  readonly verdict: Verdict;
  readonly outcome: DrillOutcome;
  readonly checks: readonly CheckResult[];
  /** Present only if the drill has problems. */
  readonly problems?: readonly DrillProblem[];
  /** How long the command ran, in milliseconds; present only if one was run. */
  readonly duration?: number;
  /** Errors that were provoked on purpose, and did not count; present only if there are some. */
  readonly expected?: readonly ExpectedError[];
}

/** Counts of checks, over all drills. A failed `should` counts as `warn`, a known failure only as `known`. */
export interface ReportSummary {
  readonly pass: number;
  readonly fail: number;
  readonly warn: number;
  readonly notExercised: number;
  /** Present only if failures are known. */
  readonly known?: number;
}

/** The report, in the form of its JSON. */
export interface Report {
  readonly version: 1;
  readonly drills: readonly DrillReport[];
  readonly summary: ReportSummary;
}

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
}

/** A plain report: one drill named `run`. */
export function plainReport(
  checks: readonly CheckResult[],
  { outcome = noCommand, failOn = "must", duration, expected = [] }: PlainOptions = {},
): Report {
  const verdict = verdictOfChecks(checks, failOn);
  const drill = {
    name: plainDrill,
    verdict,
    outcome,
    checks,
    ...(duration !== undefined && { duration }),
    ...(expected.length > 0 && { expected }),
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
