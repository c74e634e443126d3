import type { Level } from "../../exam/finding.js";
import { type Case, failedCase, junitDocument, passedCase, skippedCase } from "../../exam/formats/junit-document.js";
import { type Cell, cellName, type ExploreReport, isJudged, weightOf } from "../report.js";
import { matrixOf, type Place } from "./matrix.js";
import { stateWords, verdictText } from "./words.js";

/**
 * The report as JUnit XML: a suite for each point, a case for each cell.
 *
 * JUnit has no warnings. A warning, a known finding, a cell without a verdict and one that was not run are skipped
 * cases, so that what is not known never looks like a pass.
 * @param level at which a finding is a failure, not a warning
 */
export function junitText(report: ExploreReport, level: Level): string {
  const { points, faults, at } = matrixOf(report);
  const suites = points.map((point) => {
    const places = faults.map((fault) => ({ fault, place: at(point, fault) }));
    const cases = places.flatMap(({ fault, place }) =>
      place === undefined ? [] : [{ ...caseOf(place, fault, level), duration: durationOf(place) }],
    );
    const requests = report.points.find(({ id }) => id === point)?.requests ?? 0;
    return {
      name: point,
      properties: [["requests", String(requests)] as const],
      duration: cases.reduce((sum, { duration }) => sum + duration, 0),
      cases,
    };
  });
  // Then the exploration fails, and no cell does.
  const idle = isJudged(report)
    ? []
    : [{ name: "explore", properties: [["judged", "no"] as const], duration: 0, cases: [idleCase(report, level)] }];
  return junitDocument([...idle, ...suites]);
}

function idleCase(report: ExploreReport, level: Level): Case & { duration: number } {
  return { ...failedCase("judged", "not-judged", verdictText(report, level), []), duration: 0 };
}

function durationOf(place: Place): number {
  return typeof place === "object" ? place.duration : 0;
}

function caseOf(place: Cell | "not-run", fault: string, level: Level): Case {
  if (place === "not-run") return skippedCase(fault, "Not run. Nothing is known.");
  const { counts, verdict, message, fix, known, checks, requests, output, repeat } = place;
  const { name } = stateWords[verdict];
  const weight = weightOf(place, level);
  if (weight === undefined) return counts === "good" ? passedCase(fault) : skippedCase(fault, `${name}. ${message}`);
  if (weight === "known") return skippedCase(fault, `Known: ${known} ${message}`);
  if (weight === "warning") return skippedCase(fault, `Warning: ${name}. ${message} ${fix}`);
  const failed = checks.length > 0 ? `Failed: ${checks.join(", ")}` : "";
  const lines = [message, `Fix: ${fix}`, failed, ...requests, ...output, `Repeat: ${repeat}`];
  return failedCase(fault, verdict, `${cellName(place)}: ${name}. ${message} ${fix}`, lines);
}
