import { type DifferenceGroup, differences } from "../../../sandbox/journal/differences.js";
import type { ExchangeDetail } from "./data.js";
import { exchangeTone } from "./entry.js";
import { visible } from "./format.js";
import { badge, button, hash, icon, quietText, table } from "./parts.js";
import { callText, statusText } from "./request-row.js";
import { type Child, h, type Tree } from "./tree.js";

/** The panel of two exchanges, side by side. */
export function comparisonPanel(left: ExchangeDetail, right: ExchangeDetail): Tree {
  const groups = differences(left, right);
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
    groups.length > 0 &&
      h(
        "p",
        { id: "why", class: "quiet" },
        `They differ in ${groups.map(({ title }) => title.toLowerCase()).join(", ")}.`,
      ),
    groups.map(differenceTable),
  );
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

function differenceTable({ title, rows }: DifferenceGroup): Tree {
  const id = `differs-${title.toLowerCase().replaceAll(" ", "-")}`;
  return h(
    "section",
    { class: "differences" },
    h("h3", { id }, title),
    table(
      ["", "Left", "Right"],
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
