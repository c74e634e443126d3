import { largest } from "../../exam/known/reference.js";
import type { CheckResult } from "../../exam/report.js";
import { type Deliveries, deliveriesIn } from "../../explore/deliveries.js";
import { commonPoints, type Points, pointsIn, type ReachedPoint } from "../../explore/points.js";
import type { Sandbox } from "../../library/composition/sandbox.js";
import { diversionText, sandboxHosts } from "../proxies.js";
import { type OneRun, runOnce } from "../run/one-run.js";
import { ActivityLimit } from "./activity.js";
import { type ExploreSetting, keptOutput, type References } from "./cell.js";

/** How many runs without a fault there are, at the same time: the cells share the machine as well. */
export const referenceRuns = 2;

/** A run without a fault. */
interface ReferenceRun {
  readonly exitStatus: number;
  readonly wasEnded: boolean;
  readonly duration: number;
  readonly output: readonly string[];
  /** In milliseconds. */
  readonly longestSilence: number;
  readonly reached: boolean;
  /** Why connections ended without a request: the first explanation of each kind. */
  readonly handshakes: readonly string[];
  readonly points: readonly ReachedPoint[];
  readonly deliveries: Deliveries;
  readonly counts: References["counts"];
  readonly failed: readonly CheckResult[];
}

/** The command without a fault. */
export interface ReferenceResult {
  readonly references: References;
  readonly points: Points;
  /** Of the longer run, in milliseconds. */
  readonly duration: number;
  /** Whether only a run alone ended with 0: then the cells run one at a time. */
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

type Setting = Omit<ExploreSetting, "references" | "repeat">;

/**
 * Runs the command twice without a fault, both at the same time; once more, alone, if they fail.
 * @throws ReferenceProblem if the command fails, or never reaches the sandbox
 */
export async function runReferences(setting: Setting): Promise<ReferenceResult> {
  const names = Array.from({ length: referenceRuns }, (_, index) => `reference-${index + 1}`);
  const both = await Promise.all(names.map((name) => runReference(setting, name)));
  const isGood = both.every(passed);
  const runs = isGood ? both : [await runReference(setting, "reference-alone")];
  const [first] = runs as [ReferenceRun];
  const diversion = diversionText(process.env, sandboxHosts(setting.configuration));
  if (!runs.every(passed)) throw failing(both.find((run) => !passed(run)) ?? first, diversion);
  if (!runs.every(({ reached }) => reached)) throw unreached(first, diversion);
  return {
    references: {
      counts: largest(runs.map(({ counts }) => counts)),
      deliveries: runs.map(({ deliveries }) => deliveries),
      longestSilence: Math.max(...runs.map(({ longestSilence }) => longestSilence)),
      usualFailures: new Set(runs.flatMap(({ failed }) => failed.map(({ id }) => id))),
    },
    points: commonPoints(runs.map(({ points }) => points)),
    duration: Math.max(...runs.map(({ duration }) => duration)),
    isAlone: !isGood,
  };
}

function passed({ exitStatus, wasEnded }: ReferenceRun): boolean {
  return exitStatus === 0 && !wasEnded;
}

async function runReference(setting: Setting, name: string): Promise<ReferenceRun> {
  let limit: ActivityLimit | undefined;
  const run: OneRun = {
    ...setting,
    name,
    judging: { isExam: true },
    limit(sandbox: Sandbox) {
      limit = new ActivityLimit(sandbox, setting);
      return limit;
    },
    keptOutput,
  };
  return runOnce(run, async ({ exitStatus, endedFor, duration, output, tally, entries, checks, sandbox }) => {
    return {
      exitStatus,
      wasEnded: endedFor !== undefined,
      duration,
      output: output.lines.lines.slice(-20),
      longestSilence: limit?.longestSilence ?? 0,
      reached: tally.reached,
      handshakes: [...tally.handshakes.values()].map(({ explanation }) => explanation),
      points: pointsIn(entries),
      deliveries: deliveriesIn(entries, sandbox.lists),
      counts: sandbox.exam?.examiner.reference() ?? largest([]),
      failed: checks.filter(({ verdict }) => verdict === "fail"),
    };
  });
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
function hasConnected({ reached, handshakes }: ReferenceRun): boolean {
  return reached || handshakes.length > 0;
}

function unreached(run: ReferenceRun, diversion: string): ReferenceProblem {
  const {
    output,
    handshakes: [explanation],
  } = run;
  const why = explanation === undefined ? "" : ` ${explanation}`;
  return new ReferenceProblem(
    `The command ended with 0, and never sent a request to the sandbox.${why} It must take the address from the variable SANDBOX_URL, and the files of its certificate from SANDBOX_CA_FILE, SANDBOX_CERT_FILE and SANDBOX_KEY_FILE; in Node.js, connectSandbox() does that. A suite that starts a sandbox of its own cannot be explored.${hasConnected(run) ? "" : diversion}`,
    output,
  );
}
