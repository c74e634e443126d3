import type { Assumption } from "./data.js";
import { interfaceSections, sectionNumber } from "./interface-sections.js";
import { badge, mono, quietText, searchInput, table } from "./parts.js";
import { type Child, h, type Tree } from "./tree.js";

/** What the page of assumptions shows. */
export interface AssumptionsModel {
  readonly assumptions: readonly Assumption[];
  readonly filter: string;
  /** The assumption, or the section (`§7 rule 3`), that a link points to. */
  readonly chosen: string | undefined;
}

/** What the interface says, section by section, and under it what it leaves open and what the sandbox does there. */
export function assumptionsPage({ assumptions, filter, chosen }: AssumptionsModel): Tree[] {
  const words = filter.toLowerCase().split(/\s+/);
  const fits = (...texts: (string | null)[]) => {
    const text = texts.join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups = interfaceSections.flatMap(({ number, title, says }) => {
    const rows = assumptions.filter(({ section }) => sectionNumber(section) === number);
    const wanted = rows.filter(({ id, section, point, choice, why, key }) =>
      fits(`§${section}`, id, point, choice, why, key),
    );
    if (wanted.length === 0 && !fits(`§${number}`, title, says)) return [];
    return [{ number, title, says, rows: wanted }];
  });
  return [
    h(
      "div",
      { class: "assumptions" },
      h("p", { class: "lead" }, "What the interface says, and what it leaves open"),
      quietText(
        "An answer that is based on one of these choices says so in the header Sandbox-Assumed. Each can be changed in sandbox.yaml by its key.",
      ),
      searchInput("assumption", "Search the assumptions", filter, "Search: a code, a header, a section"),
      h(
        "p",
        { class: "sr-only", role: "status" },
        `${groups.reduce((sum, { rows }) => sum + rows.length, 0)} assumptions`,
      ),
      groups.length === 0 && quietText("Nothing matches."),
      groups.map(({ number, title, says, rows }) => group({ number, title, says }, rows, chosen)),
    ),
  ];
}

function group(
  { number, title, says }: { number: string; title: string; says: string },
  rows: readonly Assumption[],
  chosen: string | undefined,
): Tree {
  const pointed = chosen?.startsWith("§") && sectionNumber(chosen) === number;
  return h(
    "section",
    { id: `section-${number}` },
    h("h2", { class: pointed && "pointed" }, h("span", { class: "number" }, `§${number}`), ` ${title}`),
    h("p", { class: "says" }, says),
    rows.length > 0 &&
      table(
        ["Left open", "What the sandbox does", "Why", "Changed by"],
        rows.map((row) => assumptionRow(row, row.id === chosen || `§${row.section}` === chosen)),
      ),
  );
}

function assumptionRow({ id, section, point, choice, why, key, setting, changed }: Assumption, pointed: boolean): Tree {
  return h(
    "tr",
    { id: `assumption-${id}`, class: pointed && "pointed" },
    h("td", { "data-label": "Left open" }, h("code", { class: "id" }, id), ` §${section}`, h("p", {}, codes(point))),
    h(
      "td",
      { "data-label": "What the sandbox does" },
      h("p", {}, codes(choice)),
      changed && h("p", {}, badge("warn", "changed"), " ", mono(JSON.stringify(setting))),
    ),
    h("td", { "data-label": "Why" }, codes(why)),
    h("td", { "data-label": "Changed by" }, key === null ? "nothing" : mono(key)),
  );
}

/** Texts of the table mark code with backticks. */
function codes(text: string): Child {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? h("code", {}, piece) : piece));
}
