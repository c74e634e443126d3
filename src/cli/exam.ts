import type { Reference } from "../exam/known/reference.js";
import { failureLevel, type Verdict } from "../exam/report.js";
import { examSheet } from "../exam/sheet.js";
import { openCertificates } from "../library/composition/certificates.js";
import { readScenarios } from "../library/read-scenarios.js";
import { showsColours, terminalText } from "../report/terminal.js";
import { monotonicNow, systemClock } from "../sandbox/clock.js";
import type { Configuration } from "../sandbox/config/configuration.js";
import type { GivenSettings } from "../sandbox/config/settings.js";
import { readBaseline } from "./exam/baseline-file.js";
import { conclusionText, examReport, exitStatusOf, neverReached } from "./exam/conclusion.js";
import { chooseDrills, type Drill, plainName } from "./exam/drills.js";
import { openKept } from "./exam/keep.js";
import { DrillQueue } from "./exam/queue.js";
import { examRequest } from "./exam/request.js";
import { type DrillResult, type ExamSetting, runDrill } from "./exam/run-drill.js";
import type { ExamFlags } from "./options.js";
import { diversionText, sandboxHosts } from "./proxies.js";
import { writeReportFiles } from "./report/files.js";
import { outputLines, Progress } from "./report/progress.js";
import { withCommands } from "./run/many-runs.js";
import { configurationOfRuns } from "./run/own-sandbox.js";
import type { SignalRelay } from "./run/signals.js";

/** How a drill ended, in the lines of progress. */
const marks: Readonly<Record<Verdict, string>> = { pass: "✓", fail: "✗", "not-exercised": "-" };

/**
 * `payments-sandbox exam -- COMMAND …`: runs a command once for each drill, each in a sandbox of its own, and judges
 * what it does. The result goes to standard output, progress to standard error.
 * @throws SettingError or FileError for a flag or a file that cannot be used
 */
export async function exam(
  flags: GivenSettings,
  command: readonly [string, ...string[]],
  examFlags: ExamFlags,
): Promise<void> {
  const request = await examRequest(examFlags);
  await openKept(request.keep);
  await withCommands(async (folder, commands, relay) => {
    const configuration = await configurationOfRuns(flags, folder);
    const library = await readScenarios(configuration.scenarios);
    const drills = chooseDrills(library, request.drills);
    const [ownPlain] = chooseDrills(library, [plainName]) as [Drill];
    const plain = drills.find(({ name }) => name === plainName) ?? ownPlain;
    const { drills: baseline } = await readBaseline(request.report.baseline, configuration);
    // All drills begin with these certificates. Making them takes longer than most drills.
    await (await openCertificates(configuration, systemClock)).complete;
    const setting = { configuration, command, request, baseline, folder, commands };
    const results = await runDrills(drills, plain, setting, relay);
    const interrupted = relay.received;
    const report = examReport(results, diversionText(process.env, sandboxHosts(configuration)));
    const review = baseline.review(report.drills);
    const start = startCommand(flags, configuration);
    const conclusion = { results, review, planned: drills.length, interrupted, start };
    const { failOn, files } = request.report;
    const sheet = examSheet(report, failureLevel(failOn));
    const text = terminalText(sheet, { coloured: showsColours(process.stdout) });
    process.stdout.write(text + conclusionText(conclusion));
    process.exitCode = relay.status ?? exitStatusOf(conclusion);
    await writeReportFiles(files, report, sheet);
  });
}

/** The command that starts a sandbox like those of the drills. */
function startCommand({ config, scenarios }: GivenSettings, { seed }: Configuration): readonly string[] {
  const own = Object.entries({ config, scenarios, seed }).filter(([, value]) => value !== undefined);
  return ["payments-sandbox", "start", ...own.flatMap(([name, value]) => [`--${name}`, String(value)])];
}

/**
 * Runs the drills, several at a time, until all have ended or a signal arrived.
 * @param plain the drill without a scenario, which runs first
 * @returns the completed ones, in the order of the drills
 */
async function runDrills(
  drills: readonly Drill[],
  plain: Drill,
  setting: Omit<ExamSetting, "reference">,
  relay: SignalRelay,
): Promise<readonly DrillResult[]> {
  const { commands, request } = setting;
  let reference: Reference | undefined;
  const progress = new Progress({ total: drills.length, what: "drill", tellsAll: true, now: monotonicNow });
  const queue = new DrillQueue(drills.filter((drill) => drill !== plain));
  const results = new Map<Drill, DrillResult>();
  let ended = false;
  const isOver = () => relay.received !== undefined || ended;
  commands.follow(relay);
  const run = async (drill: Drill) => {
    progress.begun(drill.name);
    const result = await runDrill(drill, { ...setting, reference });
    if (isOver()) return;
    results.set(drill, result);
    const { verdict, duration = 0 } = result.report;
    progress.over(
      {
        name: drill.name,
        mark: marks[verdict],
        isFailed: verdict === "fail",
        duration,
        note: verdict === "not-exercised" ? "not exercised" : undefined,
      },
      request.verbose ? outputLines(result.output) : [],
    );
  };
  const work = async (prefersWaiting: boolean) => {
    while (!isOver()) {
      const drill = queue.next(prefersWaiting);
      if (drill === undefined) return;
      await run(drill);
    }
  };
  // What the command does without a fault is known first: the others are compared with it.
  if (drills.includes(plain)) {
    await run(plain);
    const first = results.get(plain);
    reference = first?.reference;
    // A command that does not find the sandbox without any fault is not run seventy times.
    if (first !== undefined && neverReached([first])) ended = true;
  } else reference = (await runDrill(plain, { ...setting, reference })).reference;
  const workers = Array.from({ length: Math.min(request.jobs, drills.length) }, (_, at) =>
    work(at % 2 === 1).catch((error) => {
      ended = true;
      commands.endAll("SIGTERM");
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  progress.clear();
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return drills.map((drill) => results.get(drill)).filter((result) => result !== undefined);
}
