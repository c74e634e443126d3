import type { Client, Scenario, ScenarioChoice } from "./data.js";
import { plural, visible } from "./format.js";
import { highlightYaml } from "./highlight.js";
import { badge, button, codeBlock, hash, icon, quietText, searchInput, section } from "./parts.js";
import { targetChoice } from "./target.js";
import { type Child, h, type Tree } from "./tree.js";

/** What the page of scenarios shows. */
export interface ScenariosModel {
  readonly scenarios: readonly Scenario[];
  readonly clients: readonly Client[];
  /** The client that a change applies to; undefined for all. */
  readonly target: string | undefined;
  readonly forAll: ScenarioChoice;
  /** What is active for the target; the same as `forAll` if the target is all clients. */
  readonly active: ScenarioChoice;
  readonly chosen: string | undefined;
  /** The text of the chosen one. */
  readonly yaml: string | undefined;
  readonly filter: string;
}

export function scenariosPage(model: ScenariosModel): Tree[] {
  const { scenarios, clients, target, filter, chosen } = model;
  const words = filter.toLowerCase();
  const wanted = scenarios.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words));
  return [
    h(
      "div",
      { class: "side" },
      h("div", { class: "aim" }, targetChoice("Active for", clients, target), nowActive(model)),
      searchInput("scenario", "Find a scenario", filter),
      h(
        "ul",
        { class: "items scenarios" },
        wanted.map((scenario) => scenarioItem(scenario, model)),
      ),
      wanted.length === 0 && quietText("No scenario matches."),
    ),
    h("div", { class: "main" }, chosen === undefined ? hint() : detail(model, chosen)),
  ];
}

function hint(): Tree {
  return h(
    "p",
    { class: "hint" },
    "A scenario makes the sandbox fail on purpose. Choose one to read it; one click makes it active. Files that are saved in the scenarios folder appear here automatically.",
  );
}

/** The scenario of the target in words, and the buttons that end it. */
function nowActive({ target, active, forAll }: ScenariosModel): Tree {
  const own = target !== undefined && active.source === "client";
  const name =
    active.name === null ? "no scenario" : h("a", { href: hash("scenarios", active.name) }, visible(active.name));
  return h(
    "p",
    { class: `now-active${active.name === null ? "" : " on"}`, role: "status" },
    icon(active.name === null ? "unreached" : "scenario"),
    h("span", {}, name, target !== undefined && (own ? ", its own choice" : ", as for all")),
    active.name !== null && button("scenario-off", "Stop", { id: "scenario-off" }),
    own &&
      button("scenario-follow", `Follow all${forAll.name === null ? "" : ` (${visible(forAll.name)})`}`, {
        id: "scenario-follow",
      }),
  );
}

function scenarioItem({ name, description, problems, origin }: Scenario, { active, chosen }: ScenariosModel): Tree {
  const isActive = active.name === name;
  const usable = description !== null;
  return h(
    "li",
    { class: isActive && "active" },
    h(
      "a",
      { href: hash("scenarios", name), "aria-current": chosen === name && "true" },
      h("b", {}, visible(name)),
      isActive && badge("warn", "active"),
      problems.length > 0 && badge("bad", "broken"),
      origin !== "built-in" && badge("plain", origin),
      h("small", {}, description === null ? "no version of it was ever valid" : visible(firstSentence(description))),
    ),
    isActive
      ? button("scenario-off", "Stop", { "aria-label": `Stop ${name}`, id: `off-${name}` })
      : usable &&
          button("scenario-on", "Activate", { "data-name": name, "aria-label": `Activate ${name}`, id: `on-${name}` }),
  );
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

function detail({ scenarios, yaml, active, target }: ScenariosModel, chosen: string): Child {
  const scenario = scenarios.find(({ name }) => name === chosen);
  if (!scenario) return h("p", { class: "hint" }, `There is no scenario "${visible(chosen)}" (any more).`);
  const { name, description, origin, rules, problems, warnings } = scenario;
  const who = target === undefined ? "all clients" : visible(target);
  const isActive = active.name === name;
  return [
    h("a", { class: "button back", href: hash("scenarios") }, icon("back"), "Scenarios"),
    h(
      "div",
      { class: "title-row" },
      h("h2", {}, visible(name)),
      isActive
        ? button("scenario-off", `Stop for ${who}`, { id: "detail-off" })
        : description !== null &&
            button("scenario-on", [icon("scenario"), `Activate for ${who}`], {
              class: "button primary",
              "data-name": name,
              id: "detail-on",
            }),
      h("a", { class: "button", href: hash("scenarios", name, "edit") }, "Edit"),
      origin === "uploaded" &&
        button("remove-scenario", "Remove", { class: "button danger", "data-name": name, id: "remove-scenario" }),
    ),
    quietText(
      [originText(origin), description !== null && rulesText(rules)].filter((text) => text !== false).join(" · "),
    ),
    problems.length > 0 &&
      findings(
        description === null
          ? "This file cannot be used."
          : "The newest text is broken; the last good one stays in force.",
        problems,
      ),
    warnings.length > 0 && findings("Some of its rules can never act.", warnings),
    description !== null && h("p", { class: "purpose" }, visible(description)),
    section(
      `${name}.yaml`,
      yaml === undefined
        ? quietText("…")
        : codeBlock(yaml, `the text of ${name}`, highlightYaml(yaml, problemLines([...problems, ...warnings]))),
    ),
  ];
}

function findings(summary: string, texts: readonly string[]): Tree {
  return h(
    "div",
    { class: "problems", role: "alert" },
    h("p", {}, icon("refused"), h("b", {}, summary)),
    h(
      "ul",
      {},
      texts.map((text) => h("li", {}, h("code", {}, visible(text)))),
    ),
  );
}

function rulesText(rules: number): string {
  return rules === 0 ? "acts on the server's certificate" : plural(rules, "rule");
}

function originText(origin: Scenario["origin"]): string {
  return origin === "uploaded" ? "uploaded" : origin === "folder" ? "from your folder" : "comes with the sandbox";
}

/** The line numbers in problems: `file:LINE:COLUMN: what`. */
function problemLines(problems: readonly string[]): Set<number> {
  return new Set(problems.map((problem) => Number(/:(\d+):\d+:? /.exec(problem)?.[1] ?? 0)));
}
