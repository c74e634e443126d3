import { once } from "../../base/once.js";
import { largest } from "../../exam/known/reference.js";
import type { CheckResult } from "../../exam/report.js";
import { References } from "../../explore/lost.js";
import { commonPoints, type Points, pointsIn, type ReachedPoint } from "../../explore/points.js";
import { requestsIn, type SeenRequest } from "../../explore/seen.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import { toldOf } from "../../report/told-output.js";
import { passedInAll } from "../../report/told-tests.js";
import { parseScenario } from "../../sandbox/scenarios/parse.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import { diversionText, sandboxHosts } from "../proxies.js";
import type { RunTests } from "../run/junit-folder.js";
import { type OneRun, runOnce } from "../run/one-run.js";
import { ActivityLimit } from "./activity.js";
import { errorsOf, keptOutput, type ReferenceSetting, type Usual } from "./cell.js";
import { measure } from "./load.js";

/** How many runs without a fault there are, at the same time: so many cells run at the same time, too. */
const referenceRuns = 2;

/** A run without a fault. */
interface ReferenceRun {
  readonly exitStatus: number;
  readonly wasEnded: boolean;
  readonly duration: number;
  readonly output: readonly string[];
  /** In milliseconds. */
  readonly longestSilence: number;
  readonly reached: boolean;
  /** Why a connection ended without a request: the first explanation. */
  readonly failedHandshake: string | undefined;
  readonly points: readonly ReachedPoint[];
  readonly requests: readonly SeenRequest[];
  /** Errors on the answer sheet, by operation. */
  readonly errors: ReadonlyMap<string, number>;
  readonly counts: Usual["counts"];
  readonly failed: readonly CheckResult[];
  readonly tests: RunTests;
}

/** The command without a fault. */
export interface ReferenceResult {
  readonly usual: Usual;
  readonly points: Points;
  /** Of the longer run, in milliseconds. */
  readonly duration: number;
  /** How much of a core one run takes, with its sandbox, in milliseconds. */
  readonly work: number;
  /** How many there were. */
  readonly runs: number;
  /** How many of them ran at the same time. */
  readonly atOnce: number;
  /** Whether runs at the same time failed, and those alone ended with 0: then the cells run one at a time. */
  readonly isAlone: boolean;
}

/** Why nothing can be explored: sentences, and the last lines of the command. */
export class ReferenceProblem extends Error {
  constructor(
    message: string,
    readonly output: readonly string[],
  ) {
    super(`${message} ${output.length === 0 ? "It printed nothing." : "Its last lines:"}`);
  }
}

/**
 * Runs the command twice without a fault, both at the same time unless cells run one at a time; if that fails, one after
 * the other.
 * @param jobs how many cells may run at the same time
 * @throws ReferenceProblem if the command fails, or never reaches the sandbox
 */
export async function runReferences(setting: ReferenceSetting, jobs: number): Promise<ReferenceResult> {
  const names = Array.from({ length: referenceRuns }, (_, index) => `reference-${index + 1}`);
  const before = measure();
  const begun = jobs === 1 ? await inTurn(setting, names) : await atTheSameTime(setting, names);
  const isAlone = jobs > 1 && !begun.every(passed);
  const runs = isAlone ? await inTurn(setting, ["reference-alone-1", "reference-alone-2"]) : begun;
  const [first] = runs as [ReferenceRun];
  const diversion = diversionText(process.env, sandboxHosts(setting.configuration));
  if (!runs.every(passed)) throw failing(begun.find((run) => !passed(run)) ?? first, diversion);
  const work = (measure().busy - before.busy) / (isAlone ? begun.length + runs.length : runs.length);
  if (!runs.every(({ reached }) => reached)) throw unreached(first, diversion);
  const references = new References(runs.map(({ requests }) => requests));
  let known = references;
  const slower = once(async () => {
    const more = await slowerReference(setting, runs);
    known = more ?? known;
    return more;
  });
  return {
    usual: {
      counts: largest(runs.map(({ counts }) => counts)),
      references,
      slower,
      unstable: () => known.unstable,
      errors: runs.map(({ errors }) => errors),
      longestSilence: Math.max(...runs.map(({ longestSilence }) => longestSilence)),
      passedTests: passedInAll(runs.map(({ tests }) => tests.results)),
      testProblems: [...new Set(runs.flatMap(({ tests }) => tests.problems))],
      usualFailures: new Set(runs.flatMap(({ failed }) => failed.map(({ id }) => id))),
    },
    points: commonPoints(runs.map(({ points }) => points)),
    duration: Math.max(...runs.map(({ duration }) => duration)),
    work,
    runs: runs.length,
    atOnce: isAlone || jobs === 1 ? 1 : runs.length,
    isAlone,
  };
}

function atTheSameTime(setting: ReferenceSetting, names: readonly string[]): Promise<readonly ReferenceRun[]> {
  return Promise.all(names.map((name) => runReference(setting, name)));
}

/** Until one fails. */
async function inTurn(setting: ReferenceSetting, names: readonly string[]): Promise<readonly ReferenceRun[]> {
  const runs: ReferenceRun[] = [];
  for (const name of names) {
    if (!runs.every(passed)) break;
    runs.push(await runReference(setting, name));
  }
  return runs;
}

/** All runs without a fault take so much longer in a slower one, in milliseconds, but each answer at most this much. */
const slower = { inAll: 20_000, each: 300 };

/**
 * The same command with slow answers: how often a suite polls, or a client hedges, depends on time. If it fails, because
 * the rule was in the place of the command's own, it is run once more as it is.
 * @returns undefined if it fails again
 */
async function slowerReference(
  setting: ReferenceSetting,
  runs: readonly ReferenceRun[],
): Promise<References | undefined> {
  const most = Math.max(...runs.map(({ requests }) => requests.length));
  const delay = Math.min(slower.each, Math.round(slower.inAll / most));
  const yaml = `description: Every answer is slow.\nrules: [{ share: all, then: { delay: ${delay}ms } }]`;
  const slow = await runReference(setting, "reference-slow", await parseScenario(yaml, "explore:slow", "slow.yaml"));
  const third = passed(slow) ? slow : await runReference(setting, "reference-3");
  return passed(third) ? new References([...runs, third].map(({ requests }) => requests)) : undefined;
}

function passed({ exitStatus, wasEnded }: ReferenceRun): boolean {
  return exitStatus === 0 && !wasEnded;
}

async function runReference(setting: ReferenceSetting, name: string, layer?: Scenario): Promise<ReferenceRun> {
  let limit: ActivityLimit | undefined;
  const run: OneRun = {
    ...setting,
    name,
    layer,
    judging: { isExam: true },
    limit(sandbox: Sandbox) {
      limit = new ActivityLimit(sandbox, setting);
      return limit;
    },
    keptOutput,
  };
  return runOnce(
    run,
    async ({ exitStatus, endedFor, duration, output, tally, entries, checks, answers, tests, sandbox }) => {
      const sheet = await answers.read(sandbox);
      return {
        exitStatus,
        wasEnded: endedFor !== undefined,
        duration,
        output: toldOf(output.lines.lines, 20),
        longestSilence: limit?.longestSilence ?? 0,
        reached: tally.reached,
        failedHandshake: tally.failedHandshake,
        points: pointsIn(entries),
        requests: requestsIn(entries, sandbox.lists),
        errors: errorsOf(sheet),
        counts: sandbox.exam?.examiner.reference() ?? largest([]),
        tests,
        failed: checks.filter(({ verdict }) => verdict === "fail"),
      };
    },
  );
}

function failing(run: ReferenceRun, diversion: string): ReferenceProblem {
  const { exitStatus, wasEnded, output } = run;
  const how = wasEnded ? "was still running, and sent nothing more" : `ended with exit status ${exitStatus}`;
  return new ReferenceProblem(
    `Without a fault, the command ${how}. Nothing is explored: a fault would show nothing.${hasConnected(run) ? "" : ` Nothing reached the sandbox.${diversion}`}`,
    output,
  );
}

/** Whether anything of it arrived: a request, or a handshake that failed. */
function hasConnected({ reached, failedHandshake }: ReferenceRun): boolean {
  return reached || failedHandshake !== undefined;
}

function unreached(run: ReferenceRun, diversion: string): ReferenceProblem {
  const { output, failedHandshake } = run;
  const why = failedHandshake === undefined ? "" : ` ${failedHandshake}`;
  return new ReferenceProblem(
    `The command ended with 0, and never sent a request to the sandbox.${why} It must take the address from the variable SANDBOX_URL, and the files of its certificate from SANDBOX_CA_FILE, SANDBOX_CERT_FILE and SANDBOX_KEY_FILE; in Node.js, connectSandbox() does that. A suite that starts a sandbox of its own cannot be explored.${hasConnected(run) ? "" : diversion}`,
    output,
  );
}
