import { join } from "node:path";
import { displayPath } from "../base/files/display-path.js";
import { shellQuote } from "../base/text/shell.js";
import { startSandbox } from "../library/composition/sandbox.js";
import { located } from "../library/start-located.js";
import { withEvidence } from "../report/evidence.js";
import { failedTests } from "../report/told-tests.js";
import { monotonicNow, systemClock } from "../sandbox/clock.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import type { GivenSettings } from "../sandbox/config/settings.js";
import { AnswerFile } from "./exam/answer-file.js";
import type { ReportFlags } from "./options.js";
import { diversionText, sandboxHosts } from "./proxies.js";
import { type Ending, startCommand, statusOf } from "./run/command.js";
import { JunitFolder } from "./run/junit-folder.js";
import { environmentOf, inTemporaryFolder, ownConfiguration } from "./run/own-sandbox.js";
import { asksForReport, concludeRun, type Judging, prepareReport, reportRequest } from "./run/report.js";
import { SignalRelay } from "./run/signals.js";
import { summaryText, Tally } from "./run/tally.js";

/**
 * `payments-sandbox run -- COMMAND …`: runs a command against its own sandbox, on free ports, with certificates in a
 * temporary folder. It ends as the command ended, or with 1 if the report says so. Standard output belongs to the
 * command; a summary goes to standard error.
 * @throws SettingError for a flag that cannot be used
 */
export async function run(
  flags: GivenSettings,
  command: readonly [string, ...string[]],
  reportFlags: ReportFlags,
): Promise<void> {
  const request = await reportRequest(reportFlags, ["never", "must", "should"]);
  const isJudged = asksForReport(request);
  const relay = new SignalRelay();
  try {
    const ending = await inTemporaryFolder(async (folder) => {
      const configuration = await ownConfiguration(isJudged ? { ...flags, report: "on" } : flags, folder);
      const judging = isJudged ? await prepareReport(request, configuration) : undefined;
      return runAgainst(configuration, folder, command, relay, judging);
    });
    end(ending, relay);
  } finally {
    relay.close();
  }
}

async function runAgainst(
  configuration: Configuration,
  folder: string,
  command: readonly [string, ...string[]],
  relay: SignalRelay,
  judging: Judging | undefined,
): Promise<Ending> {
  const write = (text: string) => process.stderr.write(text);
  const start = () => startSandbox(configuration, { output: { log: write, warn: write }, ownsProcess: true });
  const sandbox = await located(configuration, start);
  try {
    const tally = new Tally(sandbox);
    await sandbox.identities;
    if (relay.received !== undefined) return { kind: "signal", signal: relay.received };
    const answers = await AnswerFile.create(join(folder, "answers.jsonl"));
    const junit = await JunitFolder.create(join(folder, "junit"));
    const env = { ...environmentOf(sandbox, configuration), ...answers.variables, ...junit.variables };
    const begunAt = monotonicNow();
    const since = systemClock.now();
    const { child, ended } = startCommand(command, { env, stdio: "inherit" });
    relay.passTo((signal) => child?.kill(signal));
    const ending = await ended;
    const duration = Math.round(monotonicNow() - begunAt);
    if (ending.kind === "not-started") write(`payments-sandbox: ${ending.reason}\n`);
    else {
      const isCutShort = ending.kind === "signal" || relay.received !== undefined;
      const diversion = diversionText(process.env, sandboxHosts(configuration));
      const unmatched = await sandbox.unmatchedRules();
      write(summaryText(tally, sandbox.seed, { isCutShort, diversion, unmatched }));
    }
    if (judging === undefined) return ending;
    const [observed] = (await sandbox.exam?.report())?.drills ?? [];
    const judged = await answers.judged(observed?.checks ?? [], sandbox, tally);
    const checks = withEvidence(judged, { ...sandbox, since });
    const { results, problems } = await junit.read();
    for (const problem of problems) write(`payments-sandbox: ${problem}\n`);
    const exitStatus = statusOf(ending);
    const told = { checks, tests: failedTests(results), expected: observed?.expected, exitStatus, duration };
    const isFailed = await concludeRun(told, judging);
    return isFailed && exitStatus === 0 ? { kind: "exit", status: 1 } : ending;
  } finally {
    await sandbox.close(0);
    if (sandbox.kept !== undefined) write(keptText(sandbox.kept));
  }
}

function keptText(folder: string): string {
  return `The run is kept: payments-sandbox open ${shellQuote(displayPath(folder))} shows it.\n`;
}

/** Ends as the command did. */
function end(ending: Ending, relay: SignalRelay): void {
  process.exitCode = statusOf(ending);
  // A shell that runs several commands continues after a command that handles Ctrl+C, and stops after one that SIGINT
  // ended.
  if (ending.kind === "signal" && ending.signal === "SIGINT") {
    relay.close();
    process.kill(process.pid, ending.signal);
  }
}
