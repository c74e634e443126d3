import type { AssumptionId } from "../sandbox/assumptions.js";
import type { Need } from "../sandbox/scenarios/expectation.js";
import { Baseline } from "./baseline.js";
import { type CheckId, checkFacts } from "./checks.js";
import { assumedRefusal } from "./refused.js";
import {
  type CheckResult,
  countsAsFailure,
  type DrillProblem,
  type DrillReport,
  type FailOn,
  type Idleness,
} from "./report.js";

/** What a correct client does in a drill. It comes from the scenario. */
export interface DrillExpectation {
  readonly outcome: "succeeds" | "fails" | "any";
  /** Checks that must pass. The drill is not exercised if its fault never reached one of them. */
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

/**
 * What of a scenario's faults reached the client: nothing, something that it may report as an error, such as an answer
 * of another form, or a failure that no care avoids.
 */
export type Reached = "nothing" | "change" | "failure";

/** A finished drill. */
export interface DrillRun {
  readonly name: string;
  readonly expected: DrillExpectation;
  /** What a correct client does, in sentences: the fix for an unexpected outcome. */
  readonly advice: string;
  /** 128 plus the number of the signal, if a signal ended the command. */
  readonly exitStatus: number;
  /**
   * If the command took longer than the timeout, and was ended: the timeout as it was given and in words, and whether
   * the command waited then.
   */
  readonly timedOut: { readonly after: string; readonly words: string; readonly hasWaited: boolean } | undefined;
  /** Whether the fault of the scenario acted; if it has none, whether the client was judged at all. */
  readonly acted: boolean;
  readonly reached: Reached;
  /** The assumption by which the sandbox itself refused requests: of the first one. */
  readonly refusedBy: AssumptionId | undefined;
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
 * The verdict on a drill: `fail` when a check failed at the level, or an expectation was not met; `not-exercised` when
 * the fault did not act, or not on what the drill is about, or when the command needed more time than it had; otherwise
 * `pass`.
 */
export function judgeDrill(run: DrillRun, failOn: FailOn, baseline: Baseline = new Baseline()): DrillReport {
  const { name, expected, exitStatus } = run;
  const checks = run.checks.map((check) => baseline.marked(name, check));
  const idle = idlenessOf(run);
  const problems = problemsOf(run, failOn, idle).map((problem) => baseline.markedProblem(name, problem));
  const failed =
    checks.some((check) => countsAsFailure(check, failOn)) || problems.some(({ known }) => known === undefined);
  const isOutcomeWrong = problems.some(({ about }) => about === "outcome");
  const exercised = idle === undefined ? "pass" : "not-exercised";
  return {
    name,
    verdict: failed ? "fail" : exercised,
    outcome: { expected: expected.outcome, exitStatus, verdict: isOutcomeWrong ? "fail" : exercised },
    checks,
    ...(problems.length > 0 && { problems }),
    ...idle,
    ...(run.duration !== undefined && { duration: run.duration }),
  };
}

/** Why a drill was not exercised; undefined if it was. */
function idlenessOf(run: DrillRun): Idleness | undefined {
  const { acted, timedOut, expected, met, checks, exitStatus, reached } = run;
  if (timedOut !== undefined) {
    // A client that goes on without end fails a check, which is proven. Only the time is the exam's own.
    const isBounded = checks.every(({ verdict, level }) => verdict !== "fail" || level !== "must");
    return timedOut.hasWaited && isBounded ? { needsMoreThan: timedOut.words } : undefined;
  }
  const missing = expected.needs.filter((need) => !met.has(need));
  if (!acted) return { missing };
  // A client that stopped with an error when something failed had no occasion for more.
  if (exitStatus !== 0 && reached === "failure") return undefined;
  if (!isPointMet(run)) return { missing };
  const required = checks.filter((check) => isRequired(check, run));
  const notReached = required.filter(({ verdict }) => verdict === "not-exercised").map(({ id }) => id);
  if (notReached.length === 0 || required.some(({ verdict }) => verdict === "fail")) return undefined;
  return { missing, notReached };
}

/** @param idle why the drill was not exercised */
function problemsOf(run: DrillRun, failOn: FailOn, idle: Idleness | undefined): readonly DrillProblem[] {
  const { timedOut, exitStatus } = run;
  if (idle !== undefined)
    // The fault acted. A client that reports an error without having met one is wrong all the same.
    return idle.notReached !== undefined && exitStatus !== 0 ? outcomeProblems(run) : [];
  if (timedOut !== undefined) {
    const message = `The command was still running after ${timedOut.after}. It was ended, which counts as failed.`;
    const fix = "Give every request a timeout, and limit the repetitions; a larger --timeout waits longer.";
    return [{ about: "outcome", message, fix }];
  }
  return [...outcomeProblems(run), ...countProblems(run), ...checkProblems(run, failOn)];
}

/** A client may stop with an error after a failure was delivered to it, also where another one comes through. */
function outcomeProblems(run: DrillRun): readonly DrillProblem[] {
  const { expected, exitStatus, advice, reached, refusedBy } = run;
  const { outcome } = expected;
  const hasFailed = exitStatus !== 0;
  const mayFail = outcome === "fails" || reached === "failure" || (outcome === "any" && reached === "change");
  if (hasFailed ? mayFail : outcome !== "fails") return [];
  const right = hasFailed ? (outcome === "any" ? "reports only an error that it got" : "succeeds") : "fails";
  const message = `The command ended with exit status ${exitStatus}; that of a correct client ${right}.`;
  if (!hasFailed || refusedBy === undefined) return [{ about: "outcome", message, fix: advice }];
  const fix = "Change the assumption if your service accepts such requests, and the client if it does not.";
  return [{ about: "outcome", message: `${assumedRefusal(refusedBy)} ${message}`, fix, assumption: refusedBy }];
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
 * Whether a drill requires a check: one that it names. RFC 9110 §9.2.2 permits a repetition, and requires none: a client
 * that gave up in order, where that is correct too, exercises no check behind one. A client that succeeded either
 * repeated what failed, or hides a failure: then `retry.recovers` fails.
 */
function isRequired({ id }: CheckResult, { expected, exitStatus, checks }: DrillRun): boolean {
  if (!expected.checks.includes(id)) return false;
  if (!behindRetry.has(id)) return true;
  if (expected.outcome === "any" && exitStatus !== 0) return false;
  const recovers = checks.find((check) => check.id === "retry.recovers");
  return recovers === undefined || recovers.verdict === "fail";
}

/** A check that fails at the level of the exam needs no problem of its own. */
function checkProblems(run: DrillRun, failOn: FailOn): readonly DrillProblem[] {
  return run.checks.flatMap((check) => {
    if (check.verdict !== "fail" || countsAsFailure(check, failOn) || !isRequired(check, run)) return [];
    // What is likely, and not proven, is a warning.
    if (check.level !== checkFacts(check.id).level) return [];
    const { id: about, message, fix } = check;
    return [{ about, message, fix }];
  });
}
