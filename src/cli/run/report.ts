import { SettingError } from "../../config/settings.js";
import type { Baseline } from "../../exam/baseline.js";
import { checkIds, isCheckId } from "../../exam/checks.js";
import {
  countsAsFailure,
  type FailOn,
  plainDrill,
  plainReport,
  type Report,
  withoutIgnored,
} from "../../exam/report.js";
import type { Sandbox } from "../../sandbox.js";
import { nearest } from "../../yaml/issues.js";
import { type ReportFile, reportFiles } from "../report/files.js";

/** The flags of `run` that are about the report, as they were given. */
export interface ReportFlags {
  /** Where the report goes. The ending of a name says what it is. */
  readonly report?: readonly string[] | undefined;
  readonly failOn?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
}

/** What the report is asked for, once the flags have been checked. */
export interface ReportRequest {
  readonly files: readonly ReportFile[];
  readonly failOn: FailOn;
  readonly ignored: ReadonlySet<string>;
  /** The file of the failures that are known. */
  readonly baseline: string | undefined;
}

const failOnLevels: readonly string[] = ["never", "must", "should"] satisfies FailOn[];

/** @returns undefined where no report is asked for. @throws SettingError for a flag that cannot be used */
export async function reportRequest(flags: ReportFlags): Promise<ReportRequest | undefined> {
  const { report: files = [], failOn = "never", ignore = [], baseline } = flags;
  if (!failOnLevels.includes(failOn))
    throw new SettingError(`--fail-on is ${JSON.stringify(failOn)}; give one of ${failOnLevels.join(", ")}.`);
  const ignored = ignore.flatMap((text) => text.split(",")).filter((id) => id !== "");
  for (const id of ignored) if (!isCheckId(id)) throw new SettingError(unknownCheck(id));
  const found = await reportFiles(files);
  if (files.length === 0 && failOn === "never" && baseline === undefined) return undefined;
  return { files: found, failOn: failOn as FailOn, ignored: new Set(ignored), baseline };
}

function unknownCheck(id: string): string {
  const [near] = nearest(id, checkIds);
  const hint = near === undefined ? `there are ${checkIds.join(", ")}` : `did you mean ${near}?`;
  return `--ignore names ${JSON.stringify(id)}, which is not a check; ${hint}${near === undefined ? "." : ""}`;
}

/** Makes the report on all clients of a sandbox, after its command ended with this exit status. */
export async function reportOnRun(
  { exam }: Pick<Sandbox, "exam">,
  exitStatus: number,
  { failOn, ignored, baseline }: Pick<ReportRequest, "failOn" | "ignored"> & { readonly baseline: Baseline },
): Promise<Report> {
  const checks = ((await exam?.report())?.drills[0]?.checks ?? []).map((check) => baseline.marked(plainDrill, check));
  const outcome = { expected: "any", exitStatus, verdict: "pass" } as const;
  return plainReport(withoutIgnored(checks, ignored), { outcome, failOn });
}

/** Whether something failed at the level that fails the command. */
export function isFailed({ drills }: Report, { failOn }: Pick<ReportRequest, "failOn">): boolean {
  return drills.some(({ checks }) => checks.some((check) => countsAsFailure(check, failOn)));
}
