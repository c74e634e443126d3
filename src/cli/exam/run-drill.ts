import type { Baseline } from "../../exam/baseline.js";
import { judgeDrill } from "../../exam/drill.js";
import type { Reference } from "../../exam/known/reference.js";
import { ownRefusal } from "../../exam/observe/answer.js";
import { type DrillReport, reportOf, withoutIgnored } from "../../exam/report.js";
import { toldOf } from "../../report/told-output.js";
import { failedTests } from "../../report/told-tests.js";
import { time } from "../../sandbox/scenarios/words.js";
import type { ManyRuns } from "../run/many-runs.js";
import { runOnce } from "../run/one-run.js";
import type { Output } from "../run/running-commands.js";
import type { Drill } from "./drills.js";
import { keepRun } from "./keep.js";
import { mostReached } from "./reached.js";
import type { ExamRequest } from "./request.js";
import { needsMet } from "./sent.js";
import { hasWaited, heldHandshakes } from "./waits.js";

/** How many characters of a command's output are kept: for its last lines, or for all of it. */
const keptOutput = { brief: 16_384, verbose: 1_048_576 } as const;

/** A drill that has ended. */
export interface DrillResult {
  readonly drill: Drill;
  readonly report: DrillReport;
  /** Whether a request arrived at the sandbox, or a fault of the scenario kept it from arriving. */
  readonly reached: boolean;
  /** Why a connection ended without a request: the first explanation. */
  readonly failedHandshake: string | undefined;
  readonly output: Output;
  /** Why files with JUnit XML could not be used: sentences. */
  readonly testProblems: readonly string[];
  /** What the command did, for the other drills, if it ended well without a fault. */
  readonly reference: Reference | undefined;
}

/** What all drills of an exam have in common. */
export interface ExamSetting extends ManyRuns {
  readonly request: ExamRequest;
  readonly baseline: Baseline;
  /** What the command does without a fault; undefined if it is not known. */
  readonly reference: Reference | undefined;
}

/**
 * Runs the command once, against a sandbox of its own, and judges it.
 * @throws SettingError when the command cannot be started
 */
export async function runDrill(drill: Drill, setting: ExamSetting): Promise<DrillResult> {
  const { request, baseline, reference } = setting;
  const { failOn, ignored } = request.report;
  const run = {
    ...setting,
    name: drill.name,
    scenario: drill.scenario,
    isKept: request.keep !== undefined,
    judging: { reference, isExam: true },
    variables: { SANDBOX_DRILL: drill.name },
    limit: () => ({ signal: AbortSignal.timeout(request.timeout) }),
    keptOutput: request.verbose ? keptOutput.verbose : keptOutput.brief,
  };
  return runOnce(
    run,
    async ({ exitStatus, endedFor, duration, times, output, tally, expected, sandbox, ...result }) => {
      const checks = withoutIgnored(result.checks, ignored);
      const exchanges = result.entries.map(({ item }) => item);
      const failedHandshakes = [...sandbox.journal.handshakes.newestFirst()].map(({ item }) => item);
      const reached = drill.disturbs ? mostReached(exchanges, failedHandshakes) : "nothing";
      const timedOut = endedFor !== undefined && {
        after: request.timeoutText,
        words: time(request.timeout),
        hasWaited: hasWaited(exchanges, heldHandshakes(failedHandshakes, drill), times),
      };
      const judged = judgeDrill(
        {
          ...drill,
          exitStatus,
          timedOut: timedOut || undefined,
          acted: drill.disturbs
            ? tally.acted || reached === "failure"
            : checks.some(({ verdict }) => verdict !== "not-exercised"),
          reached,
          refusedBy: exchanges.map((each) => ownRefusal(each)?.assumption).find((id) => id !== undefined),
          met: needsMet(exchanges),
          requests: tally.counts,
          checks,
          duration,
        },
        failOn,
        baseline,
      );
      const { description, advice } = drill;
      const failed = failedTests(result.tests.results);
      const report = {
        ...judged,
        ...(failed && { tests: failed }),
        ...(expected && { expected }),
        description,
        advice,
        output: toldOf(output.lines.lines),
      };
      const isFailed = report.verdict === "fail" || report.checks.some(({ verdict }) => verdict === "fail");
      if (request.keep !== undefined && isFailed)
        await keepRun(request.keep, drill, sandbox, output, reportOf([report]));
      const isGood = drill.scenario === undefined && exitStatus === 0;
      const own = isGood ? sandbox.exam?.examiner.reference() : undefined;
      return {
        drill,
        report,
        reached: tally.reached,
        failedHandshake: tally.failedHandshake,
        output,
        testProblems: result.tests.problems,
        reference: own,
      };
    },
  );
}
