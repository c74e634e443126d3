import type { Level } from "../exam/finding.js";

/** What a verdict counts as. `said` is told, and is neither a finding nor good: it is not known how the client does. */
export type Counts = Level | "said" | "good";

/** Every verdict on a cell, the worst first, with what it counts as at most. */
const verdictCounts = {
  crashed: "must",
  hung: "must",
  wrong: "must",
  misbehaved: "must",
  "failed-after-recovery": "should",
  "gave-up": "should",
  unstable: "said",
  "not-judged": "said",
  "not-reached": "said",
  delivered: "good",
  "failed-clearly": "good",
  recovered: "good",
} as const satisfies Readonly<Record<string, Counts>>;

export type Verdict = keyof typeof verdictCounts;

export const verdicts = Object.keys(verdictCounts) as Verdict[];

/**
 * What a verdict counts as.
 * @param level of what is lost, for `wrong`: rows weigh more than other answers; of the check, for `misbehaved`
 */
export function countsOf(verdict: Verdict, level: Level = "must"): Counts {
  return verdict === "wrong" || verdict === "misbehaved" ? level : verdictCounts[verdict];
}

/** A place in the conversation, named by its role. */
export interface Point {
  /** Such as `list.payments.middle`. */
  readonly id: string;
  readonly operation: string;
  /** Present only for a list. */
  readonly list?: string;
  /** How many requests of a reference were at this point. */
  readonly requests: number;
}

/** The name of a cell has both: `list.payments.middle/truncate`. */
interface CellPlace {
  /** The id of a point. */
  readonly point: string;
  readonly fault: string;
}

/** One run of the command, with one fault at one point. Its texts contain no secrets. */
export interface Cell extends CellPlace {
  readonly verdict: Verdict;
  readonly counts: Counts;
  /** 128 plus the number of the signal, if a signal ended the command; null if it had to be ended. */
  readonly exitStatus: number | null;
  /** How long the command ran, in milliseconds. */
  readonly duration: number;
  /** What the client did, by its requests: one sentence. */
  readonly message: string;
  /** What to change in the client; empty if nothing is to be changed. */
  readonly fix: string;
  /** Checks that failed here, and not in the references. */
  readonly checks: readonly string[];
  /** Ids of the journal: the request that the fault disturbed, and what followed from it. */
  readonly exchanges: readonly string[];
  /** The scenario that reproduces it: YAML. */
  readonly scenario: string;
  /** What happened, a sentence for each request, in the order of time. */
  readonly requests: readonly string[];
  /** The last lines of the command. */
  readonly output: readonly string[];
  /** The command line that repeats this cell. */
  readonly repeat: string;
  /** The reason of the baseline. A known finding does not count. Present only if it is known. */
  readonly known?: string;
}

/** What is known of the command without a fault. */
interface ReferenceRuns {
  /** How many there were at the same time. */
  readonly runs: number;
  /** The longer one, in milliseconds. */
  readonly duration: number;
}

/** The report, in the form of its JSON. */
export interface ExploreReport {
  readonly version: 1;
  readonly reference: ReferenceRuns;
  /** In the order of the conversation. */
  readonly points: readonly Point[];
  /** Ids of points that only one of the references reached. They have no cells. */
  readonly unstable: readonly string[];
  /** Those that were run, in the order of the plan. */
  readonly cells: readonly Cell[];
  /** Names of cells that were planned, and not run. */
  readonly notRun: readonly string[];
  /** What a reader has to know besides, such as why cells were not run: sentences. Present only if there are some. */
  readonly notes?: readonly string[];
  /** Counts of cells by verdict. */
  readonly summary: Readonly<Record<Verdict, number>>;
}

/** The report on these cells, with its summary. */
export function exploreReport(parts: Omit<ExploreReport, "version" | "summary">): ExploreReport {
  const count = (wanted: Verdict) => parts.cells.filter(({ verdict }) => verdict === wanted).length;
  const summary = Object.fromEntries(verdicts.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>;
  return { version: 1, ...parts, summary };
}

/** `POINT/FAULT`. */
export function cellName({ point, fault }: CellPlace): string {
  return `${point}/${fault}`;
}

/** How much a finding weighs: `known` is in the baseline, `warning` is below the level of the report. */
export type Weight = "failure" | "warning" | "known";

/**
 * How much a cell weighs as a finding; undefined if it is none.
 * @param level at which a finding is a failure, not a warning
 */
export function weightOf({ counts, known }: Pick<Cell, "counts" | "known">, level: Level): Weight | undefined {
  if (counts !== "must" && counts !== "should") return undefined;
  if (known !== undefined) return "known";
  return counts === "must" || level === "should" ? "failure" : "warning";
}

/** Whether any of the cells was judged. If none was, nothing is known about the client. */
export function isJudged({ cells }: Pick<ExploreReport, "cells">): boolean {
  return cells.some(({ counts }) => counts !== "said");
}

/** Whether the report fails the command at a level: a cell does, or none was judged. */
export function failsAt(report: Pick<ExploreReport, "cells">, level: Level): boolean {
  return !isJudged(report) || report.cells.some((cell) => weightOf(cell, level) === "failure");
}
