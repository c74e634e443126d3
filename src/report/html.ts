import { createHash } from "node:crypto";
import { raw } from "hono/html";
import { counted } from "../base/text/numbers.js";
import { htmlStyle } from "./html-style.js";
import { type Markup, markup, onLines } from "./markup.js";
import { shortRequest } from "./request-line.js";
import {
  adviceOf,
  type Counts,
  type FailingTest,
  type Finding,
  type Group,
  type Item,
  type Mark,
  type Sheet,
  sectionsOf,
} from "./sheet.js";

/** The logo of the dashboard. */
const logo = raw(
  '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 5.5L8 2.5l6 3v5l-6 3-6-3z"/><path d="M2 5.5l6 3 6-3M8 8.5v5"/></svg>',
);

/**
 * The report as one HTML file that needs no network and no script, and looks like the dashboard, in light and dark: the
 * answer, counts, the matrix if there is one, findings, and everything else in folded lines. It may only use its own style.
 */
export function htmlText(sheet: Sheet): string {
  const { verdict, lead, counts, remarks, groups } = sheet;
  const hash = createHash("sha256").update(htmlStyle).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const idOf = new Map<Group | Item, string>();
  for (const [row, group] of groups.entries()) {
    idOf.set(group, `group-${row + 1}`);
    for (const [column, item] of group.items.entries()) idOf.set(item, `item-${row + 1}-${column + 1}`);
  }
  const page = { sheet, idOf: (part: Group | Item) => idOf.get(part) ?? "" };
  return markup`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${verdict} Business Payments Sandbox</title>
<style>${raw(htmlStyle)}</style></head>
<body><header><p>${logo}Business Payments <strong>Sandbox</strong></p></header>
<main><h1>${verdict}</h1>
${lead.map((text) => markup`<p>${text}</p>`)}
${counts.map(tiles)}
${matrixTable(page)}
${sectionsOf(sheet).map(({ title, findings }) => markup`<h2>${title}</h2>${findings.map((finding) => card(finding, page))}`)}
${byTest(page)}
${remarks.length > 0 ? markup`<h2>Remarks</h2><article class="none">${remarks.map(remark)}</article>` : ""}
<h2>${groups.length === 1 && sheet.matrix === undefined ? "All checks" : `All ${sheet.groupName}s`}</h2>
${groups.map((group) => folded(group, page))}
</main></body></html>
`.toString();
}

interface Page {
  readonly sheet: Sheet;
  /** The anchor of a folded line. */
  readonly idOf: (part: Group | Item) => string;
}

function tiles({ what, of }: Counts): Markup {
  const present = of.filter(([, count]) => count > 0);
  return markup`<dl>${present.map(([word, count, tone]) => markup`<div class="${tone}"><dt>${what}: ${word}</dt><dd>${count}</dd></div>`)}</dl>`;
}

/** The matrix and its legend. */
function matrixTable(page: Page): Markup | "" {
  const { matrix, groups, groupName } = page.sheet;
  if (matrix === undefined || matrix.columns.length === 0) return "";
  const { columns, legend } = matrix;
  return markup`<p class="quiet about" id="about">Each sign is one run of the command, with one fault at one point of the conversation. It opens its story.</p>
<div class="scroll" id="matrix" tabindex="0" role="region" aria-labelledby="about"><table>
<thead><tr><th scope="col">${groupName}</th>${columns.map((column) => markup`<th scope="col"><span>${column}</span></th>`)}</tr></thead>
<tbody>${onLines(groups.map((group) => row(group, columns, page)))}</tbody></table></div>
<ul class="legend">${legend.map(({ mark, means, count }) => markup`<li class="${mark.tone}"><span class="sign">${mark.sign}</span>${mark.word} (${count}): <span class="quiet">${means}</span></li>`)}</ul>`;
}

function row(group: Group, columns: readonly string[], { idOf }: Page): Markup {
  const cells = columns.map((column) => {
    const item = group.items.find(({ name }) => name === column);
    if (item === undefined) return markup`<td></td>`;
    const { tone, word, sign } = item.mark;
    return markup`<td><a class="${tone}" href="#${idOf(item)}" title="${`${group.name}/${column}: ${word}`}"><span aria-hidden="true">${sign}</span><span class="hidden">${word}</span></a></td>`;
  });
  // It may be broken after a dot.
  const name = group.name.split(/(?<=\.)/).map((part) => markup`${part}<wbr>`);
  return markup`<tr><th scope="row"><span>${name}</span></th>${cells}</tr>`;
}

/** A finding: the story of its first place, and links to all. */
function card({ title, places }: Finding, page: Page): Markup {
  const [{ item }] = places;
  const { groups, matrix } = page.sheet;
  const several = groups.length > 1 || matrix !== undefined;
  return markup`<article class="${item.mark.tone}"><h3>${badge(item.mark)} ${title} <span class="rule">${item.rule}</span></h3>
${story(item)}
${several ? markup`<p class="quiet">In ${linksTo(places, page)}</p>` : ""}</article>
`;
}

/** The findings of each test, with links to their stories. */
function byTest(page: Page): Markup | "" {
  const { tests = [] } = page.sheet;
  if (tests.length === 0) return "";
  const lines = tests.map(
    ({ name, places }) =>
      markup`<li><strong>${name}</strong> <span class="quiet">fails at</span> ${linksTo(places, page)}</li>
`,
  );
  return markup`<h2>By test</h2><ul class="tests">${lines}</ul>`;
}

function linksTo(places: Finding["places"] | FailingTest["places"], { sheet, idOf }: Page): readonly Markup[] {
  return places.map(({ group, item }, index) => {
    const name = sheet.matrix === undefined ? group.name : `${group.name}/${item.name}`;
    return markup`${index === 0 ? "" : ", "}<a href="#${idOf(item)}">${name}</a>`;
  });
}

/** What the client did, what to change, and what shows it. */
function story(item: Item): Markup {
  const { message, known, evidence, tests, output, repeat } = item;
  const advice = adviceOf(item);
  return markup`<p>${message}</p>${advice === "" ? "" : markup`<p class="${known === undefined ? "fix" : ""}">${advice}</p>`}
${block(
  "Requests",
  evidence.map((request) => shortRequest(request)),
)}${block("Tests that failed", tests)}${block("The command printed", output)}${block("Repeat it", repeat === "" ? [] : [repeat])}`;
}

function block(title: string, lines: readonly string[]): Markup | "" {
  return lines.length === 0 ? "" : markup`<p class="label">${title}</p><pre>${onLines(lines)}</pre>`;
}

function badge({ tone, word }: Mark): Markup {
  return markup`<span class="badge ${tone}">${word}</span>`;
}

function remark({ about, title, lines }: Sheet["remarks"][number]): Markup {
  const further = lines.filter((text) => text !== "").join(". ");
  return markup`<p><strong>${about}:</strong> ${title} <span class="quiet">${further}</span></p>`;
}

/** A group in a folded line. A failed one is open, and so is the only one. What went well in a drill is folded again. */
function folded(group: Group, page: Page): Markup {
  const { name, mark, facts, tests, output, items } = group;
  const { groups, matrix } = page.sheet;
  const isOpen = mark?.tone === "bad" || (groups.length === 1 && matrix === undefined);
  const [about = "", ...others] = facts;
  const [failed, rest] =
    mark === undefined ? [items, []] : [items.filter(isNotable), items.filter((item) => !isNotable(item))];
  return markup`<details${isOpen ? raw(" open") : ""}><summary>${mark === undefined ? "" : badge(mark)} ${name} <span class="quiet">${about}</span></summary>
<div class="facts" id="${page.idOf(group)}">${others.map((text) => markup`<p>${text}</p>`)}${block("Tests that failed", tests)}${block("The command printed", output)}</div>
<ul>${failed.map((item) => line(item, page))}</ul>${rest.length === 0 ? "" : markup`<details class="rest"><summary>${counted(rest.length, "result")} that passed, or were not exercised</summary><ul>${rest.map((item) => line(item, page))}</ul></details>`}</details>
`;
}

function isNotable({ mark, finding }: Item): boolean {
  return finding !== undefined || mark.tone === "bad";
}

/** An item of a group: a line, or a folded line if it has more to tell. */
function line(item: Item, { idOf }: Page): Markup {
  const { name, mark, rule, message, scenario } = item;
  const head = markup`<span>${badge(mark)}</span><code>${name}</code>`;
  if (item.evidence.length + item.tests.length + item.output.length + scenario.length === 0)
    return markup`<li id="${idOf(item)}">${head}<span>${message} <span class="quiet">${rule}</span></span></li>
`;
  const yaml = scenario.trimEnd().split("\n");
  return markup`<li class="story"><details><summary>${head}<span>${message}</span></summary><div id="${idOf(item)}">
<p class="quiet">${rule}</p>${story(item)}<p>${item.ended}</p>${block("The scenario that reproduces it", scenario === "" ? [] : yaml)}</div></details></li>
`;
}
