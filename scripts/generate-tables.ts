import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type MetricFacts, metricTables } from "../src/admin/metrics/table.js";
import { checkFacts, checkIds } from "../src/exam/checks.js";
import { type ExploreFault, exploreFaults } from "../src/explore/faults.js";
import { type State, states, stateWords } from "../src/explore/formats/words.js";
import { type Counts, countsOf, type Verdict, verdicts } from "../src/explore/report.js";
import { assumption, assumptionIds, configurationKey } from "../src/sandbox/assumptions.js";
import { describeSetting, settingFacts, settingNames } from "../src/sandbox/config/settings.js";
import { defectFacts, defectVariable, serverDefects, tlsClients } from "../src/sandbox/connection/server-defect.js";
import { errorCodes, errorFacts } from "../src/sandbox/errors.js";
import { publicHeaders, secretNames, secretPlaces } from "../src/sandbox/journal/secret-names.js";
import { identityProfiles } from "../src/sandbox/pki/profiles.js";
import { fillRegions, table } from "./markdown.js";
import { terminalExample } from "./terminal-example.js";

/** Pages with tables that are generated here. */
const paths = [
  "docs/assumptions.md",
  "docs/connections.md",
  "docs/exam.md",
  "docs/explore.md",
  "docs/metrics.md",
  "docs/security.md",
  "docs/settings.md",
] as const;

/** The generated tables of these pages: path in the repository, and text. */
export async function generated(root: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const [inNode, inPython] = await Promise.all([
    codeOf(join(root, "examples/exam/client.mjs"), "js"),
    codeOf(join(root, "examples/exam/client.py"), "python"),
  ]);
  const programs = { "program-node": () => inNode, "program-python": () => inPython };
  for (const path of paths) {
    texts.set(path, fillRegions(await readFile(join(root, path), "utf8"), path, { ...regions, ...programs }));
  }
  return texts;
}

/** A file as a block of code. */
async function codeOf(file: string, kind: string): Promise<string> {
  return `\`\`\`${kind}\n${await readFile(file, "utf8")}\`\`\``;
}

const regions: Readonly<Record<string, () => string>> = {
  settings: settingsTable,
  identities: identitiesTable,
  "server-defects": serverDefectsTable,
  assumptions: assumptionsTable,
  codes: codesTable,
  secrets: secretsTable,
  checks: checksTable,
  "explore-faults": exploreFaultsTable,
  "explore-verdicts": exploreVerdictsTable,
  terminal: terminalExample,
  "metrics-sandbox": () => metricsTable(metricTables.sandbox),
  "metrics-shared": () => metricsTable(metricTables.shared),
};

function settingsTable(): string {
  return table(
    ["flag", "variable", "key", "default", "what it does"],
    settingNames.map((name) => {
      const { flag, variable, key, shownDefault } = settingFacts(name);
      return [`\`${flag}\``, `\`${variable}\``, key === null ? "" : `\`${key}\``, shownDefault, describeSetting(name)];
    }),
  );
}

function identitiesTable(): string {
  return table(
    ["folder below `certs/`", "what it is for"],
    identityProfiles.map(({ folder, purpose }) => [`\`${folder}\``, purpose]),
  );
}

function serverDefectsTable(): string {
  return table(
    ["name", "the certificate", "variable", ...tlsClients],
    serverDefects.map((defect) => {
      const { certificate, acceptedBy = [] } = defectFacts(defect);
      const judged = tlsClients.map((client) => (acceptedBy.includes(client) ? "goes on" : "refuses"));
      return [`\`${defect}\``, certificate, `\`${defectVariable(defect)}\``, ...judged];
    }),
  );
}

function assumptionsTable(): string {
  return table(
    ["id", "§", "left open", "what the sandbox does", "why", "named in", "changed by"],
    assumptionIds.map((id) => {
      const { section, point, choice, why, named } = assumption(id);
      const key = configurationKey(id);
      return [`\`${id}\``, section, point, choice, why, named ?? "the refusal", key === null ? "fixed" : `\`${key}\``];
    }),
  );
}

function secretsTable(): string {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  return table(
    ["names", "", "where"],
    [
      ...secretNames.map(({ names, asEnding, places }) => [
        listed(names),
        asEnding ? "at the end of a name" : "the whole name",
        places.map((place) => secretPlaces[place]).join(", "),
      ]),
      [`not ${listed(publicHeaders)}`, "the whole name", secretPlaces.header],
    ],
  );
}

function checksTable(): string {
  return table(
    ["check", "level", "source", "it takes", "it fails when", "what to do"],
    checkIds.map((id) => {
      const { level, source, exercisedBy, failsWhen, fix } = checkFacts(id);
      return [
        `[\`${id}\`](checks/${id}.md)`,
        level,
        source,
        exercisedBy,
        failsWhen,
        fix.replaceAll(/https:\/\//g, "`$&`"),
      ];
    }),
  );
}

const faultPlaces: Readonly<Record<ExploreFault["at"], string>> = {
  "every-operation": "everywhere",
  token: "token",
  "with-token": "all but the token",
  page: "a page",
  "no-page": "all but pages",
  "later-page": "a page after the first",
};

function exploreFaultsTable(): string {
  return table(
    ["fault", "where", "its rule: `then`", "a client that tries again"],
    exploreFaults.map(({ name, at, http, does, passes }) => [
      `\`${name}\``,
      http === undefined ? faultPlaces[at] : `${faultPlaces[at]}, over HTTP/${http}`,
      `\`${JSON.stringify(does)}\``,
      passes ? "comes through" : "does not",
    ]),
  );
}

/** What the states that are no verdicts count as. */
const otherCounts: Readonly<Record<Exclude<State, Verdict>, Counts>> = {
  "wrong-without-rows": "should",
  known: "said",
  "not-run": "said",
};

function exploreVerdictsTable(): string {
  const counts = {
    ...Object.fromEntries(verdicts.map((verdict) => [verdict, countsOf(verdict, true)])),
    ...otherCounts,
  } as Record<State, Counts>;
  return table(
    ["sign", "verdict", "the command", "counts as"],
    states.map((state) => {
      const { sign, name, means } = stateWords[state];
      return [`\`${sign}\``, name, means, counts[state]];
    }),
  );
}

function metricsTable(metrics: Readonly<Record<string, MetricFacts>>): string {
  return table(
    ["metric", "type", "labels", "what it is"],
    Object.values(metrics).map(({ name, type, labels = [], help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(", "),
      help,
    ]),
  );
}

function codesTable(): string {
  return table(
    ["code", "status", "rests on", "message"],
    errorCodes.map((code) => {
      const { status, basis, message } = errorFacts(code);
      const basisText = basis === "§7" ? "§7" : basis === "sandbox" ? "the sandbox's own controls" : `\`${basis}\``;
      return [`[\`${code}\`](errors/${code}.md)`, String(status), basisText, message];
    }),
  );
}
