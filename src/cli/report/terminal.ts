import type { Level } from "../../exam/checks.js";
import { evidenceOf, type Failure, failuresOf, problemOf } from "../../exam/formats/failures.js";
import {
  type CheckResult,
  countsAsFailure,
  type DrillProblem,
  type DrillReport,
  type Report,
  type ReportSummary,
  type Verdict,
} from "../../exam/report.js";
import { counted } from "../../text/numbers.js";
import { printable } from "../../text/printable.js";
import { wrapWords } from "../wrap.js";

/** Widest line, in characters. */
const columns = 80;

const indentation = "  ";

/** A longer name of a drill is cut off in the table. */
const widestName = 32;

/** In a table of more drills, those that passed have no line. */
const mostPassed = 12;

/** Most drills that are named below a failed check. */
const mostNamed = 4;

/** Codes of SGR (ECMA-48 §8.3.117). */
const colours = { red: 31, green: 32, yellow: 33 } as const;
type Paint = (colour: keyof typeof colours, text: string) => string;

/** Whether a stream goes to a terminal that shows colours. Node reads NO_COLOR and TERM. */
export function showsColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}

interface TerminalOptions {
  /** At which a failed check is a failure, and not a warning. */
  readonly level: Level;
  readonly coloured: boolean;
}

/** A report for a person at the terminal: what failed, why, and what to do; warnings; drills, where there are several; a summary. */
export function terminalText(report: Report, { level, coloured }: TerminalOptions): string {
  const paint: Paint = (colour, text) => (coloured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text);
  const several = report.drills.length > 1;
  const failures = failuresOf(report, level);
  const failed = [
    ...failures.filter(({ counts }) => counts).map((failure) => checkLines(failure, several)),
    ...problemBlocks(report.drills, (problem) => problem.known === undefined),
    ...report.drills.flatMap((drill) => {
      const problem = drill.problems === undefined ? problemOf(drill, level) : undefined;
      return problem === undefined ? [] : [[`drill ${drill.name}`, problem]];
    }),
  ];
  const warned = failures.filter(({ counts, check }) => !counts && check.known === undefined);
  const known = [
    ...failures
      .filter(({ check }) => check.known !== undefined)
      .map((failure) => [...checkLines(failure, several), `Known: ${failure.check.known}`]),
    ...problemBlocks(report.drills, (problem) => problem.known !== undefined),
  ];
  const parts = [
    ...failed.map((lines) => block(["red", "FAILED"], lines, paint)),
    ...warned.map((failure) => block(["yellow", "WARNING"], checkLines(failure, several), paint)),
    ...known.map((lines) => block(["yellow", "KNOWN"], lines, paint)),
    ...(several ? [drillTable(report, level, paint)] : []),
    summaryLines(report, failed.length > 0, paint),
  ];
  return `\n${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** One failed check: its name, what happened, what to do, and where. */
function checkLines({ check, drills }: Failure, several: boolean): string[] {
  const evidence = evidenceOf(check);
  const [first = "", ...others] = drills;
  const where = several
    ? `In ${[evidence === "" ? first : `${first} (${evidence})`, ...shortened(others)].join(", ")}.`
    : evidence;
  return [`${check.id} (${check.level}; ${check.source})`, check.message, `→ ${check.fix}`, where];
}

/** What drills ask for and did not get. Drills with the same problem are told together, each with what to do. */
function problemBlocks(drills: readonly DrillReport[], isChosen: (problem: DrillProblem) => boolean): string[][] {
  const found = new Map<string, { problem: DrillProblem; fixes: Map<string, string> }>();
  for (const { name, problems = [] } of drills) {
    for (const problem of problems.filter(isChosen)) {
      const { about, message, fix, known } = problem;
      const key = JSON.stringify([about, message, known]);
      const same = found.get(key) ?? { problem, fixes: new Map() };
      found.set(key, same);
      same.fixes.set(name, fix);
    }
  }
  return [...found.values()].map(({ problem: { about, message, fix, known }, fixes }) => {
    const [first = "", ...others] = [...fixes.keys()];
    const advice = [...fixes].map(([name, each]) => `${name} → ${each}`);
    return [
      others.length === 0 ? `${about} in the drill ${first}` : `${about} in ${counted(fixes.size, "drill")}`,
      message,
      ...(others.length === 0 ? [`→ ${fix}`] : shortened(advice)),
      ...(known === undefined ? [] : [`Known: ${known}`]),
    ];
  });
}

function shortened(names: readonly string[]): readonly string[] {
  const more = names.length - mostNamed;
  return more <= 0 ? names : [...names.slice(0, mostNamed), `and ${counted(more, "other drill")}`];
}

/** A title beside its mark, and lines below it, as wide as the terminal. */
function block(mark: readonly [keyof typeof colours, string], texts: readonly string[], paint: Paint): string[] {
  const [colour, word] = mark;
  const [title = "", ...below] = texts.filter((text) => text !== "");
  const [first = "", ...more] = wrapped(title, columns - word.length - 1);
  const lines = [...more, ...below.flatMap((text) => wrapped(text, columns - indentation.length))];
  return [`${paint(colour, word)} ${first}`, ...lines.map((line) => `${indentation}${line}`)];
}

/** Lines of a text from outside. A word that is wider than a line is cut into pieces. */
function wrapped(text: string, width: number): string[] {
  const words = printable(text).split(" ");
  return wrapWords(
    words.flatMap((word) => (word.length <= width ? [word] : pieces(word, width))),
    width,
  );
}

function pieces(word: string, width: number): string[] {
  return Array.from({ length: Math.ceil(word.length / width) }, (_, at) => word.slice(at * width, (at + 1) * width));
}

function fitting(name: string): string {
  return name.length > widestName ? `${name.slice(0, widestName - 1)}…` : name;
}

const verdictColours = { pass: "green", fail: "red", "not-exercised": "yellow" } as const satisfies Record<
  Verdict,
  keyof typeof colours
>;

const order: readonly Verdict[] = ["fail", "not-exercised", "pass"];

/** Every drill in a line, with the counts of its checks: those that failed first. Of many, those that passed are counted. */
function drillTable({ drills: all }: Report, level: Level, paint: Paint): string[] {
  const drills = all.length > mostPassed ? all.filter(({ verdict }) => verdict !== "pass") : all;
  const passed = all.length - drills.length;
  if (drills.length === 0) return [`${counted(passed, "drill")} passed.`];
  const names = drills.map(({ name }) => fitting(printable(name)));
  const width = Math.max("drill".length, ...names.map((name) => name.length));
  const verdictWidth = "not-exercised".length;
  const line = (name: string, verdict: string, counts: readonly string[]) =>
    [name.padEnd(width), verdict, ...counts].join("  ");
  const rows = drills.map(({ verdict, checks }, index) => {
    const counts = Object.entries(countsOf(checks, level)).map(([head, count]) => String(count).padStart(head.length));
    return {
      verdict,
      text: line(names[index] ?? "", paint(verdictColours[verdict], verdict.padEnd(verdictWidth)), counts),
    };
  });
  return [
    line("drill", "verdict".padEnd(verdictWidth), Object.keys(countsOf([], level))),
    ...order.flatMap((wanted) => rows.filter(({ verdict }) => verdict === wanted).map(({ text }) => text)),
    ...(passed > 0 ? [`… and ${counted(passed, "drill")} that passed`] : []),
  ];
}

/** By the head of their column. */
function countsOf(checks: readonly CheckResult[], level: Level): Readonly<Record<string, number>> {
  const count = (wanted: Verdict) => checks.filter(({ verdict }) => verdict === wanted).length;
  const failed = checks.filter((check) => countsAsFailure(check, level)).length;
  return { pass: count("pass"), fail: failed, warn: count("fail") - failed, "not exercised": count("not-exercised") };
}

function summaryLines({ drills, summary }: Report, failed: boolean, paint: Paint): string[] {
  const { pass, fail, warn } = summary;
  const verdict =
    pass + fail + warn === 0
      ? paint("yellow", "No check was exercised.")
      : failed
        ? paint("red", "The client failed.")
        : paint("green", "The client passed what was exercised.");
  const ofDrills = drills.length > 1 ? [`Drills: ${drillCounts(drills.map((drill) => drill.verdict))}.`] : [];
  return [`payments-sandbox: ${verdict}`, ...ofDrills, `Checks: ${checkCounts(summary)}.`];
}

function drillCounts(verdicts: readonly Verdict[]): string {
  const count = (wanted: Verdict) => verdicts.filter((verdict) => verdict === wanted).length;
  return `${count("pass")} passed, ${count("fail")} failed, ${count("not-exercised")} not exercised`;
}

function checkCounts({ pass, fail, warn, notExercised }: ReportSummary): string {
  return `${pass} passed, ${fail} failed, ${counted(warn, "warning")}, ${notExercised} not exercised`;
}
