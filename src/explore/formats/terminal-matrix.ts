import { printable } from "../../base/text/printable.js";
import { type Colour, indentation, type Paint } from "../../base/text/terminal.js";
import { fitting, wrapText } from "../../base/text/wrap.js";
import type { Level } from "../../exam/finding.js";
import type { ExploreReport } from "../report.js";
import { type Matrix, matrixOf, type Place } from "./matrix.js";
import { type StateTone, stateOf, states, stateWords, toneOf } from "./words.js";

/** The column of the points, and the name of a column, have at most this part of the width. */
const widestLabels = 0.4;

/** Characters of a column: a space and a sign. */
const step = 2;

/** Where the text of the legend begins. */
const legendIndentation = 10;

const colours: Readonly<Record<StateTone, Colour | undefined>> = {
  bad: "red",
  warn: "yellow",
  good: "green",
  none: undefined,
};

/**
 * The matrix as blocks of lines, and its legend: a row for each point, a column for each fault. The name of a column
 * stands to the left of it, as on stairs, so that it is read without turning the head or looking it up. If there are
 * more columns than fit, the rows are repeated for the others.
 * @param level at which a finding is a failure, not a warning
 * @param columns width of the terminal, in characters
 */
export function matrixLines(report: ExploreReport, level: Level, paint: Paint, columns: number): readonly string[][] {
  const matrix = matrixOf(report);
  if (matrix.faults.length === 0) return [];
  const widest = Math.floor(columns * widestLabels);
  const labels = matrix.points.map((point) => labelOf(point, widest));
  const names = matrix.faults.map((fault) => fitting(fault, widest));
  // The name of a column must fit beside it.
  const labelWidth = Math.max(...[...labels, ...names].map(({ length }) => length));
  const most = Math.max(1, Math.floor((columns - labelWidth) / step));
  const perBlock = Math.ceil(names.length / Math.ceil(names.length / most));
  const blocks: string[][] = [];
  for (let from = 0; from < names.length; from += perBlock) {
    const to = from + perBlock;
    const faults = matrix.faults.slice(from, to);
    const rows = matrix.points.map((point, row) => {
      const signs = faults.map((fault) => ` ${signOf(matrix.at(point, fault), level, paint)}`);
      return `${(labels[row] ?? "").padEnd(labelWidth)}${signs.join("")}`.trimEnd();
    });
    blocks.push([...headLines(names.slice(from, to), labelWidth), ...rows]);
  }
  return [...blocks, legendLines(matrix, level, paint, columns)];
}

/** A point, cut in its middle if it is too long: its end is its role. */
function labelOf(point: string, width: number): string {
  const text = printable(point);
  if (text.length <= width) return text;
  const role = text.slice(text.lastIndexOf("."));
  const kept = Math.min(role.length, Math.floor(width / 2));
  return `${fitting(text, width - kept)}${role.slice(role.length - kept)}`;
}

/** The names of the columns, that of the last column first, each with a line down to its column. */
function headLines(names: readonly string[], labelWidth: number): string[] {
  return names
    .map((name, index) => {
      const place = labelWidth + index * step + 1;
      return `${`${name} `.padStart(place)}┐${" │".repeat(names.length - index - 1)}`;
    })
    .reverse();
}

function signOf(place: Place, level: Level, paint: Paint): string {
  if (place === undefined) return " ";
  if (place === "not-run") return stateWords["not-run"].sign;
  const { sign } = stateWords[stateOf(place)];
  const colour = colours[toneOf(place, level)];
  return colour === undefined ? sign : paint(colour, sign);
}

/** Every sign of the matrix, what it means, and how often it is there. */
function legendLines(matrix: Matrix, level: Level, paint: Paint, columns: number): string[] {
  const places = matrix.points.flatMap((point) => matrix.faults.map((fault) => matrix.at(point, fault)));
  return states.flatMap((state) => {
    const found = places.filter((place) => (typeof place === "object" ? stateOf(place) : place) === state);
    const [first] = found;
    if (first === undefined) return [];
    const { name, means } = stateWords[state];
    const count = String(found.length).padStart(5);
    const [line = "", ...more] = wrapText(`${name}: ${means}`, columns - legendIndentation);
    const sign = signOf(first, level, paint);
    return [
      `${indentation}${sign}${count}${indentation}${line}`,
      ...more.map((text) => `${" ".repeat(legendIndentation)}${text}`),
    ];
  });
}
