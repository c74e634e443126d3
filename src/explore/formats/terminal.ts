import { counted } from "../../base/text/numbers.js";
import { printable } from "../../base/text/printable.js";
import { block, type Colour, indentation, type Mark, type Paint, painter } from "../../base/text/terminal.js";
import { fitting, wrapText } from "../../base/text/wrap.js";
import type { Level } from "../../exam/finding.js";
import { type Cell, cellName, type ExploreReport, failsAt } from "../report.js";
import { placesText, remarksOf, type SharedFinding, sectionsOf } from "./findings.js";
import { matrixLines } from "./terminal-matrix.js";
import { countsText, stateOf, stateWords, verdictText } from "./words.js";

/** Requests of a finding, and lines of its command. */
const mostRequests = 8;
const mostOutput = 8;

/** Cells that are named below the first one of a finding. The matrix has all. */
const mostNamed = 12;

/** Findings whose story is told. Of the others only the names are. */
const mostTold = 12;

interface TerminalOptions {
  /** The level at which a finding is a failure, and not a warning. */
  readonly level: Level;
  readonly coloured: boolean;
  /** Width of the terminal, in characters. Only a command line to be copied is wider. */
  readonly columns: number;
}

/**
 * The report for the terminal: what the client does not survive, why, what to do, and how to repeat it; the matrix; what
 * is not known; a summary.
 */
export function terminalText(report: ExploreReport, { level, coloured, columns }: TerminalOptions): string {
  const paint = painter(coloured);
  const findings = sectionsOf(report, level).flatMap((section) => section.findings);
  const parts = [
    ...findings.map((finding, index) => findingLines(finding, index < mostTold, paint, columns)),
    ...matrixLines(report, level, paint, columns),
    ...remarksOf(report).map(({ about, title, lines }) =>
      block(["yellow", about.toUpperCase()], [title, ...lines], paint, columns),
    ),
    summaryLines(report, level, paint, columns),
  ];
  return `\n${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const colours = { failure: "red", warning: "yellow", known: "yellow" } as const satisfies Record<
  SharedFinding["weight"],
  Colour
>;

/** One finding: its cell, what the client did, what to do, what the command printed, and how to repeat it. */
function findingLines({ weight, cells }: SharedFinding, isTold: boolean, paint: Paint, columns: number): string[] {
  const [first, ...others] = cells;
  const { message, fix, known, checks, requests, output, repeat } = first;
  const also = alsoText(others);
  if (known !== undefined) {
    const title = `${cellName(first)} (${stateWords[first.verdict].name})`;
    return block([colours[weight], "KNOWN"], [title, known, also], paint, columns);
  }
  const mark: Mark = [colours[weight], stateWords[stateOf(first)].name.toUpperCase()];
  const title = checks.length > 0 ? `${cellName(first)} (${checks.join(", ")})` : cellName(first);
  if (!isTold) return block(mark, [title, also], paint, columns);
  const width = columns - indentation.length;
  const below = [
    ...cut(requests.slice(0, mostRequests), width),
    ...(requests.length > mostRequests ? [`${indentation}…`] : []),
    ...(output.length > 0 ? ["The command printed:"] : []),
    ...cut(output.slice(0, mostOutput), width),
    `Repeat: ${printable(repeat)}`,
    ...(also === "" ? [] : wrapText(also, width)),
  ];
  const advice = fix === "" ? "" : `→ ${fix}`;
  return [...block(mark, [title, message, advice], paint, columns), ...below.map((line) => `${indentation}${line}`)];
}

/** Indented lines that are cut, not wrapped. */
function cut(lines: readonly string[], width: number): string[] {
  return lines.map((line) => `${indentation}${fitting(line, width - indentation.length)}`);
}

function alsoText(cells: readonly Cell[]): string {
  if (cells.length === 0) return "";
  const more = cells.length - mostNamed;
  const places = placesText(more > 1 ? cells.slice(0, mostNamed) : cells);
  return `The same at ${places}${more > 1 ? `; and ${counted(more, "other cell")}` : ""}.`;
}

function summaryLines(report: ExploreReport, level: Level, paint: Paint, columns: number): string[] {
  const colour = failsAt(report, level) ? "red" : "green";
  const verdict = wrapText(`payments-sandbox: ${verdictText(report, level)}`, columns);
  return [...verdict.map((line) => paint(colour, line)), ...wrapText(`Cells: ${countsText(report, level)}.`, columns)];
}
