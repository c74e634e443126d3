import type { Configuration } from "../../config/configuration.js";
import { SettingError } from "../../config/settings.js";
import { type Baseline, staleText } from "../../exam/baseline.js";
import { checkIds, isCheckId } from "../../exam/checks.js";
import {
  countsAsFailure,
  type FailOn,
  failureLevel,
  plainDrill,
  plainReport,
  withoutIgnored,
} from "../../exam/report.js";
import type { Sandbox } from "../../sandbox.js";
import { quote } from "../../text/printable.js";
import { nearest } from "../../yaml/issues.js";
import { readBaseline } from "../exam/baseline-file.js";
import { type ReportFile, reportFiles, writeReportFiles } from "../report/files.js";
import { showsColours, terminalText } from "../report/terminal.js";

/** The flags of `run` that are about the report, as they were given. */
export interface ReportFlags {
  /** The files of the report. The ending of a name is its format. */
  readonly report?: readonly string[] | undefined;
  readonly failOn?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}

/** What the report should do, after the flags have been checked. */
export interface ReportRequest {
  readonly files: readonly ReportFile[];
  readonly failOn: FailOn;
  readonly ignored: ReadonlySet<string>;
  /** The file with the known failures. */
  readonly baseline: string | undefined;
}

const failOnLevels: readonly string[] = ["never", "must", "should"] satisfies FailOn[];

/** @returns undefined if no report is requested. @throws SettingError for a flag that cannot be used */
export async function reportRequest(flags: ReportFlags): Promise<ReportRequest | undefined> {
  const { report: files = [], failOn = "never", ignore = [], baseline } = flags;
  if (!failOnLevels.includes(failOn))
    throw new SettingError(`--fail-on is ${quote(failOn)}; give one of ${failOnLevels.join(", ")}.`);
  const ignored = ignore.flatMap((text) => text.split(",")).filter((id) => id !== "");
  for (const id of ignored) if (!isCheckId(id)) throw new SettingError(unknownCheck(id));
  const found = await reportFiles(files);
  if (files.length === 0 && failOn === "never" && baseline === undefined) {
    if (ignored.length > 0)
      throw new SettingError("--ignore needs --report or --fail-on: nothing is judged without them.");
    return undefined;
  }
  return { files: found, failOn: failOn as FailOn, ignored: new Set(ignored), baseline };
}

function unknownCheck(id: string): string {
  const [near] = nearest(id, checkIds);
  const hint = near === undefined ? `there are ${checkIds.join(", ")}` : `did you mean ${near}?`;
  return `--ignore names ${quote(id)}, which is not a check; ${hint}${near === undefined ? "." : ""}`;
}

/** The report on one run of a command. */
export class RunReport {
  readonly #request: ReportRequest;
  readonly #baseline: Baseline;

  private constructor(request: ReportRequest, baseline: Baseline) {
    this.#request = request;
    this.#baseline = baseline;
  }

  /** @returns undefined if no report is requested. @throws FileError for a baseline that cannot be used */
  static async open(request: ReportRequest | undefined, configuration: Configuration): Promise<RunReport | undefined> {
    return request && new RunReport(request, await readBaseline(request.baseline, configuration));
  }

  /**
   * Judges all clients of a sandbox, after its command ended with this exit status. The result is shown on standard error, and written to
   * the files.
   * @returns whether it fails the command
   */
  async conclude({ exam }: Pick<Sandbox, "exam">, exitStatus: number): Promise<boolean> {
    const { failOn, ignored, files } = this.#request;
    const all = (await exam?.report())?.drills[0]?.checks ?? [];
    const checks = withoutIgnored(all, ignored).map((check) => this.#baseline.marked(plainDrill, check));
    const report = plainReport(checks, { outcome: { expected: "any", exitStatus, verdict: "pass" }, failOn });
    const { stale } = this.#baseline.review(report.drills);
    const text = terminalText(report, { level: failureLevel(failOn), coloured: showsColours(process.stderr) });
    process.stderr.write([text, ...stale.map((entry) => `${staleText(entry)}\n`)].join(""));
    await writeReportFiles(report, files, failOn);
    return checks.some((check) => countsAsFailure(check, failOn)) || (stale.length > 0 && failOn !== "never");
  }
}
