import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Baseline } from "../../exam/baseline.js";
import { judgeDrill } from "../../exam/drill.js";
import type { Reference } from "../../exam/known/reference.js";
import { type DrillReport, withoutIgnored } from "../../exam/report.js";
import { startSandbox } from "../../library/composition/sandbox.js";
import { located } from "../../library/composition/start-located.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { statusOf } from "../run/command.js";
import { variablesOf } from "../run/own-sandbox.js";
import { Output, type RunningCommands } from "../run/running-commands.js";
import { Tally } from "../run/tally.js";
import { AnswerFile } from "./answer-file.js";
import type { Drill } from "./drills.js";
import { keepDrill } from "./keep.js";
import type { ExamRequest } from "./request.js";
import { needsMet } from "./sent.js";

/** Keys of tokens and cursors. Every drill has its own, so that those of another drill are not valid. */
const ownKeys = ["token-signing.key.pem", "cursor.key"];

/** How many characters of a command's output are kept: for its last lines, or for all of it. */
const keptOutput = { brief: 16_384, verbose: 1_048_576 } as const;

/** A drill that has ended. */
export interface DrillResult {
  readonly drill: Drill;
  readonly report: DrillReport;
  /** Whether a request arrived at the sandbox, or a fault of the scenario kept it from arriving. */
  readonly reached: boolean;
  /** Why connections ended without a request: the first explanation of each kind. */
  readonly handshakes: readonly string[];
  readonly output: Output;
  /** What the command did, for the other drills, if it ended well without a fault. */
  readonly reference: Reference | undefined;
}

/** What all drills of an exam have in common. */
export interface ExamSetting {
  /** The configuration of the sandbox, except the scenario. Each drill gets a copy of its certificates. */
  readonly configuration: Configuration;
  readonly command: readonly [string, ...string[]];
  readonly request: ExamRequest;
  readonly baseline: Baseline;
  /** What the command does without a fault; undefined if it is not known. */
  readonly reference: Reference | undefined;
  /** The folder with the folders of the drills. */
  readonly folder: string;
  readonly commands: RunningCommands;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/**
 * Runs the command once, against a sandbox of its own, and judges it.
 * @throws SettingError when the command cannot be started
 */
export async function runDrill(drill: Drill, setting: ExamSetting): Promise<DrillResult> {
  const { configuration, command, request, baseline, commands, now } = setting;
  const { failOn, ignored } = request.report;
  const certs = join(setting.folder, `drill-${drill.name}`);
  await cp(configuration.certs ?? "", certs, { recursive: true });
  for (const name of ownKeys) await rm(join(certs, name), { force: true });
  const answers = await AnswerFile.create(join(setting.folder, `answers-${drill.name}.jsonl`));
  const output = new Output(request.verbose ? keptOutput.verbose : keptOutput.brief);
  const settings = { ...configuration, scenario: drill.scenario, certs, hostCerts: certs };
  const start = () =>
    startSandbox(settings, { output: { log: (text) => output.add(text), warn: () => {} }, ownsProcess: true });
  const sandbox = await located(settings, start);
  try {
    const tally = new Tally(sandbox);
    const examiner = sandbox.exam?.examiner;
    if (examiner !== undefined) examiner.judging = { reference: setting.reference, isExam: true };
    await sandbox.identities;
    const own = { ...variablesOf(sandbox, certs), ...answers.variables, SANDBOX_DRILL: drill.name };
    const env = { ...process.env, ...own };
    const begunAt = now();
    const { ending, timedOut } = await commands.run(command, env, { timeout: request.timeout, output });
    const duration = Math.round(now() - begunAt);
    if (ending.kind === "not-started") throw new SettingError(ending.reason);
    // The report exists only when all requests have ended and are counted.
    const finished = statusOf(ending) === 0 && "ended-with-0";
    const [observed] = (await sandbox.exam?.report(undefined, { finished }))?.drills ?? [];
    const all = await answers.judged(observed?.checks ?? [], sandbox, tally);
    const checks = withoutIgnored(all, ignored);
    const judged = judgeDrill(
      {
        ...drill,
        exitStatus: statusOf(ending),
        timedOutAfter: timedOut ? request.timeoutText : undefined,
        acted: drill.disturbs ? tally.acted : checks.some(({ verdict }) => verdict !== "not-exercised"),
        met: needsMet([...sandbox.journal.requests.newestFirst()].map(({ item }) => item)),
        requests: tally.counts,
        checks,
        duration,
      },
      failOn,
      baseline,
    );
    const report = { ...judged, ...(observed?.expected && { expected: observed.expected }) };
    const isFailed = report.verdict === "fail" || report.checks.some(({ verdict }) => verdict === "fail");
    if (request.keep !== undefined && isFailed) await keepDrill(request.keep, drill, sandbox, output);
    const handshakes = [...tally.handshakes.values()].map(({ explanation }) => explanation);
    const isGood = drill.scenario === undefined && statusOf(ending) === 0;
    const reference = isGood ? examiner?.reference() : undefined;
    return { drill, report, reached: tally.reached, handshakes, output, reference };
  } finally {
    await sandbox.close(0);
    await rm(certs, { recursive: true, force: true });
  }
}
