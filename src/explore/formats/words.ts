import { counted } from "../../base/text/numbers.js";
import type { Level } from "../../exam/finding.js";
import { type Cell, type ExploreReport, isJudged, type Verdict, weightOf } from "../report.js";

/** What is known of a cell: its verdict, `known` for a known finding, or that it was not run. */
export type State = Verdict | "wrong-without-rows" | "misbehaved-lightly" | "known" | "not-run";

/** How a state is shown. */
interface StateWords {
  /** One character for the matrix. A capital is a `must`, a small letter is a `should`. */
  readonly sign: string;
  readonly name: string;
  readonly means: string;
}

/** Every state in the order of a legend, the worst first. */
export const stateWords = {
  crashed: { sign: "C", name: "crashed", means: "ended by the signal of a crash" },
  hung: { sign: "H", name: "hung", means: "did not give up a request, or did not end" },
  wrong: { sign: "W", name: "wrong", means: "ended with 0, and data is missing or doubled" },
  misbehaved: { sign: "M", name: "misbehaved", means: "broke a rule that it keeps without the fault" },
  "misbehaved-lightly": {
    sign: "m",
    name: "misbehaved",
    means: "broke a recommendation that it keeps without the fault",
  },
  "wrong-without-rows": { sign: "w", name: "wrong", means: "ended with 0, and a request was never delivered" },
  "failed-after-recovery": { sign: "a", name: "failed after recovery", means: "everything arrived, and it failed" },
  "gave-up": { sign: "g", name: "gave up", means: "failed, and a repetition would have succeeded" },
  known: { sign: "k", name: "known", means: "a finding that is in the baseline" },
  unstable: { sign: "%", name: "unstable", means: "two runs had two results" },
  "not-judged": { sign: "?", name: "not judged", means: "nothing can be said" },
  "not-reached": { sign: "-", name: "not reached", means: "the fault never acted" },
  "not-run": { sign: ".", name: "not run", means: "was not tried, so nothing is known" },
  delivered: { sign: "~", name: "delivered", means: "ended with 0; an answer sheet would tell whether rows are right" },
  "failed-clearly": { sign: "!", name: "failed clearly", means: "reported what no repetition helps against" },
  recovered: { sign: "✓", name: "recovered", means: "ended with 0, and everything arrived" },
} as const satisfies Readonly<Record<State, StateWords>>;

export const states = Object.keys(stateWords) as State[];

/** How a state is coloured. */
export type StateTone = "bad" | "warn" | "good" | "none";

/** The state of a cell. */
export function stateOf(cell: Cell): Exclude<State, "not-run"> {
  if (weightOf(cell, "must") === "known") return "known";
  if (cell.counts !== "should") return cell.verdict;
  if (cell.verdict === "wrong") return "wrong-without-rows";
  return cell.verdict === "misbehaved" ? "misbehaved-lightly" : cell.verdict;
}

/** @param level at which a finding is a failure, not a warning */
export function toneOf(cell: Cell, level: Level): StateTone {
  const weight = weightOf(cell, level);
  if (weight === "failure") return "bad";
  if (weight === "warning") return "warn";
  return weight === undefined && cell.counts === "good" ? "good" : "none";
}

/** The report in one sentence. */
export function verdictText(report: ExploreReport, level: Level): string {
  if (report.cells.length === 0) return "No cell was run, so nothing is known about this client.";
  if (report.cells.every(({ verdict }) => verdict === "not-reached"))
    return "No fault acted, so nothing is known about this client.";
  const { failure, warning, judged } = cellCounts(report, level);
  if (!isJudged(report)) return "No cell could be judged, so nothing is known about this client.";
  const of = `${counted(judged, "failure")} that ${judged === 1 ? "was" : "were"} judged`;
  if (failure === 0 && warning === 0) return `This client survives the ${of}.`;
  if (failure === 0) return `None of the ${of} breaks this client; it can do better at ${warning} of them.`;
  return `This client does not survive ${failure} of the ${of}.`;
}

/** Counts of cells, by what they count as. Those without a verdict count neither as failed nor as good. */
export function cellCounts({ cells, notRun }: ExploreReport, level: Level) {
  const weights = cells.map((cell) => weightOf(cell, level));
  const count = (wanted: string) => weights.filter((weight) => weight === wanted).length;
  const said = cells.filter(({ counts }) => counts === "said").length;
  const good = cells.filter(({ counts }) => counts === "good").length;
  return {
    failure: count("failure"),
    warning: count("warning"),
    known: count("known"),
    good,
    said,
    judged: cells.length - said,
    notRun: notRun.length,
  };
}

/** `3 failed, 12 warnings, 120 good, 6 without a verdict, 5 not run`, of cells. */
export function countsText(report: ExploreReport, level: Level): string {
  const { failure, warning, known, good, said, notRun } = cellCounts(report, level);
  return [
    `${failure} failed`,
    counted(warning, "warning"),
    ...(known > 0 ? [`${known} known`] : []),
    `${good} good`,
    `${said} without a verdict`,
    ...(notRun > 0 ? [`${notRun} not run`] : []),
  ].join(", ");
}
