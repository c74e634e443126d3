import { counted } from "../../base/text/numbers.js";
import type { Report, ReportSummary, Verdict } from "../report.js";

/** A report in one sentence. The drills decide whether the client failed, at the level of the report. */
export function verdictText({ drills, summary }: Report): string {
  if (drills.some(({ verdict }) => verdict === "fail")) return "The client failed.";
  return summary.pass + summary.fail + summary.warn === 0
    ? "No check was exercised."
    : "The client passed what was exercised.";
}

/** `2 passed, 1 failed, 0 not exercised`, of drills. */
export function drillCounts(drills: Report["drills"]): string {
  const count = (wanted: Verdict) => drills.filter(({ verdict }) => verdict === wanted).length;
  return `${count("pass")} passed, ${count("fail")} failed, ${count("not-exercised")} not exercised`;
}

/** `20 passed, 1 failed, 2 warnings, 4 not exercised`, of checks. */
export function checkCounts({ pass, fail, warn, notExercised, known = 0 }: ReportSummary): string {
  const ofKnown = known > 0 ? `, ${known} known` : "";
  return `${pass} passed, ${fail} failed, ${counted(warn, "warning")}, ${notExercised} not exercised${ofKnown}`;
}
