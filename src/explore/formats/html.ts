import { markupText } from "../../base/text/markup.js";
import type { Level } from "../../exam/finding.js";
import { htmlPage, type Tone, tileList } from "../../exam/formats/html-page.js";
import { type Cell, cellName, type ExploreReport } from "../report.js";
import { type Remark, remarksOf, type SharedFinding, sectionsOf } from "./findings.js";
import { matrixStyle } from "./html-style.js";
import { matrixOf, type Place } from "./matrix.js";
import { cellCounts, countsText, type State, stateOf, states, stateWords, toneOf, verdictText } from "./words.js";

/**
 * The report as one HTML file that needs no network and no script: the matrix, in which each cell opens its story; what
 * the client does not survive; what is not known.
 * @param level at which a finding is a failure, not a warning
 */
export function htmlText(report: ExploreReport, level: Level): string {
  const idOf = new Map(report.cells.map((cell, index) => [cell, `cell-${index + 1}`]));
  const page: PageParts = { level, idOf: (cell) => idOf.get(cell) ?? "" };
  const remarks = remarksOf(report);
  const body = [
    `<p class="quiet">Cells: ${countsText(report, level)}.</p>`,
    tiles(report, level),
    ...matrixTable(report, page),
    ...sectionsOf(report, level).flatMap(({ title, findings }) => [
      `<h2>${title}</h2>`,
      ...findings.map((finding) => card(finding, page)),
    ]),
    ...(remarks.length > 0 ? ["<h2>Not known</h2>", article("none", "", remarks.map(remarkLine))] : []),
    ...report.cells.map((cell) => story(cell, page)),
  ];
  return htmlPage(verdictText(report, level), body, matrixStyle);
}

interface PageParts {
  readonly level: Level;
  /** The anchor of a cell's story. */
  readonly idOf: (cell: Cell) => string;
}

function tiles(report: ExploreReport, level: Level): string {
  const { failure, warning, known, good, said, notRun } = cellCounts(report, level);
  return tileList([
    ["Failed", failure, "bad"],
    ["Warnings", warning, "warn"],
    ...(known > 0 ? [["Known", known, "none"] as const] : []),
    ["Good", good, "good"],
    ["Without a verdict", said, "none"],
    ["Not run", notRun, "none"],
  ]);
}

/** The matrix and its legend. */
function matrixTable(report: ExploreReport, page: PageParts): string[] {
  const { points, faults, at } = matrixOf(report);
  if (faults.length === 0) return [];
  const rows = points.map((point) => {
    const cells = faults.map((fault) => `<td>${signOf(at(point, fault), cellName({ point, fault }), page)}</td>`);
    return `<tr><th scope="row"><span>${breakable(point)}</span></th>${cells.join("")}</tr>`;
  });
  const places = points.flatMap((point) => faults.map((fault) => at(point, fault)));
  return [
    '<p class="quiet about" id="about">Each sign is one run of the command, with one fault at one point of the conversation. It opens its story.</p>',
    '<div class="scroll" id="matrix" tabindex="0" role="region" aria-labelledby="about"><table>',
    `<thead><tr><th scope="col">point</th>${faults.map((fault) => `<th scope="col"><span>${markupText(fault)}</span></th>`).join("")}</tr></thead>`,
    `<tbody>${rows.join("\n")}</tbody></table></div>`,
    `<ul class="legend">${states.flatMap((state) => legendItem(state, places, page)).join("\n")}</ul>`,
  ];
}

/** The name of a point, which may be broken after a dot. */
function breakable(point: string): string {
  return markupText(point).replaceAll(".", ".<wbr>");
}

function signOf(place: Place, name: string, page: PageParts): string {
  if (place === undefined) return "";
  const words = stateWords[place === "not-run" ? place : stateOf(place)];
  const content = `<span aria-hidden="true">${words.sign}</span><span class="hidden">${words.name}</span>`;
  if (place === "not-run") return `<span title="${markupText(`${name}: ${words.name}`)}">${content}</span>`;
  const tone = toneOf(place, page.level);
  return `<a class="${tone}" href="#${page.idOf(place)}" title="${markupText(`${name}: ${words.name}`)}">${content}</a>`;
}

function legendItem(state: State, places: readonly Place[], { level }: PageParts): string[] {
  const found = places.filter((place) => (typeof place === "object" ? stateOf(place) : place) === state);
  const [first] = found;
  if (first === undefined) return [];
  const { sign, name, means } = stateWords[state];
  const tone: Tone = first === "not-run" ? "none" : toneOf(first, level);
  return [
    `<li class="${tone}"><span class="sign">${sign}</span>${name} (${found.length}): <span class="quiet">${means}</span></li>`,
  ];
}

const tones = { failure: "bad", warning: "warn", known: "none" } as const satisfies Record<
  SharedFinding["weight"],
  Tone
>;

/** A finding: the story of its first cell in short, and links to all. */
function card({ weight, cells }: SharedFinding, page: PageParts): string {
  const [first] = cells;
  const links = cells.map((cell) => `<a href="#${page.idOf(cell)}">${markupText(cellName(cell))}</a>`);
  return article(tones[weight], badgeAnd(first, page), [
    ...told(first),
    `<p class="quiet">${cells.length > 1 ? "Stories" : "Story"}: ${links.join(", ")}</p>`,
  ]);
}

/** Everything that is known of a cell. */
function story(cell: Cell, page: PageParts): string {
  const { requests, output, scenario, exitStatus, duration, exchanges } = cell;
  const ended = exitStatus === null ? "had to be ended" : `ended with exit status ${exitStatus}`;
  const journal = exchanges.length > 0 ? `; requests ${exchanges.join(", ")} of the journal` : "";
  return [
    `<article class="story ${toneOf(cell, page.level)}" id="${page.idOf(cell)}" tabindex="-1">`,
    '<a class="close" href="#matrix">Close</a>',
    `<h3>${badgeAnd(cell, page)}</h3>`,
    ...told(cell),
    `<p class="quiet">${markupText(`The command ${ended} after ${(duration / 1000).toFixed(1)} s${journal}.`)}</p>`,
    ...(requests.length > 0 ? [`<h4>Requests</h4>${lines(requests)}`] : []),
    ...(output.length > 0 ? [`<h4>The command printed</h4>${lines(output)}`] : []),
    `<h4>The scenario that reproduces it</h4>${lines(scenario.trimEnd().split("\n"))}`,
    "</article>",
  ].join("\n");
}

/** What the client did, what to change, and how to repeat it. */
function told({ message, fix, known, checks, repeat }: Cell): string[] {
  return [
    paragraph(message),
    ...(known === undefined ? [] : [paragraph(`Known: ${known}`)]),
    ...(checks.length > 0 ? [paragraph(`Failed: ${checks.join(", ")}`)] : []),
    ...(fix === "" ? [] : [`<p class="fix">${markupText(fix)}</p>`]),
    lines([repeat]),
  ];
}

function badgeAnd(cell: Cell, { level }: PageParts): string {
  const { name } = stateWords[stateOf(cell)];
  return `<span class="badge ${toneOf(cell, level)}">${name}</span> ${markupText(cellName(cell))}`;
}

/** @param title markup, as the body; empty for none */
function article(tone: Tone, title: string, body: readonly string[]): string {
  const head = title === "" ? [] : [`<h3>${title}</h3>`];
  return [`<article class="${tone}">`, ...head, ...body, "</article>"].join("\n");
}

function remarkLine({ about, title, lines: texts }: Remark): string {
  const further = texts.filter((text) => text !== "").map(markupText);
  return `<p><strong>${about}:</strong> ${markupText(title)} <span class="quiet">${further.join(". ")}</span></p>`;
}

function paragraph(text: string): string {
  return `<p>${markupText(text)}</p>`;
}

function lines(texts: readonly string[]): string {
  return `<pre>${texts.map(markupText).join("\n")}</pre>`;
}
