import { resolveConfiguration } from "../config/resolve.js";
import type { GivenSettings } from "../config/settings.js";
import { displayPath } from "../files/display-path.js";
import { builtInScenarios, type LibraryEntry, ScenarioLibrary } from "../scenarios/library.js";
import { firstSentence } from "../scenarios/summary.js";
import { formatProblem } from "../yaml/document.js";
import { wrapWords } from "./wrap.js";

/** Widest line, in characters. */
const columns = 80;

/** A name longer than this has a line of its own. */
const widestName = 32;

/** `payments-sandbox scenarios`: what can be chosen here, the user's own first. */
export async function scenarios(flags: GivenSettings, { json }: { readonly json: boolean }): Promise<void> {
  const { scenarios: folder } = await resolveConfiguration(flags, process.env, process.cwd());
  const library = await ScenarioLibrary.open({ builtIn: builtInScenarios, folder });
  library.close();
  const entries = library.all();
  process.stdout.write(json ? `${JSON.stringify(entries.map(facts), null, 2)}\n` : page(entries, folder));
}

function facts({ name, origin, file, scenario, problems }: LibraryEntry) {
  return {
    name,
    summary: scenario ? firstSentence(scenario.description) : null,
    description: scenario?.description ?? null,
    origin,
    file,
    rules: scenario?.rules.map((rule) => rule.name) ?? [],
    problems: problems.map(formatProblem),
  };
}

function page(entries: readonly LibraryEntry[], folder: string | undefined): string {
  const own = entries.filter(({ origin }) => origin === "folder");
  const builtIn = entries.filter(({ origin }) => origin === "built-in");
  const width = Math.min(widestName, Math.max(...entries.map(({ name }) => name.length)));
  return [
    ...(own.length > 0
      ? [`Yours, in ${displayPath(folder ?? "")}/:`, ...own.map((entry) => row(entry, width)), ""]
      : []),
    "Built in:",
    ...builtIn.map((entry) => row(entry, width)),
    "",
    "Choose one for all: payments-sandbox start --scenario NAME",
    "For one request:    the header Sandbox-Scenario: NAME",
    "",
  ].join("\n");
}

function row({ name, scenario, problems }: LibraryEntry, width: number): string {
  const [problem] = problems;
  const text = scenario && !problem ? firstSentence(scenario.description) : `✗ ${problem?.message ?? "cannot be read"}`;
  const indent = " ".repeat(width + 4);
  const lines = wrapWords(text.trim().split(/\s+/), columns - indent.length);
  if (name.length > width) lines.unshift("");
  return `  ${name.padEnd(width)}  ${lines.join(`\n${indent}`)}`.replaceAll(/ +$/gm, "");
}
