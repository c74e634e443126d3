import { roughly } from "../base/text/duration.js";
import { counted } from "../base/text/numbers.js";
import { quote } from "../base/text/printable.js";
import type { Level } from "../exam/finding.js";
import { failureLevel } from "../exam/report.js";
import { reviewKnown, staleCellText, undecidedCellText, withKnown } from "../explore/baseline.js";
import { exploreFaults, faultsAt } from "../explore/faults.js";
import { formatExplore } from "../explore/formats/format.js";
import { terminalText } from "../explore/formats/terminal.js";
import { chosenCells, estimate, fitting } from "../explore/plan.js";
import { repeatLine } from "../explore/repeat.js";
import { type Cell, cellName, type ExploreReport, exploreReport, failsAt, weightOf } from "../explore/report.js";
import { openCertificates } from "../library/composition/certificates.js";
import { monotonicNow, systemClock } from "../sandbox/clock.js";
import { type GivenSettings, SettingError } from "../sandbox/config/settings.js";
import { readBaseline } from "./exam/baseline-file.js";
import { openKept } from "./exam/keep.js";
import type { ExploreSetting, PlannedRun } from "./explore/cell.js";
import { type OwnFault, ownFaults } from "./explore/own-faults.js";
import { ReferenceProblem, type ReferenceResult, referenceRuns, runReferences } from "./explore/reference.js";
import { type ExploreFlags, type ExploreRequest, exploreRequest } from "./explore/request.js";
import { runCells } from "./explore/run-cells.js";
import { writeReportFiles } from "./report/files.js";
import { Progress } from "./report/progress.js";
import { showsColours } from "./report/terminal.js";
import { statusOf } from "./run/command.js";
import { configurationOfRuns, inTemporaryFolder, usualSeed } from "./run/own-sandbox.js";
import { RunningCommands } from "./run/running-commands.js";
import { SignalRelay } from "./run/signals.js";

/** Width of the report, where the terminal does not say its own. */
const columns = 80;

/** A reference that fails is wrong usage: nothing can be explored. */
const wrongUsage = 2;

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
  const relay = new SignalRelay(false);
  const commands = new RunningCommands();
  // For an unexpected end of the process: the commands end before their folder is removed.
  const killCommands = () => commands.killAll();
  process.once("exit", killCommands);
  try {
    await inTemporaryFolder(async (folder) => {
      const configuration = await configurationOfRuns(flags, folder);
      await (await openCertificates(configuration, systemClock)).complete;
      await exploreIn({ configuration, command, folder, commands, timeout: request.timeout }, request, relay);
    });
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error;
    // The user has ended it: that is no problem of the command.
    if (relay.received !== undefined) {
      process.exitCode = statusOf({ kind: "signal", signal: relay.received });
      return;
    }
    const lines = error.output.map((line) => `    ${line}`);
    process.stderr.write(`${[`payments-sandbox: ${error.message}`, ...lines].join("\n")}\n`);
    process.exitCode = wrongUsage;
  } finally {
    process.off("exit", killCommands);
    relay.close();
  }
}

type Setting = Omit<ExploreSetting, "references" | "repeat">;

async function exploreIn(setting: Setting, request: ExploreRequest, relay: SignalRelay): Promise<void> {
  const begunAt = monotonicNow();
  const { failOn, files } = request.report;
  const level = failureLevel(failOn);
  relay.passTo((signal) => setting.commands.endAll(signal));
  // It may have arrived while the certificates were made.
  if (relay.received !== undefined) setting.commands.endAll(relay.received);
  // What cannot be used is told before the command runs.
  const own = await ownFaults(request.faults);
  const baseline = await readBaseline(
    request.report.baseline,
    setting.configuration,
    [...exploreFaults, ...own.map(({ fault }) => fault)].map(({ name }) => name),
  );
  const reference = await runReferences(setting);
  const jobs = reference.isAlone ? 1 : request.jobs;
  const { all, planned, notes } = planOf(reference, {
    ...request,
    own,
    jobs,
    seed: setting.configuration.seed ?? usualSeed,
  });
  process.stderr.write(`${notes.join("\n")}\n`);
  const repeat = (name: string) => repeatLine(name, { options: request.repeated, command: setting.command });
  const progress = new Progress({ total: planned.length, what: "cell", tellsAll: false, now: monotonicNow });
  const found = await runCells(planned, {
    setting: { ...setting, references: reference.references, repeat },
    jobs,
    deadline: begunAt + (request.maxTime ?? Number.POSITIVE_INFINITY),
    relay,
    watcher: {
      begun: (name) => progress.begun(name),
      over: (cell) => progress.over(endOf(cell, level)),
      clear: () => progress.clear(),
    },
    keep: request.keep,
  });
  const cells = withKnown(found, baseline.cells);
  const done = new Set(cells.map(cellName));
  const review = reviewKnown(cells, baseline.cells);
  const report = exploreReport({
    reference: { runs: reference.isAlone ? 1 : referenceRuns, duration: reference.duration },
    points: reference.points.points.map(({ id, operation, list, requests }) => ({
      id,
      operation,
      ...(list !== undefined && { list }),
      requests,
    })),
    unstable: reference.points.unstable,
    cells,
    notRun: all.filter((name) => !done.has(name)),
    notes: [...notes, ...review.undecided.map(undecidedCellText)],
  });
  showReport(report, request);
  for (const entry of review.stale) process.stderr.write(`payments-sandbox: ${staleCellText(entry)}\n`);
  const fails = failsAt(report, level) || review.stale.length > 0;
  process.exitCode = relay.received ? statusOf({ kind: "signal", signal: relay.received }) : Number(fails);
  await writeReportFiles(files, (ending) => formatExplore(ending, report, level));
}

/** How a cell ended, for the line of progress. */
function endOf(cell: Cell, level: Level) {
  const isFailed = weightOf(cell, level) === "failure";
  return { name: cellName(cell), mark: isFailed ? "✗" : "✓", isFailed, duration: cell.duration, note: cell.verdict };
}

function showReport(report: ExploreReport, { report: { failOn } }: ExploreRequest): void {
  const width = Math.max(40, process.stdout.columns ?? columns);
  const options = { level: failureLevel(failOn), coloured: showsColours(process.stdout), columns: width };
  process.stdout.write(terminalText(report, options));
}

/** What is run, and what is told of it before. */
interface Plan {
  /** The names of all cells that were wanted. */
  readonly all: readonly string[];
  readonly planned: readonly PlannedRun[];
  readonly notes: readonly string[];
}

/** What the plan depends on, besides the references. */
interface Wanted extends Pick<ExploreRequest, "only" | "skip" | "shallow" | "jobs"> {
  readonly own: readonly OwnFault[];
  readonly seed: string;
}

function planOf(
  { points: { points, unstable }, duration }: ReferenceResult,
  { only, skip, shallow, own, seed, jobs }: Wanted,
): Plan {
  const runs = points.flatMap((point) => [
    ...faultsAt(point.role, point.http2).map((fault) => ({ point, fault })),
    ...own.filter(({ isAt }) => isAt(point)).map(({ fault }) => ({ point, fault })),
  ]);
  const byName = new Map(runs.map((run) => [cellName({ point: run.point.id, fault: run.fault.name }), run]));
  for (const pattern of [...only, ...skip])
    if (![...byName.keys()].some((name) => pattern.matches(name)))
      throw new SettingError(
        `${only.includes(pattern) ? "--only" : "--skip"} is ${quote(pattern.source)}, which is no cell of this command. Its points are ${points.map(({ id }) => id).join(", ")}.`,
      );
  const isWanted = (name: string) =>
    (only.length === 0 || only.some((pattern) => pattern.matches(name))) &&
    !skip.some((pattern) => pattern.matches(name));
  // What finds most comes first: the order of the table of faults, whatever the point is.
  const order = [...new Set([...runs.map(({ fault }) => fault.name)])];
  const names = [...byName].map(([name, { point, fault }]) => ({ name, point: point.id, fault: fault.name }));
  const ordered = names.sort((one, other) => order.indexOf(one.fault) - order.indexOf(other.fault));
  const wanted = ordered.filter(({ name }) => isWanted(name));
  const pace = { duration, jobs };
  const most = shallow ?? fitting(wanted.length, pace);
  const chosen = chosenCells(wanted, { isWanted, shallow: most, seed });
  const planned = chosen.map((cell) => byName.get(cellName(cell)) as PlannedRun);
  const time = roughly(estimate(planned.length, pace));
  const left = wanted.length - planned.length;
  return {
    all: wanted.map(({ name }) => name),
    planned,
    notes: [
      `${counted(points.length, "point")} and ${counted(planned.length, "cell")}; about ${time}.`,
      ...(left > 0 && shallow === undefined
        ? [
            `${counted(left, "cell")} would take more than ten minutes in all, and are left out; --shallow ${wanted.length} runs all.`,
          ]
        : []),
      ...(left > 0 && shallow !== undefined ? [`${counted(left, "cell")} were not drawn (--shallow ${shallow}).`] : []),
      ...(unstable.length > 0 ? [`Only one of two runs reached ${unstable.join(", ")}: no cells there.`] : []),
    ],
  };
}
