import { nearest } from "../../base/text/nearest.js";
import { quote } from "../../base/text/printable.js";
import { type Baseline, staleText } from "../../exam/baseline.js";
import { checkIds, isCheckId } from "../../exam/checks.js";
import {
  countsAsFailure,
  type DrillReport,
  type FailOn,
  failureLevel,
  plainDrill,
  plainReport,
  withoutIgnored,
} from "../../exam/report.js";
import { examSheet } from "../../exam/sheet.js";
import { showsColours, terminalText } from "../../report/terminal.js";
import type { Configuration } from "../../sandbox/config/configuration.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { readBaseline } from "../exam/baseline-file.js";
import type { ReportFlags } from "../options.js";
import { type ReportFile, reportFiles, writeReportFiles } from "../report/files.js";
import { wordsOf } from "./flag-values.js";

/** What the report should do, after the flags have been checked. */
export interface ReportRequest {
  readonly files: readonly ReportFile[];
  readonly failOn: FailOn;
  readonly ignored: ReadonlySet<string>;
  /** The file with the known failures. */
  readonly baseline: string | undefined;
}

/**
 * @param levels of `--fail-on`; the first is the default.
 * @throws SettingError for a flag that cannot be used
 */
export async function reportRequest(
  flags: ReportFlags,
  levels: readonly [FailOn, ...FailOn[]],
): Promise<ReportRequest> {
  const { report: files = [], failOn: level = levels[0], ignore = [], baseline } = flags;
  const failOn = levels.find((each) => each === level);
  if (failOn === undefined) throw new SettingError(`--fail-on is ${quote(level)}; give one of ${levels.join(", ")}.`);
  const ignored = wordsOf(ignore);
  for (const id of ignored) if (!isCheckId(id)) throw new SettingError(unknownCheck(id));
  return {
    files: await reportFiles(files),
    failOn,
    ignored: new Set(ignored),
    baseline,
  };
}

/**
 * Whether anything is to be judged.
 * @throws SettingError where something is ignored, and nothing is judged
 */
export function asksForReport({ files, failOn, ignored, baseline }: ReportRequest): boolean {
  if (files.length > 0 || failOn !== "never" || baseline !== undefined) return true;
  if (ignored.size > 0) throw new SettingError("--ignore needs --report or --fail-on: nothing is judged without them.");
  return false;
}

function unknownCheck(id: string): string {
  const [near] = nearest(id, checkIds);
  const hint = near === undefined ? `there are ${checkIds.join(", ")}.` : `did you mean ${near}?`;
  return `--ignore names ${quote(id)}, which is not a check; ${hint}`;
}

/** What is requested, and the failures that are known. */
export interface Judging extends ReportRequest {
  readonly known: Baseline;
}

/** @throws FileError for a baseline that cannot be used */
export async function prepareReport(request: ReportRequest, configuration: Configuration): Promise<Judging> {
  return { ...request, known: (await readBaseline(request.baseline, configuration)).drills };
}

/** What a report on one run of a command says. */
interface OneRunResults extends Pick<DrillReport, "checks" | "expected" | "tests"> {
  readonly exitStatus: number;
  /** How long the command ran, in milliseconds. */
  readonly duration: number;
}

/**
 * Reports on all clients of a sandbox, after its command ended. The report is shown on standard error, and written to
 * the files.
 * @returns whether it fails the command
 */
export async function concludeRun(
  { checks: all, exitStatus, ...results }: OneRunResults,
  { failOn, ignored, files, known }: Judging,
): Promise<boolean> {
  const checks = withoutIgnored(all, ignored).map((check) => known.marked(plainDrill, check));
  const outcome = { expected: "any", exitStatus, verdict: "pass" } as const;
  const report = plainReport(checks, { ...results, outcome, failOn });
  const { stale } = known.review(report.drills);
  const sheet = examSheet(report, failureLevel(failOn));
  const text = terminalText(sheet, { coloured: showsColours(process.stderr) });
  process.stderr.write([text, ...stale.map((entry) => `${staleText(entry)}\n`)].join(""));
  await writeReportFiles(files, report, sheet);
  return checks.some((check) => countsAsFailure(check, failOn)) || (stale.length > 0 && failOn !== "never");
}
