import { printable } from "../base/text/printable.js";
import { block, indentation, type Mark, painter } from "../base/text/terminal.js";
import { fitting, wrapText } from "../base/text/wrap.js";
import { fittingRequest } from "./request-line.js";
import {
  adviceOf,
  colours,
  countsText,
  type Finding,
  type Group,
  named,
  placeTexts,
  type Sheet,
  sectionsOf,
  type Tone,
} from "./sheet.js";
import { matrixLines } from "./terminal-matrix.js";

/** Of a finding or a drill: requests, lines that the command printed, and places that are named. And tests with findings. */
const most = { requests: 8, output: 8, places: 6, tests: 20 } as const;

/** Findings and drills that are told. Of the others only the names are. */
const mostTold = 12;

/** Whether a stream goes to a terminal that shows colours. Node reads NO_COLOR and TERM. */
export function showsColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors();
}

interface TerminalOptions {
  readonly coloured: boolean;
  /** Width of the terminal, in characters. Only a command line to be copied is wider. */
  readonly columns?: number;
}

/** A report on a terminal. */
interface Page {
  readonly sheet: Sheet;
  readonly columns: number;
  /** The lines of a block. */
  readonly tell: (mark: Mark, texts: readonly string[]) => string[];
}

/**
 * The report for the terminal: the answer in one sentence; what failed, why, what to do, and how to repeat it; groups that
 * failed and the names of those that passed, or the matrix; what else is known; counts.
 */
export function terminalText(sheet: Sheet, { coloured, columns = 80 }: TerminalOptions): string {
  const paint = painter(coloured);
  const page: Page = { sheet, columns, tell: (mark, texts) => block(mark, texts, paint, columns) };
  const findings = sectionsOf(sheet).flatMap((section) => section.findings);
  const [verdict = "", ...more] = wrapText(`payments-sandbox: ${sheet.verdict}`, columns);
  const parts = [
    [verdict, ...more].map((line) => paint(colours[sheet.tone], line)),
    ...sheet.lead.map((text) => wrapText(text, columns)),
    ...findings.map((finding, index) => findingLines(finding, index < mostTold, page)),
    ...(sheet.matrix === undefined ? groupBlocks(page) : matrixLines(sheet, paint, columns)),
    ...testBlocks(page),
    ...sheet.remarks.map(({ about, title, lines }) => page.tell(["yellow", about.toUpperCase()], [title, ...lines])),
    sheet.counts.flatMap((counts) => wrapText(countsText(counts), columns)),
  ];
  return `\n${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** One finding: its name, what the client did, what to do, the requests and the output that show it, and where else. */
function findingLines({ title, places }: Finding, isTold: boolean, { sheet, columns, tell }: Page) {
  const [{ item, group }, ...others] = places;
  const { mark, rule, message, known, evidence, tests, output, repeat } = item;
  const also =
    others.length === 0
      ? ""
      : `Also in ${named(placeTexts(others, sheet), most.places, sheet.matrix === undefined ? ", " : "; ")}.`;
  const word: Mark = [colours[mark.tone], mark.word.toUpperCase()];
  const name = rule === "" ? title : `${title} (${rule})`;
  const hasPlaces = sheet.matrix === undefined && sheet.groups.length > 1;
  const place = hasPlaces ? `In ${group.name}` : "";
  const advice = adviceOf(item);
  if (!isTold || known !== undefined)
    return tell(word, [name, ...(known === undefined ? [] : [message, advice]), place && `${place}.`, also]);
  return [
    ...tell(word, [name, message, advice && `→ ${advice}`, place && `${place}${evidence.length > 0 ? ":" : "."}`]),
    ...requestLines(evidence, columns),
    ...testLines(tests, columns),
    ...outputLines(output, columns),
    ...(repeat === "" ? [] : [`${indentation}Repeat: ${printable(repeat)}`]),
    ...(also === "" ? [] : indented(wrapText(also, columns - indentation.length))),
  ];
}

function requestLines(requests: readonly string[], columns: number): string[] {
  const width = columns - 2 * indentation.length;
  const lines = requests.slice(0, most.requests).flatMap((request) => fittingRequest(request, width));
  return indented(indented(requests.length > most.requests ? [...lines, "…"] : lines));
}

/** The tests that failed. */
function testLines(tests: readonly string[], columns: number): string[] {
  if (tests.length === 0) return [];
  const width = columns - 2 * indentation.length;
  return indented(["Tests that failed:", ...indented(tests.flatMap((line) => wrapText(line, width)))]);
}

/** The findings by test: which points and faults break each. */
function testBlocks({ sheet, tell }: Page): string[][] {
  const { tests = [] } = sheet;
  if (tests.length === 0) return [];
  const lines = tests
    .slice(0, most.tests)
    .map(({ name, places }) => `${name}: ${named(placeTexts(places, sheet), most.places, "; ")}`);
  const more = tests.length - lines.length;
  return [tell(["yellow", "BY TEST"], more > 0 ? [...lines, `… and ${more} more`] : lines)];
}

/** What a command printed, cut at the width. */
function outputLines(output: readonly string[], columns: number): string[] {
  if (output.length === 0) return [];
  const shown = output.slice(0, most.output).map((line) => fitting(line, columns - 2 * indentation.length));
  return indented(["The command printed:", ...indented(shown)]);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `${indentation}${line}`);
}

/** The groups: those that failed are told, those that passed are named. */
function groupBlocks({ sheet: { groups, groupName }, columns, tell }: Page): string[][] {
  const of = (tone: Tone) => groups.filter(({ mark, facts }) => mark?.tone === tone && facts.length > 0);
  const failed = of("bad");
  const listed = (word: string, tone: Tone, all: readonly Group[]) => {
    const names = all.map(({ name }) => name).join(", ");
    const text = `${all.length} ${groupName}${all.length === 1 ? "" : "s"}: ${names}`;
    return all.length === 0 ? [] : [tell([colours[tone], word], [text])];
  };
  return [
    ...failed
      .slice(0, mostTold)
      .map(({ name, facts, tests, output }) => [
        ...tell([colours.bad, `FAILED ${groupName}`], [name, ...facts]),
        ...testLines(tests, columns),
        ...outputLines(output, columns),
      ]),
    ...listed("ALSO FAILED", "bad", failed.slice(mostTold)),
    ...listed("PASSED", "good", of("good")),
  ];
}
