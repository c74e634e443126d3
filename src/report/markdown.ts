import { escaped, table } from "./markdown-text.js";
import { shortRequest } from "./request-line.js";
import { adviceOf, countsText, type Finding, type Group, named, placeTexts, type Sheet, sectionsOf } from "./sheet.js";

/** How many places are named for a finding, and how many lines that a command printed. */
const most = { places: 6, lines: 6 } as const;

/**
 * The report as Markdown for the summary of a CI job: what failed, why and what to do; what is not known; the groups or
 * the matrix. Text from outside never becomes markup, a link, a mention or a command.
 */
export function markdownText(sheet: Sheet): string {
  const { question, verdict, lead, counts, remarks, groups, groupName, matrix } = sheet;
  const failed = groups.filter(({ mark, facts }) => mark?.tone === "bad" && facts.length > 0);
  const parts = [
    `## ${question}`,
    ...lead.map(escaped),
    `**${escaped(verdict)}** ${counts.map(countsText).join(" ")}`,
    ...(failed.length > 0 ? [`### Failed ${groupName}s`, groupTable(failed, groupName)] : []),
    ...sectionsOf(sheet).flatMap(({ title, findings }) => [`### ${title}`, findingTable(findings, sheet)]),
    ...testTable(sheet),
    ...(remarks.length > 0 ? ["### Remarks", remarks.map(remarkLine).join("\n")] : []),
    ...(matrix === undefined && groups.length > 1
      ? [folded(`All ${groups.length} ${groupName}s`, groupTable(groups, groupName))]
      : []),
    ...(matrix === undefined || matrix.columns.length === 0 ? [] : [matrixDetails(sheet, matrix)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function findingTable(findings: readonly Finding[], sheet: Sheet): string {
  const rows = findings.map(({ title, places }) => {
    const [{ item }] = places;
    const { mark, rule, message, evidence, tests, repeat } = item;
    const name = sheet.matrix === undefined ? `**${escaped(title)}**` : `**${mark.word}**`;
    return [
      rule === "" ? name : `${name} (${escaped(rule)})`,
      [message, ...tests].map(escaped).join("<br>"),
      escaped(adviceOf(item)),
      escaped(named(placeTexts(places, sheet), most.places)),
      repeat === "" ? evidence.map((request) => escaped(shortRequest(request))).join("<br>") : escaped(repeat),
    ];
  });
  return table(["finding", "what the client did", "what to do", "where", "shown by"], rows);
}

/** The findings by test. */
function testTable(sheet: Sheet): readonly string[] {
  const { tests = [] } = sheet;
  if (tests.length === 0) return [];
  const rows = tests.map(({ name, places }) => [escaped(name), escaped(named(placeTexts(places, sheet), most.places))]);
  return [folded("Findings by test", table(["test", "fails at"], rows))];
}

function groupTable(groups: readonly Group[], groupName: string): string {
  const rows = groups.map(({ name, mark, facts, tests, output }) => [
    escaped(name),
    mark?.tone === "bad" ? `**${mark.word}**` : (mark?.word ?? ""),
    [...facts, ...tests].map(escaped).join("<br>"),
    output.slice(0, most.lines).map(escaped).join("<br>"),
  ]);
  return table([groupName, "verdict", "what happened", "last lines"], rows);
}

function remarkLine({ about, title, lines }: Sheet["remarks"][number]): string {
  const texts = [`${about}: ${title}`, ...lines].filter((text) => text !== "");
  return `- ${texts.map(escaped).join(". ")}`;
}

/** What is long or wide. */
function folded(title: string, ...parts: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, ...parts, "</details>"].join("\n\n");
}

function matrixDetails({ groups, groupName }: Sheet, { columns, legend }: NonNullable<Sheet["matrix"]>): string {
  const rows = groups.map(({ name, items }) => [
    escaped(name),
    ...columns.map((column) => escaped(items.find((item) => item.name === column)?.mark.sign ?? "")),
  ]);
  const signs = legend.map(({ mark, means }) => [escaped(mark.sign ?? ""), mark.word, means]);
  return folded(
    "All points and faults",
    table([groupName, ...columns.map(escaped)], rows),
    table(["sign", "verdict", "meaning"], signs),
  );
}
