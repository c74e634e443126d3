import { counted } from "../../base/text/numbers.js";
import { block, type Colour, type Paint, painter } from "../../base/text/terminal.js";
import { fitting } from "../../base/text/wrap.js";
import type { Level } from "../../exam/finding.js";
import { expectedTexts, failuresIn, failuresOf, type SharedFailure, type Weight } from "../../exam/formats/failures.js";
import { checkCounts, countsDrills, drillCounts, verdictText } from "../../exam/formats/summary.js";
import type { DrillReport, Report, Verdict } from "../../exam/report.js";

/** Widest line, in characters. */
const columns = 80;

/** A longer name of a drill is cut in the table. */
const widestName = 32;

/** If there are more drills, those that passed have no line in the table. */
const mostPassed = 12;

/** Most drills that are named below a failed check. */
const mostNamed = 4;

/** Whether a stream goes to a terminal that shows colours. Node reads NO_COLOR and TERM. */
export function showsColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}

interface TerminalOptions {
  /** The level at which a failed check is a failure, and not a warning. */
  readonly level: Level;
  readonly coloured: boolean;
}

/** A report for the terminal: what failed, why, and what to do; warnings; drills, if there are several; a summary. */
export function terminalText(report: Report, { level, coloured }: TerminalOptions): string {
  const paint = painter(coloured);
  const several = report.drills.length > 1;
  const failures = failuresOf(report, level);
  const parts = [
    ...failures.map((failure) => block(marks[failure.weight], linesOf(failure, several), paint, columns)),
    ...expectedTexts(report).map((text) => block(expectedMark, [text], paint, columns)),
    ...(several ? [drillTable(report, level, paint)] : []),
    summaryLines(report, paint),
  ];
  return `\n${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The first word of a failure, by its weight. */
const marks = {
  failure: ["red", "FAILED"],
  warning: ["yellow", "WARNING"],
  known: ["yellow", "KNOWN"],
} as const satisfies Record<Weight, readonly [Colour, string]>;

/** The first word of an error that was provoked on purpose. */
const expectedMark = ["green", "EXPECTED"] as const;

/** One failure: its name, what happened, what to do, and where. */
function linesOf(failure: SharedFailure, several: boolean): string[] {
  const { id, rule, message, fix, known, evidence, drills, fixes } = failure;
  const [first = "", ...others] = drills;
  if (known === undefined && new Set(fixes).size > 1) {
    const advice = drills.map((drill, index) => `In ${drill} → ${fixes[index]}`);
    return [id, message, ...shortened(advice)];
  }
  const where = several
    ? `In ${[evidence === "" ? first : `${first} (${evidence})`, ...shortened(others)].join(", ")}.`
    : evidence;
  return [rule === "" ? id : `${id} (${rule})`, message, known === undefined ? `→ ${fix}` : `Known: ${known}`, where];
}

function shortened(names: readonly string[]): readonly string[] {
  const more = names.length - mostNamed;
  return more <= 0 ? names : [...names.slice(0, mostNamed), `and ${counted(more, "other drill")}`];
}

const verdictColours = { pass: "green", fail: "red", "not-exercised": "yellow" } as const satisfies Record<
  Verdict,
  Colour
>;

const order: readonly Verdict[] = ["fail", "not-exercised", "pass"];

/**
 * One line for each drill, with the counts of its checks, failed ones first. If there are many, those that passed are
 * only counted.
 */
function drillTable({ drills: all }: Report, level: Level, paint: Paint): string[] {
  const shown = all.length > mostPassed ? order.filter((verdict) => verdict !== "pass") : order;
  const drills = shown.flatMap((wanted) => all.filter(({ verdict }) => verdict === wanted));
  const passed = all.length - drills.length;
  if (drills.length === 0) return [`${counted(passed, "drill")} passed.`];
  const names = drills.map(({ name }) => fitting(name, widestName));
  const width = Math.max("drill".length, ...names.map((name) => name.length));
  const verdictWidth = "not-exercised".length;
  const line = (name: string, verdict: string, counts: readonly string[]) =>
    [name.padEnd(width), verdict, ...counts].join("  ");
  const rows = drills.map((drill, index) => {
    const { verdict } = drill;
    const counts = Object.entries(countsOf(drill, level)).map(([head, count]) => String(count).padStart(head.length));
    return line(names[index] ?? "", paint(verdictColours[verdict], verdict.padEnd(verdictWidth)), counts);
  });
  return [
    line("drill", "verdict".padEnd(verdictWidth), columnHeads),
    ...rows,
    ...(passed > 0 ? [`… and ${counted(passed, "drill")} that passed`] : []),
  ];
}

const columnHeads = ["pass", "fail", "warn", "not exercised"] as const;

/** Counts by the head of their column. An unexpected outcome or number of requests counts as a failure. */
function countsOf(drill: DrillReport, level: Level): Readonly<Record<(typeof columnHeads)[number], number>> {
  const count = (wanted: Verdict) => drill.checks.filter(({ verdict }) => verdict === wanted).length;
  const weights = failuresIn(drill, level).map(({ weight }) => weight);
  const of = (wanted: Weight) => weights.filter((weight) => weight === wanted).length;
  return { pass: count("pass"), fail: of("failure"), warn: of("warning"), "not exercised": count("not-exercised") };
}

function summaryLines(report: Report, paint: Paint): string[] {
  const { drills, summary } = report;
  const verdicts = drills.map(({ verdict }) => verdict);
  const worst = order.find((verdict) => verdicts.includes(verdict)) ?? "not-exercised";
  const ofDrills = countsDrills(report) ? [`Drills: ${drillCounts(drills)}.`] : [];
  const verdict = paint(verdictColours[worst], verdictText(report));
  return [`payments-sandbox: ${verdict}`, ...ofDrills, `Checks: ${checkCounts(summary)}.`];
}
