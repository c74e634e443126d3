import type { Need } from "../sandbox/scenarios/expectation.js";
import { Baseline } from "./baseline.js";
import { type CheckId, checkFacts } from "./checks.js";
import { type CheckResult, countsAsFailure, type DrillProblem, type DrillReport, type FailOn } from "./report.js";

/** What a correct client does in a drill. It comes from the scenario. */
export interface DrillExpectation {
  readonly outcome: "succeeds" | "fails" | "any";
  /** Checks that must be exercised, and pass. */
  readonly checks: readonly CheckId[];
  /** Checks of which one must be exercised: otherwise the point of the drill was missed. */
  readonly exercises: readonly CheckId[];
  /** What the program has to send, so that the fault acts. */
  readonly needs: readonly Need[];
  /** How many requests of an operation the client sends, both bounds inclusive. */
  readonly requests: {
    readonly [operation: string]: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
  };
}

/** A finished drill. */
export interface DrillRun {
  readonly name: string;
  readonly expected: DrillExpectation;
  /** What a correct client does, in sentences: the fix for an unexpected outcome. */
  readonly advice: string;
  /** 128 plus the number of the signal, if a signal ended the command. */
  readonly exitStatus: number;
  /** The timeout in words, if the command took longer and was ended. */
  readonly timedOutAfter: string | undefined;
  /** Whether the fault of the scenario acted; if it has none, whether the client was judged at all. */
  readonly acted: boolean;
  /** What the program sent, of all that a drill may need. */
  readonly met: ReadonlySet<Need>;
  /** Requests that arrived, by operation. */
  readonly requests: ReadonlyMap<string, number>;
  /** Without the ignored ones. */
  readonly checks: readonly CheckResult[];
  /** How long the command ran, in milliseconds. */
  readonly duration?: number;
}

/**
 * The verdict on a drill: `fail` when a check failed at the level, or the command did not end by itself;
 * `not-exercised` when the fault never acted; otherwise `pass` if the outcome, the counts and the named checks are as
 * expected.
 */
export function judgeDrill(given: DrillRun, failOn: FailOn, baseline: Baseline = new Baseline()): DrillReport {
  const run = { ...given, acted: given.acted && isPointMet(given) };
  const checks = run.checks.map((check) => baseline.marked(run.name, check));
  const problems = problemsOf(run, failOn).map((problem) => baseline.markedProblem(run.name, problem));
  const failed =
    checks.some((check) => countsAsFailure(check, failOn)) || problems.some(({ known }) => known === undefined);
  const idle = checks.filter(({ verdict }) => verdict === "not-exercised");
  const isIdle = !run.acted || problems.some(({ about }) => idle.some(({ id }) => id === about));
  const isOutcomeWrong = problems.some(({ about }) => about === "outcome");
  return {
    name: run.name,
    verdict: failed ? "fail" : run.acted ? "pass" : "not-exercised",
    outcome: {
      expected: run.expected.outcome,
      exitStatus: run.exitStatus,
      verdict: isOutcomeWrong ? "fail" : run.acted ? "pass" : "not-exercised",
    },
    checks,
    ...(problems.length > 0 && { problems }),
    ...(isIdle && { missing: run.expected.needs.filter((need) => !run.met.has(need)) }),
    ...(run.duration !== undefined && { duration: run.duration }),
  };
}

/** If the fault never acted, the only expectation is that the command ends by itself. */
function problemsOf(run: DrillRun, failOn: FailOn): readonly DrillProblem[] {
  const { timedOutAfter, acted } = run;
  if (timedOutAfter !== undefined) {
    const message = `The command was still running after ${timedOutAfter}. It was ended, which counts as failed.`;
    return [
      {
        about: "outcome",
        message,
        fix: "Give every request a timeout, and limit the repetitions; a larger --timeout waits longer.",
      },
    ];
  }
  if (!acted) return [];
  const outcome = outcomeProblems(run);
  const isRight = outcome.length === 0;
  return [...outcome, ...countProblems(run), ...checkProblems(run, failOn, isRight)];
}

function outcomeProblems({ expected, exitStatus, advice }: DrillRun): readonly DrillProblem[] {
  if (expected.outcome === "any" || (exitStatus === 0) === (expected.outcome === "succeeds")) return [];
  const message =
    exitStatus === 0
      ? "The command ended with exit status 0; that of a correct client fails."
      : `The command ended with exit status ${exitStatus}; that of a correct client succeeds.`;
  return [{ about: "outcome", message, fix: advice }];
}

function countProblems({ expected, requests, advice }: DrillRun): readonly DrillProblem[] {
  return Object.entries(expected.requests).flatMap(([operation, { min = 0, max = Number.POSITIVE_INFINITY } = {}]) => {
    const count = requests.get(operation) ?? 0;
    if (count >= min && count <= max) return [];
    const bound = count < min ? `at least ${min}` : `at most ${max}`;
    const arrived = count === 1 ? "1 request" : `${count} requests`;
    const message = `${arrived} of the operation ${operation} arrived; a correct client sends ${bound}.`;
    return [{ about: "requests" as const, message, fix: advice }];
  });
}

/** Whether the client reached what the drill is about. Ignored checks cannot tell. */
function isPointMet({ expected: { exercises }, checks }: DrillRun): boolean {
  const found = checks.filter(({ id }) => exercises.includes(id));
  return found.length === 0 || found.some(({ verdict }) => verdict !== "not-exercised");
}

/** Checks that only a client exercises that sends a failed request again. */
const behindRetry: ReadonlySet<CheckId> = new Set([
  "retry.after",
  "retry.paced",
  "retry.backoff",
  "retry.bounded",
  "retry.recovers",
  "retry.others",
]);

/**
 * Whether a drill requires a check that it names. RFC 9110 §9.2.2 permits a repetition, and requires none: a client
 * that gave up in order, where that is correct too, exercises no such check. One that succeeded either repeated what
 * failed, or hides a failure: then `retry.recovers` fails.
 */
function isRequired(id: CheckId, { expected, exitStatus, checks }: DrillRun): boolean {
  if (!behindRetry.has(id)) return true;
  if (expected.outcome === "any" && exitStatus !== 0) return false;
  const recovers = checks.find((check) => check.id === "retry.recovers");
  return recovers === undefined || recovers.verdict === "fail";
}

/**
 * A check that fails at the level of the exam needs no problem of its own.
 * @param mustExercise false if the outcome is wrong: a client that gave up has exercised little
 */
function checkProblems(run: DrillRun, failOn: FailOn, mustExercise: boolean): readonly DrillProblem[] {
  const { expected, checks, advice } = run;
  return checks.flatMap((check) => {
    if (!expected.checks.includes(check.id) || check.verdict === "pass" || countsAsFailure(check, failOn)) return [];
    if (check.verdict === "not-exercised" && !mustExercise) return [];
    // What is likely, and not proven, is a warning.
    if (check.verdict === "fail" && check.level !== checkFacts(check.id).level) return [];
    if (!isRequired(check.id, run)) return [];
    const { id: about, message, fix } = check;
    return [{ about, message, fix: check.verdict === "fail" ? fix : advice }];
  });
}
