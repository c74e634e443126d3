import { availableParallelism } from "node:os";
import { quote } from "../../base/text/printable.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { ExamFlags } from "../options.js";
import { timeOf, wholeNumberOf, wordsOf } from "../run/flag-values.js";
import { type ReportRequest, reportRequest } from "../run/report.js";

/** What an exam should do, after the flags have been checked. */
export interface ExamRequest {
  readonly drills: readonly string[];
  readonly jobs: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** As it was given. */
  readonly timeoutText: string;
  readonly verbose: boolean;
  /** The folder for the journals of drills that failed. */
  readonly keep: string | undefined;
  readonly report: ReportRequest;
}

/** How many drills run at a time in addition to one for each core: a command waits as often as it works. */
const furtherJobs = 4;

/** @throws SettingError for a flag that cannot be used */
export async function examRequest(flags: ExamFlags): Promise<ExamRequest> {
  const { drill = [], jobs, timeout = "60s", verbose = false, keep, scenario } = flags;
  if (scenario !== undefined)
    throw new SettingError("--scenario cannot be used here: each drill has its own; --drill chooses drills.");
  const report = await reportRequest(flags, ["must", "should"]);
  return {
    drills: drill.flatMap(drillsIn),
    jobs: jobs === undefined ? availableParallelism() + furtherJobs : wholeNumberOf("--jobs", jobs),
    timeout: timeOf("--timeout", timeout),
    timeoutText: timeout,
    verbose,
    keep,
    report,
  };
}

function drillsIn(text: string): readonly string[] {
  const names = wordsOf([text]);
  if (names.length === 0) throw new SettingError(`--drill is ${quote(text)}; give the name of a drill.`);
  return names;
}
