import { type DifferenceGroup, differences } from "../../../sandbox/journal/differences.js";
import type { ExchangeDetail } from "./data.js";
import { exchangeOutcome, exchangeTone } from "./entry.js";
import { visible } from "./format.js";
import { badge, button, hash, icon, quietText, table } from "./parts.js";
import { callText, statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** The panel of two exchanges, side by side. */
export function comparisonPanel(left: ExchangeDetail, right: ExchangeDetail): Tree {
  const found = differences(left, right);
  const deciding = decidingRow(left, right, found);
  const groups = deciding ? withFirst(found, deciding) : found;
  return h(
    "div",
    { class: "panel" },
    h(
      "div",
      { class: "panel-head" },
      h("a", { class: "button back", href: hash("requests", `r${left.id}`) }, icon("back"), "Request"),
      h("h2", {}, "Only what differs"),
      button("close", icon("close"), { class: "button icon-only close", "aria-label": "Close the comparison" }),
    ),
    h("div", { class: "compared" }, side("Left", left), side("Right", right)),
    groups.length === 0 && h("p", { id: "why", class: "why good" }, "They do not differ in anything that is kept."),
    deciding && h("p", { id: "why", class: "why info" }, decidingText(left, right, deciding)),
    groups.length > 0 &&
      h(
        "p",
        { id: deciding === undefined && "why", class: "quiet" },
        `They differ in ${groups.map(({ title }) => title.toLowerCase()).join(", ")}.`,
      ),
    groups.map((group, index) => differenceTable(group, index === 0)),
  );
}

/**
 * What made the difference between a refused request and a good one, if it is a parameter, a member of the form or a
 * header that the refusal names, or the only parameter in which they differ.
 */
function decidingRow(
  left: ExchangeDetail,
  right: ExchangeDetail,
  groups: readonly DifferenceGroup[],
): DifferenceGroup["rows"][number] | undefined {
  if (isBad(left) === isBad(right)) return undefined;
  const bad = isBad(left) ? left : right;
  const rowsOf = (...titles: string[]) => groups.flatMap(({ title, rows }) => (titles.includes(title) ? rows : []));
  const given = rowsOf("Query", "Form");
  const isNamed = ({ name }: (typeof given)[number]) =>
    bad.explanation
      .toLowerCase()
      .match(/[\w-]+/g)
      ?.includes(name.toLowerCase()) === true;
  return [...given, ...rowsOf("Request headers")].find(isNamed) ?? (given.length === 1 ? given[0] : undefined);
}

function isBad({ status, fault }: ExchangeDetail): boolean {
  return exchangeOutcome({ status, fault }) === "refused";
}

/** The groups with the one of a row first, and in it this row. */
function withFirst(groups: readonly DifferenceGroup[], row: DifferenceGroup["rows"][number]): DifferenceGroup[] {
  const own = groups.filter(({ rows }) => rows.includes(row));
  const first = own.map(({ title, rows }) => ({ title, rows: [row, ...rows.filter((other) => other !== row)] }));
  return [...first, ...groups.filter((group) => !own.includes(group))];
}

/** `pageSize made the difference: 500 was refused with INVALID_PAGE_SIZE, 5 was accepted.` */
function decidingText(left: ExchangeDetail, right: ExchangeDetail, deciding: DifferenceGroup["rows"][number]): Child {
  const bad = isBad(left) ? left : right;
  const [refused, good] = isBad(left) ? [deciding.left, deciding.right] : [deciding.right, deciding.left];
  const value = (text: string | undefined, verb: string): Child =>
    text === undefined ? `without it the request was ${verb}` : [h("code", {}, visible(text) || '""'), ` was ${verb}`];
  return [
    h("b", {}, h("code", {}, visible(deciding.name)), " made the difference: "),
    value(refused, `refused with ${bad.code ?? bad.status}`),
    ", ",
    value(good, "accepted"),
    ".",
  ];
}

function side(name: string, { id, method, target, status, code, fault }: ExchangeDetail): Tree {
  return h(
    "p",
    { class: "line" },
    h("span", { class: "quiet" }, `${name} `),
    h("a", { href: hash("requests", `r${id}`) }, `request ${id}`),
    " ",
    badge(exchangeTone({ fault, status }), statusText(status), code !== null && ` ${visible(code)}`),
    " ",
    callText(method, target),
  );
}

/** How many differences of one kind are shown. */
const mostShown = 60;

/** @param isFirst the sides are named once; a screen reader reads them in each table */
function differenceTable({ title, rows }: DifferenceGroup, isFirst: boolean): Tree {
  const side = (name: string) => h("span", { class: !isFirst && "sr-only" }, name);
  const id = `differs-${title.toLowerCase().replaceAll(" ", "-")}`;
  return h(
    "section",
    { class: "differences" },
    h("h3", { id }, title),
    table(
      ["", side("Left"), side("Right")],
      rows
        .slice(0, mostShown)
        .map(({ name, left, right }) =>
          h("tr", {}, h("th", { scope: "row" }, visible(name)), cell("left", left), cell("right", right)),
        ),
      { "aria-labelledby": id },
    ),
    rows.length > mostShown && quietText(`and ${rows.length - mostShown} more`),
  );
}

function cell(label: string, value: string | undefined): Tree {
  const content: Child =
    value === undefined
      ? h("i", { class: "quiet" }, "missing")
      : value === ""
        ? h("i", {}, "empty")
        : h("code", {}, visible(value));
  return h("td", { "data-label": label }, content);
}
