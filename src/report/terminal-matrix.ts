import { printable } from "../base/text/printable.js";
import { indentation, type Paint } from "../base/text/terminal.js";
import { fitting, wrapText } from "../base/text/wrap.js";
import { colours, type Mark, type Matrix, type Sheet } from "./sheet.js";

/** The column of the points, and the name of a column, have at most this part of the width. */
const widestLabels = 0.4;

/** Characters of a column: a space and a sign. */
const step = 2;

/** Where the text of the legend begins. */
const legendIndentation = 10;

/**
 * The matrix as blocks of lines, and its legend: a row for each point, a column for each fault. The name of a column
 * stands to the left of it, as on stairs, so that it is read without turning the head or looking it up. If there are
 * more columns than fit, the rows are repeated for the others.
 * @param columns width of the terminal, in characters
 */
export function matrixLines({ groups, matrix }: Sheet, paint: Paint, columns: number): readonly string[][] {
  if (matrix === undefined || matrix.columns.length === 0) return [];
  const widest = Math.floor(columns * widestLabels);
  const labels = groups.map(({ name }) => labelOf(name, widest));
  const names = matrix.columns.map((column) => fitting(column, widest));
  // The name of a column must fit beside it.
  const labelWidth = Math.max(...[...labels, ...names].map(({ length }) => length));
  const most = Math.max(1, Math.floor((columns - labelWidth) / step));
  const perBlock = Math.ceil(names.length / Math.ceil(names.length / most));
  const blocks: string[][] = [];
  for (let from = 0; from < names.length; from += perBlock) {
    const to = from + perBlock;
    const shown = matrix.columns.slice(from, to);
    const rows = groups.map(({ items }, row) => {
      const signs = shown.map((column) => ` ${signOf(items.find(({ name }) => name === column)?.mark, paint)}`);
      return `${(labels[row] ?? "").padEnd(labelWidth)}${signs.join("")}`.trimEnd();
    });
    blocks.push([...headLines(names.slice(from, to), labelWidth), ...rows]);
  }
  return [...blocks, legendLines(matrix, paint, columns)];
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

function signOf(mark: Mark | undefined, paint: Paint): string {
  const { sign = " ", tone } = mark ?? { tone: "none" };
  return tone === "none" ? sign : paint(colours[tone], sign);
}

/** Every sign of the matrix, what it means, and how often it is there. */
function legendLines({ legend }: Matrix, paint: Paint, columns: number): string[] {
  return legend.flatMap(({ mark, means, count }) => {
    const [line = "", ...more] = wrapText(`${mark.word}: ${means}`, columns - legendIndentation);
    return [
      `${indentation}${signOf(mark, paint)}${String(count).padStart(5)}${indentation}${line}`,
      ...more.map((text) => `${" ".repeat(legendIndentation)}${text}`),
    ];
  });
}
