import { upperFirst } from "../../../base/text/letters.js";
import { counted, thousands } from "../../../base/text/numbers.js";
import { outcomes, type QueryProblem } from "../../../sandbox/journal/query.js";
import { visible } from "./format.js";
import { button, icon } from "./parts.js";
import type { Completion, OutcomeChoice } from "./query-text.js";
import { type Child, h, type Tree } from "./tree.js";

/** How many entries there are, by outcome. */
export type Counts = Readonly<Record<OutcomeChoice, number>>;

const choices: readonly OutcomeChoice[] = ["all", ...outcomes];

/** The search field with its completions, the outcomes with their numbers, and the actions on the whole list. */
export function searchForm(): Tree {
  return h(
    "form",
    { class: "toolbar", id: "filter", role: "search", "aria-label": "Find requests", "data-submit": "none" },
    h(
      "div",
      { class: "query-field" },
      h("input", {
        type: "text",
        id: "query",
        role: "combobox",
        "aria-label": "Find requests: terms such as status:4xx or client:demo, or any text",
        "aria-autocomplete": "list",
        "aria-expanded": "false",
        "aria-controls": "query-options",
        "aria-describedby": "query-problem",
        placeholder: "status:4xx client:demo -op:ping text",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        enterkeyhint: "search",
      }),
      h("ul", { id: "query-options", class: "options", role: "listbox", "aria-label": "Completions", hidden: true }),
    ),
    h(
      "div",
      { class: "segments", role: "group", "aria-label": "Outcome" },
      choices.map((choice) =>
        h(
          "button",
          {
            type: "button",
            class: choice,
            "data-do": "outcome",
            "data-outcome": choice,
            "aria-pressed": choice === "all" ? "true" : "false",
          },
          `${upperFirst(choice)} `,
          h("span", { class: "count" }),
        ),
      ),
    ),
    h(
      "span",
      { class: "tools" },
      button("pause", [icon("pause"), h("span", {}, "Pause")], { id: "pause", "aria-pressed": "false" }),
      button("hide", [icon("clear"), h("span", {}, "Clear")], {
        id: "clear",
        title: "Hide the present entries, in this browser",
      }),
      h(
        "details",
        { class: "menu" },
        h("summary", { class: "button" }, icon("download"), h("span", {}, "Export")),
        h(
          "div",
          {},
          button("export", "What matches, as HAR", { "data-format": "har" }),
          button("export", "What matches, as NDJSON", { "data-format": "ndjson" }),
        ),
      ),
    ),
    h("p", { id: "query-problem", class: "query-problem", hidden: true }),
  );
}

/** The problems of a query, each with its position. */
export function queryProblems(text: string, problems: readonly QueryProblem[]): Child {
  return problems
    .slice(0, 3)
    .map(({ at, length, message }) => [
      h(
        "code",
        {},
        visible(beginning(text.slice(0, at))),
        h("mark", {}, visible(text.slice(at, at + length)) || " "),
        visible(text.slice(at + length, at + length + 20)),
      ),
      " ",
      visible(message),
      h("br"),
    ]);
}

/** The last characters of a text, which ends before a problem. */
function beginning(text: string): string {
  return text.length > 20 ? `…${text.slice(-20)}` : text;
}

/** @param active the index of the completion that Enter takes */
export function completionList(found: readonly Completion[], active: number): Tree[] {
  return found.map(({ label, meaning }, index) =>
    h(
      "li",
      { id: `query-option-${index}`, role: "option", "aria-selected": index === active ? "true" : "false" },
      h("code", {}, visible(label)),
      meaning !== "" && h("small", {}, meaning),
    ),
  );
}

/**
 * `138 of 5,354`.
 * @param kept how many entries the journal has
 */
export function shownCount(total: number, kept: number): string {
  return total === kept ? `${thousands(kept)}` : `${thousands(total)} of ${thousands(kept)}`;
}

/**
 * `37 new, 2 refused`.
 * @param chosen the outcome that the query selects
 */
export function newCount(total: number, { refused, handshake }: Counts, chosen: OutcomeChoice | undefined): string {
  const parts = [`${thousands(total)} new`];
  if (chosen === "all" && refused > 0) parts.push(`${thousands(refused)} refused`);
  if (chosen === "all" && handshake > 0) parts.push(counted(handshake, "handshake"));
  return parts.join(", ");
}
