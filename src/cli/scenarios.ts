import { displayPath } from "../base/files/display-path.js";
import { printable } from "../base/text/printable.js";
import { wrapWords } from "../base/text/wrap.js";
import { formatProblem } from "../base/yaml/problem.js";
import { readScenarios } from "../library/read-scenarios.js";
import { locatedConfiguration } from "../library/start-located.js";
import { jsonText } from "../report/json.js";
import { type GivenSettings, SettingError } from "../sandbox/config/settings.js";
import { isRenewal, type ServerRenewal } from "../sandbox/connection/server-certificate.js";
import type { ServerDefect } from "../sandbox/connection/server-defect.js";
import { describeExpectation, describeRule } from "../sandbox/scenarios/describe-rule.js";
import { unknownScenarioMessage } from "../sandbox/scenarios/engine.js";
import type { LibraryEntry } from "../sandbox/scenarios/library.js";
import { firstSentence } from "../sandbox/scenarios/scenario.js";
import { time } from "../sandbox/scenarios/words.js";

/** Widest line, in characters. */
const columns = 80;

/** A longer name has its own line. */
const widestName = 32;

/**
 * `payments-sandbox scenarios`: lists all scenarios, the user's own first. With a name: explains that scenario.
 * @throws SettingError when there is no scenario with that name
 */
export async function scenarios(
  flags: GivenSettings,
  { json = false }: { readonly json?: boolean },
  name?: string | undefined,
): Promise<void> {
  const { scenarios: folder } = await locatedConfiguration(flags, process.env, process.cwd());
  const library = await readScenarios(folder);
  if (name !== undefined) {
    const entry = library.get(name);
    if (!entry) throw new SettingError(unknownScenarioMessage(name, library));
    process.stdout.write(json ? jsonText(details(entry)) : terminalText(explained(entry)));
    if (entry.problems.length > 0) process.exitCode = 1;
    return;
  }
  const entries = library.all();
  process.stdout.write(json ? jsonText(entries.map(facts)) : terminalText(page(entries, folder)));
}

/** The content of files is not trusted. Tabs are harmless, and are kept. */
function terminalText(text: string): string {
  const shown = (line: string) => line.split("\t").map((part) => printable(part, Number.POSITIVE_INFINITY));
  return text
    .split(/\r?\n/)
    .map((line) => shown(line).join("\t"))
    .join("\n");
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

function details(entry: LibraryEntry) {
  const { scenario, text } = entry;
  return {
    ...facts(entry),
    expect: scenario?.expectation ?? null,
    explanation: scenario?.rules.map(describeRule) ?? [],
    text,
  };
}

/** One scenario: what it does, what a correct client does, each rule in words, and the file. */
function explained({ name, origin, file, scenario, problems, text }: LibraryEntry): string {
  const place = file === undefined ? "" : ` (${displayPath(file)})`;
  const parts = [`${name}, ${origin === "folder" ? "yours" : "built in"}${place}`, ""];
  for (const problem of problems) parts.push(...wrapped(`✗ ${formatProblem(problem)}`, columns), "");
  if (scenario) {
    parts.push(...wrapped(scenario.description, columns), "");
    if (scenario.expectation) parts.push(...wrapped(describeExpectation(scenario.expectation), columns), "");
    if (scenario.serverCertificate) parts.push(`${metCertificate(scenario.serverCertificate)}.`, "");
    if (scenario.clientValidity !== undefined)
      parts.push(
        `A sandbox that starts with it gives demo, other and chained certificates that are valid for ${time(scenario.clientValidity)}.`,
        "",
      );
    if (scenario.rules.length > 0) {
      parts.push("Of these rules, the first one whose conditions hold acts:");
      for (const rule of scenario.rules) {
        const [first = "", ...more] = wrapped(`${rule.name}: ${describeRule(rule)}`, columns - 4);
        parts.push(`  - ${first}`, ...more.map((line) => `    ${line}`));
      }
      parts.push("");
    }
  }
  return [...parts, text.trimEnd(), ""].join("\n");
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
    "Explain one:        payments-sandbox scenarios NAME",
    "Choose one for all: payments-sandbox start --scenario NAME",
    "For one request:    the header Sandbox-Scenario: NAME",
    "",
  ].join("\n");
}

function row({ name, scenario, problems }: LibraryEntry, width: number): string {
  const [problem] = problems;
  const text = scenario && !problem ? firstSentence(scenario.description) : `✗ ${problem?.message ?? "cannot be read"}`;
  const indent = " ".repeat(width + 4);
  const lines = wrapped(text, columns - indent.length);
  if (name.length > width) lines.unshift("");
  return `  ${name.padEnd(width)}  ${lines.join(`\n${indent}`)}`.replaceAll(/ +$/gm, "");
}

/** Lines that break between words. */
function wrapped(text: string, width: number): string[] {
  return wrapWords(text.trim().split(/\s+/), width);
}

function metCertificate(certificate: ServerDefect | ServerRenewal): string {
  if (!isRenewal(certificate)) return `Every new connection meets a server certificate with the defect: ${certificate}`;
  const issuer = certificate === "renewed" ? "the same CA" : "the next CA";
  return `Connections that begin after the first request meet a new server certificate of ${issuer}`;
}
