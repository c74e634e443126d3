import type { Level } from "../../exam/finding.js";
import { escaped, table } from "../../exam/formats/markdown-text.js";
import type { ExploreReport } from "../report.js";
import { placesText, type Remark, remarksOf, type SharedFinding, sectionsOf } from "./findings.js";
import { matrixOf } from "./matrix.js";
import { countsText, stateOf, states, stateWords, verdictText } from "./words.js";

/**
 * The report as Markdown for the summary of a CI job: findings, what is not known, and the matrix. Text from outside
 * never becomes markup, a link, a mention or a command.
 * @param level at which a finding is a failure, not a warning
 */
export function markdownText(report: ExploreReport, level: Level): string {
  const remarks = remarksOf(report);
  const parts = [
    "## Which single failure breaks this client?",
    `**${verdictText(report, level)}** Cells: ${countsText(report, level)}.`,
    ...sectionsOf(report, level).flatMap(({ title, findings }) => [`### ${title}`, findingTable(findings)]),
    ...(remarks.length > 0 ? ["### Not known", remarks.map(remarkLine).join("\n")] : []),
    ...(report.cells.length > 0 ? [matrixDetails(report)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function findingTable(findings: readonly SharedFinding[]): string {
  const rows = findings.map(({ cells }) => {
    const [first] = cells;
    const { message, fix, known, checks, repeat } = first;
    return [
      [`**${stateWords[first.verdict].name}**`, ...checks.map(escaped)].join(" "),
      escaped(message),
      escaped(known === undefined ? fix : `Known: ${known}`),
      escaped(placesText(cells)),
      escaped(repeat),
    ];
  });
  return table(["verdict", "what the client did", "what to do", "where", "repeat"], rows);
}

function remarkLine({ about, title, lines }: Remark): string {
  const texts = [`${about}: ${title}`, ...lines].filter((text) => text !== "");
  return `- ${texts.map(escaped).join(". ")}`;
}

/** Folded: it is wide. */
function matrixDetails(report: ExploreReport): string {
  const { points, faults, at } = matrixOf(report);
  const stateAt = (point: string, fault: string) => {
    const place = at(point, fault);
    return typeof place === "object" ? stateOf(place) : place;
  };
  const rows = points.map((point) => [
    escaped(point),
    ...faults.map((fault) => {
      const state = stateAt(point, fault);
      return state === undefined ? "" : escaped(stateWords[state].sign);
    }),
  ]);
  const found = points.flatMap((point) => faults.map((fault) => stateAt(point, fault)));
  const legend = states
    .filter((state) => found.includes(state))
    .map((state) => [escaped(stateWords[state].sign), stateWords[state].name, stateWords[state].means]);
  return [
    "<details><summary>All points and faults</summary>",
    table(["point", ...faults.map(escaped)], rows),
    table(["sign", "verdict", "meaning"], legend),
    "</details>",
  ].join("\n\n");
}
