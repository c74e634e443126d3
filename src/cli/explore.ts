import { availableParallelism } from "node:os";
import { roughly } from "../base/text/duration.js";
import { counted } from "../base/text/numbers.js";
import { quote } from "../base/text/printable.js";
import { failureLevel } from "../exam/report.js";
import { reviewKnown, staleCellText, undecidedCellText, withKnown } from "../explore/baseline.js";
import { comparedText } from "../explore/compared.js";
import { exploreFaults, faultsAt } from "../explore/faults.js";
import { nameOf, type Plan, type PlannedRun, planOf } from "../explore/plan.js";
import { repeatLine } from "../explore/repeat.js";
import { cellName, exploreReport, failsAt } from "../explore/report.js";
import { exploreSheet } from "../explore/sheet.js";
import { openCertificates } from "../library/composition/certificates.js";
import { showsColours, terminalText } from "../report/terminal.js";
import { monotonicNow, systemClock } from "../sandbox/clock.js";
import { type GivenSettings, SettingError } from "../sandbox/config/settings.js";
import { readBaseline } from "./exam/baseline-file.js";
import { openKept } from "./exam/keep.js";
import type { ReferenceSetting, Usual } from "./explore/cell.js";
import { type Former, formerFindings } from "./explore/former.js";
import { hadRoom, measure, type Sample } from "./explore/load.js";
import { ownFaults } from "./explore/own-faults.js";
import { ReferenceProblem, runReferences } from "./explore/reference.js";
import { type ExploreRequest, exploreRequest } from "./explore/request.js";
import { runCells } from "./explore/run-cells.js";
import { usageStatus } from "./failure.js";
import type { ExploreFlags } from "./options.js";
import { writeReportFiles } from "./report/files.js";
import { Progress } from "./report/progress.js";
import { withCommands } from "./run/many-runs.js";
import { configurationOfRuns, usualSeed } from "./run/own-sandbox.js";
import type { SignalRelay } from "./run/signals.js";

/** Width of the report, where the terminal does not say its own. */
const columns = 80;

/**
 * `payments-sandbox explore -- COMMAND …`: finds the single failures that a command does not survive. It runs the command
 * once for each failure at each point of its conversation, and judges each run. The result goes to standard output,
 * progress to standard error.
 * @throws SettingError or FileError for a flag or a file that cannot be used
 */
export async function explore(
  flags: GivenSettings,
  command: readonly [string, ...string[]],
  exploreFlags: ExploreFlags,
): Promise<void> {
  const request = await exploreRequest(exploreFlags, flags);
  await openKept(request.keep);
  const begun = measure();
  await withCommands(async (folder, commands, relay) => {
    const configuration = await configurationOfRuns(flags, folder);
    await (await openCertificates(configuration, systemClock)).complete;
    const setting = { configuration, command, folder, commands, timeout: request.timeout };
    await exploreIn(setting, request, relay, begun).catch((error) => {
      if (!(error instanceof ReferenceProblem)) throw error;
      // Nothing can be explored. If the user has ended it, that is no problem of the command.
      process.exitCode = relay.status ?? usageStatus;
      if (relay.received !== undefined) return;
      const lines = error.output.map((line) => `    ${line}`);
      process.stderr.write(`${[`payments-sandbox: ${error.message}`, ...lines].join("\n")}\n`);
    });
  });
}

async function exploreIn(
  setting: ReferenceSetting,
  request: ExploreRequest,
  relay: SignalRelay,
  begun: Sample,
): Promise<void> {
  const begunAt = monotonicNow();
  const { failOn, files } = request.report;
  const level = failureLevel(failOn);
  relay.passTo((signal) => setting.commands.endAll(signal));
  // It may have arrived while the certificates were made.
  if (relay.received !== undefined) setting.commands.endAll(relay.received);
  // What cannot be used is told before the command runs.
  const own = await ownFaults(request.faults);
  const former = await formerFindings(request.again);
  const baseline = await readBaseline(request.report.baseline, setting.configuration, [
    ...new Set([...exploreFaults, ...own.map(({ fault }) => fault)].map(({ name }) => name)),
  ]);
  const hasRoom = hadRoom(begun);
  const reference = await runReferences(setting, request.jobs);
  const { points, unstable } = reference.points;
  const { usual } = reference;
  const jobs = reference.isAlone ? 1 : request.jobs;
  const runs = points.flatMap((point) => [
    ...faultsAt(point.role, point.http2).map((fault) => ({ point, fault })),
    ...own.filter(({ isAt }) => isAt(point)).map(({ fault }) => ({ point, fault })),
  ]);
  const plan = planOf(
    runs,
    { ...request, isWanted: wantedBy(request, former, runs), seed: setting.configuration.seed ?? usualSeed },
    {
      duration: reference.duration,
      work: reference.work,
      cores: availableParallelism(),
      jobs: hasRoom ? jobs : reference.atOnce,
    },
  );
  const { planned, left } = plan;
  const notes = [...leftOutText(plan), ...(reference.isAlone ? [aloneText] : [])];
  process.stderr.write(
    [
      `${counted(points.length, "point")} and ${counted(planned.length, "cell")}; about ${roughly(plan.time)}.\n`,
      ...notes.map((text) => `${text}\n`),
      ...(unstable.length > 0 ? [`Only one of two runs reached ${unstable.join(", ")}: no cells there.\n`] : []),
    ].join(""),
  );
  const repeat = (name: string) => repeatLine(name, { options: request.repeated, command: setting.command });
  const progress = new Progress({ total: planned.length, what: "cell", tellsAll: false, now: monotonicNow });
  const found = await runCells(plan, {
    setting: { ...setting, usual: ignoring(usual, request.report.ignored), repeat },
    usual: reference.atOnce,
    jobs,
    deadline: request.maxTime === undefined ? undefined : begunAt + request.maxTime,
    relay,
    progress,
    level,
    keep: request.keep,
  });
  const cells = withKnown(found, baseline.cells);
  const done = new Set(cells.map(cellName));
  const cut = planned.map(nameOf).filter((name) => !done.has(name));
  const review = reviewKnown(cells, baseline.cells);
  const report = exploreReport({
    reference: { runs: reference.runs, duration: reference.duration },
    points: points.map(({ id, operation, list, requests }) => ({
      id,
      operation,
      ...(list !== undefined && { list }),
      requests,
    })),
    unstable,
    cells,
    notRun: [...cut, ...left.map(nameOf)],
    notes: [
      ...notes,
      ...(relay.received === undefined ? [] : [`The user stopped it (${relay.received}).`]),
      ...usualText(usual),
      ...usual.testProblems,
      ...(cut.length > 0 && relay.received === undefined
        ? [`There was no time for ${counted(cut.length, "planned cell")}, from ${cut[0]} on.`]
        : []),
      ...(former === undefined ? [] : [comparedText(quote(former.file), former.findings, cells)]),
      ...(baseline.cells.length === 0
        ? []
        : [comparedText("the baseline", new Set(baseline.cells.map(({ cell }) => cell)), cells)]),
      ...review.undecided.map(undecidedCellText),
    ],
  });
  const sheet = exploreSheet(report, level);
  const width = Math.max(40, process.stdout.columns ?? columns);
  process.stdout.write(terminalText(sheet, { coloured: showsColours(process.stdout), columns: width }));
  for (const entry of review.stale) process.stderr.write(`payments-sandbox: ${staleCellText(entry)}\n`);
  const fails = failsAt(report, level) || review.stale.length > 0;
  process.exitCode = relay.status ?? Number(fails);
  await writeReportFiles(files, report, sheet);
}

/** What is told of a command that cannot run beside itself: it has a fixed port, or a file for a lock. */
const aloneText =
  "Two runs of the command at the same time failed, and one alone passes, so there was one run at a time.";

/** What is told of cells that are left out without being asked. */
function leftOutText({ planned, left, isShortened }: Plan): readonly string[] {
  if (!isShortened) return [];
  const all = planned.length + left.length;
  return [
    `${counted(left.length, "cell")} would take more than ten minutes in all, and are left out; --shallow ${all} runs all.`,
  ];
}

/** What `--ignore` names is judged as little as what fails without a fault. */
function ignoring(usual: Usual, ignored: ReadonlySet<string>): Usual {
  return { ...usual, usualFailures: new Set([...usual.usualFailures, ...ignored]) };
}

/** How many names a note has. */
const mostNamed = 6;

/** What is not judged, because it fails or differs without a fault. */
function usualText({ usualFailures, unstable }: Usual): readonly string[] {
  const named = (names: readonly string[]) =>
    [...names.slice(0, mostNamed), ...(names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : [])].join(
      "; ",
    );
  const differing = unstable();
  return [
    ...(usualFailures.size > 0
      ? [`Not judged, because the command fails it without a fault, too: ${[...usualFailures].join(", ")}.`]
      : []),
    ...(differing.length > 0
      ? [`Got in different numbers without a fault, so that only its absence is counted: ${named(differing)}.`]
      : []),
  ];
}

/**
 * Whether a cell is wanted, by `--only`, `--skip` and `--again`.
 * @throws SettingError for a pattern that no cell has, or a report whose findings are no cells
 */
function wantedBy(
  { only, skip }: ExploreRequest,
  former: Former | undefined,
  runs: readonly PlannedRun[],
): (name: string) => boolean {
  const names = runs.map(nameOf);
  if (former !== undefined && !names.some((name) => former.findings.has(name)))
    throw new SettingError(`--again is ${quote(former.file)}; none of its findings is a cell of this command.`);
  const unknown = [...only, ...skip].find((pattern) => !names.some((name) => pattern.matches(name)));
  if (unknown !== undefined) {
    const flag = only.includes(unknown) ? "--only" : "--skip";
    const points = [...new Set(runs.map(({ point }) => point.id))].join(", ");
    throw new SettingError(
      `${flag} is ${quote(unknown.source)}, which is no cell of this command. Its points are ${points}.`,
    );
  }
  return (name) =>
    (former?.findings.has(name) ?? true) &&
    (only.length === 0 || only.some((pattern) => pattern.matches(name))) &&
    !skip.some((pattern) => pattern.matches(name));
}
