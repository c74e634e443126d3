import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Examiner } from "../../exam/examiner.js";
import type { CheckResult, ExpectedError } from "../../exam/report.js";
import { type Sandbox, startSandbox } from "../../library/composition/sandbox.js";
import { located } from "../../library/start-located.js";
import { withEvidence } from "../../report/evidence.js";
import { monotonicNow, systemClock } from "../../sandbox/clock.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { Exchange } from "../../sandbox/journal/exchange.js";
import type { JournalEntry } from "../../sandbox/journal/ring-buffer.js";
import type { Scenario } from "../../sandbox/scenarios/scenario.js";
import { AnswerFile } from "../exam/answer-file.js";
import { type Ending, statusOf } from "./command.js";
import { JunitFolder, type RunTests } from "./junit-folder.js";
import type { ManyRuns } from "./many-runs.js";
import { environmentOf } from "./own-sandbox.js";
import { Output } from "./running-commands.js";
import { Tally } from "./tally.js";

/** Keys of tokens and cursors. Every run has its own, so that those of another run are not valid. */
const ownKeys = ["token-signing.key.pem", "cursor.key"];

/** How many requests of a run are looked at. */
const mostEntries = 50_000;

/** Says when a command is ended. The reason of its signal says why. */
interface Limit {
  readonly signal: AbortSignal;
  close?(): void;
}

/** What is run once, in a sandbox of its own. */
export interface OneRun extends ManyRuns {
  /** Of its folders. */
  readonly name: string;
  /** The name of a scenario. */
  readonly scenario?: string | undefined;
  /** A scenario above all others, which nothing that the command does can change. */
  readonly layer?: Scenario | undefined;
  /** Whether the run is kept as it happens, as `start --keep` does. */
  readonly isKept?: boolean;
  readonly judging: Examiner["judging"];
  /** In addition to those of `run`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** When the command is ended. */
  readonly limit: (sandbox: Sandbox) => Limit;
  /** How many characters of the command's output are kept. */
  readonly keptOutput: number;
}

/** How a run ended, and what was seen of it. */
export interface RunResult {
  readonly ending: Ending;
  readonly exitStatus: number;
  /** Why the command was ended, as it was given to the signal; undefined if it ended by itself. */
  readonly endedFor: unknown;
  /** In milliseconds. */
  readonly duration: number;
  /** When it began, in milliseconds since the epoch on the machine's clock. */
  readonly since: number;
  /** When it began, and when it ended or was ended, in milliseconds on the monotonic clock. */
  readonly times: { readonly begunAt: number; readonly endedAt: number };
  readonly output: Output;
  readonly tally: Tally;
  /** What reached the sandbox, oldest first: the command may empty the journal. */
  readonly entries: readonly JournalEntry<Exchange>[];
  readonly checks: readonly CheckResult[];
  readonly expected: readonly ExpectedError[] | undefined;
  readonly answers: AnswerFile;
  readonly tests: RunTests;
  /** Still running. */
  readonly sandbox: Sandbox;
}

/**
 * Runs a command once, against a sandbox of its own.
 * @param judge what is made of the run while its sandbox is still there
 * @throws SettingError when the command cannot be started
 */
export async function runOnce<T>(run: OneRun, judge: (result: RunResult) => Promise<T>): Promise<T> {
  const { configuration, commands } = run;
  const certs = join(run.folder, `run-${run.name}`);
  await cp(configuration.certs ?? "", certs, { recursive: true });
  for (const name of ownKeys) await rm(join(certs, name), { force: true });
  const answers = await AnswerFile.create(join(run.folder, `answers-${run.name}.jsonl`));
  const junit = await JunitFolder.create(join(run.folder, `junit-${run.name}`));
  const output = new Output(run.keptOutput);
  const keep = run.isKept === true ? join(run.folder, `kept-${run.name}`) : undefined;
  const settings = { ...configuration, scenario: run.scenario, certs, hostCerts: certs, keep };
  const surroundings = { output: { log: (text: string) => output.add(text), warn: () => {} }, ownsProcess: true };
  const sandbox = await located(settings, () =>
    startSandbox(settings, { ...surroundings, ...(run.layer && { layer: run.layer }) }),
  );
  try {
    const tally = new Tally(sandbox);
    const entries: JournalEntry<Exchange>[] = [];
    sandbox.journal.requests.subscribe((entry) => {
      if (entries.length < mostEntries) entries.push(entry);
    });
    if (sandbox.exam !== undefined) sandbox.exam.examiner.judging = run.judging;
    await sandbox.identities;
    const env = { ...environmentOf(sandbox, settings), ...answers.variables, ...junit.variables, ...run.variables };
    const begunAt = monotonicNow();
    const since = systemClock.now();
    const limit = run.limit(sandbox);
    const until = limit.signal;
    let cutAt: number | undefined;
    const cut = () => {
      cutAt = monotonicNow();
    };
    until.addEventListener("abort", cut, { once: true });
    const ending = await commands.run(run.command, env, { until, output }).finally(() => limit.close?.());
    until.removeEventListener("abort", cut);
    const overAt = monotonicNow();
    const times = { begunAt, endedAt: cutAt ?? overAt };
    if (ending.kind === "not-started") throw new SettingError(ending.reason);
    const exitStatus = statusOf(ending);
    // The report exists only when all requests have ended and are counted.
    const finished = exitStatus === 0 && !until.aborted && "ended-with-0";
    const [observed] = (await sandbox.exam?.report(undefined, { finished, isCutShort: until.aborted }))?.drills ?? [];
    const requests = new Map(entries.map(({ number, item }) => [String(number), item]));
    const judged = await answers.judged(observed?.checks ?? [], sandbox, tally);
    const checks = withEvidence(judged, { ...sandbox, requests, since });
    const endedFor = until.aborted ? until.reason : undefined;
    const { expected } = observed ?? {};
    const result = {
      ending,
      exitStatus,
      endedFor,
      duration: Math.round(overAt - begunAt),
      since,
      times,
      output,
      tally,
      entries,
      checks,
      expected,
      answers,
      tests: await junit.read(),
      sandbox,
    };
    return await judge(result);
  } finally {
    await sandbox.close(0);
    await rm(certs, { recursive: true, force: true });
    await junit.remove();
  }
}
