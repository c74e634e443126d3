import type { Level } from "../exam/finding.js";
import type { Tone } from "../report/sheet.js";
import { type Cell, type Verdict, weightOf } from "./report.js";

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

/** The state of a cell. */
export function stateOf(cell: Cell): Exclude<State, "not-run"> {
  if (weightOf(cell, "must") === "known") return "known";
  if (cell.counts !== "should") return cell.verdict;
  if (cell.verdict === "wrong") return "wrong-without-rows";
  return cell.verdict === "misbehaved" ? "misbehaved-lightly" : cell.verdict;
}

/** @param level at which a finding is a failure, not a warning */
export function toneOf(cell: Cell, level: Level): Tone {
  const weight = weightOf(cell, level);
  if (weight === "failure") return "bad";
  if (weight === "warning") return "warn";
  return weight === undefined && cell.counts === "good" ? "good" : "none";
}
