import { counted } from "../../base/text/numbers.js";
import { assumedRefusal } from "../refused.js";
import type { DrillProblem, DrillReport, Report, ReportSummary, Verdict } from "../report.js";

/** A report in one sentence. The drills decide whether the client failed, at the level of the report. */
export function verdictText({ drills, summary }: Report): string {
  if (drills.some(({ verdict }) => verdict === "fail")) return "The client failed.";
  return summary.pass + summary.fail + summary.warn === 0
    ? "No check was exercised."
    : "The client passed what was exercised.";
}

/** By which assumption the sandbox refused requests, where that fails a drill: a sentence; undefined if none did. */
export function refusedText({ drills }: Report): string | undefined {
  const [first] = drills.flatMap((drill) => openProblems(drill).flatMap(({ assumption }) => assumption ?? []));
  return first && assumedRefusal(first);
}

/**
 * `2 passed, 3 failed (1 by outcome, 1 by number of requests), 0 not exercised`,
 * of drills: why drills failed, apart from failed checks.
 */
export function drillCounts(drills: Report["drills"]): string {
  const count = (wanted: Verdict) => drills.filter(({ verdict }) => verdict === wanted).length;
  const failed = drills.filter(({ verdict }) => verdict === "fail");
  const reasons = drillReasons.flatMap(([reason, has]) => {
    const found = failed.filter((drill) => openProblems(drill).some(({ about }) => has(about))).length;
    return found > 0 ? [`${found} by ${reason}`] : [];
  });
  const why = reasons.length > 0 ? ` (${reasons.join(", ")})` : "";
  return `${count("pass")} passed, ${failed.length} failed${why}, ${count("not-exercised")} not exercised`;
}

const drillReasons: readonly (readonly [string, (about: DrillProblem["about"]) => boolean])[] = [
  ["outcome", (about) => about === "outcome"],
  ["number of requests", (about) => about === "requests"],
  ["a warning that it requires to pass", (about) => about !== "outcome" && about !== "requests"],
];

/** Whether the counts of drills say more than the counts of checks. */
export function countsDrills({ drills }: Report): boolean {
  return drills.length > 1 || drills.some((drill) => openProblems(drill).length > 0);
}

/** What fails a drill besides its checks. */
function openProblems({ problems = [] }: DrillReport): readonly DrillProblem[] {
  return problems.filter(({ known }) => known === undefined);
}

/** `20 passed, 1 failed, 2 warnings, 4 not exercised`, of checks. */
export function checkCounts({ pass, fail, warn, notExercised, known = 0 }: ReportSummary): string {
  const ofKnown = known > 0 ? `, ${known} known` : "";
  return `${pass} passed, ${fail} failed, ${counted(warn, "warning")}, ${notExercised} not exercised${ofKnown}`;
}
