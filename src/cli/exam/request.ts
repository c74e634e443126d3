import { availableParallelism } from "node:os";
import { durationForm, parseDuration } from "../../base/text/duration.js";
import { quote } from "../../base/text/printable.js";
import { SettingError } from "../../sandbox/config/settings.js";
import type { ExamFlags } from "../options.js";
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

const longestTimeout = 2 ** 31 - 1;

/** @throws SettingError for a flag that cannot be used */
export async function examRequest(flags: ExamFlags): Promise<ExamRequest> {
  const { drill = [], jobs, timeout = "60s", verbose = false, keep, scenario } = flags;
  if (scenario !== undefined)
    throw new SettingError("--scenario cannot be used here: each drill has its own; --drill chooses drills.");
  const report = await reportRequest(flags, ["must", "should"]);
  return {
    drills: drill.flatMap(drillsIn),
    jobs: jobs === undefined ? availableParallelism() + furtherJobs : jobsIn(jobs),
    timeout: timeoutIn(timeout),
    timeoutText: timeout,
    verbose,
    keep,
    report,
  };
}

function drillsIn(text: string): readonly string[] {
  const names = text.split(",").filter((name) => name !== "");
  if (names.length === 0) throw new SettingError(`--drill is ${quote(text)}; give the name of a drill.`);
  return names;
}

function jobsIn(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new SettingError(`--jobs is ${quote(text)}; give a whole number from 1 to 9999.`);
}

function timeoutIn(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined || milliseconds <= 0 || milliseconds > longestTimeout)
    throw new SettingError(`--timeout is ${quote(text)}; give ${durationForm}, more than 0 and at most 24d.`);
  return milliseconds;
}
