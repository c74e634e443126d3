import { existsSync } from "node:fs";
import { version } from "../../base/files/version.js";
import { printable } from "../../base/text/printable.js";
import { type CheckId, checkFacts, type Level } from "../checks.js";
import { checksOf, levelIn } from "../editions.js";
import type { Report } from "../report.js";
import { type Failure, failuresIn } from "./failures.js";
import { jsonText } from "./json.js";

/** The schema of the standard, with the corrections of its first errata. */
const schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const levels = { must: "error", should: "warning" } as const satisfies Record<Level, string>;

/** Rules for failures that are not about a check. A report has them only if they are broken. */
const drillRules: Readonly<Record<string, string>> = {
  outcome: "The command does not end like that of a correct client.",
  requests: "The client sends more or fewer requests than a correct one.",
};

/**
 * The report as SARIF 2.1.0: a rule for each check, and a result for each failure, whatever its level. A known failure
 * is suppressed (§3.27.23). There is no source code. A result has a logical location, the check in its drill, and an
 * artifact for the drill, because services that show SARIF require a physical location.
 */
export function sarifText({ drills, edition }: Report): string {
  const failures = drills.flatMap((drill) =>
    failuresIn(drill, "must").map((failure) => ({ drill: drill.name, failure })),
  );
  const broken = Object.entries(drillRules).filter(([id]) => failures.some(({ failure }) => failure.id === id));
  const rules = [
    ...checksOf(edition).map((id) => checkRule(id, edition)),
    ...broken.map(([id, text]) => rule(id, "must", text, text, "the scenario of the drill")),
  ];
  const driver = { name: "payments-sandbox", version, rules, properties: { edition } };
  const results = failures.map(({ drill, failure }) => resultOf(drill, failure, rules));
  const expected = drills.flatMap(({ name, expected: errors = [] }) =>
    errors.map((error) => ({ drill: printable(name), ...error })),
  );
  const run = { tool: { driver }, results, ...(expected.length > 0 && { properties: { expected } }) };
  return jsonText({ $schema: schema, version: "2.1.0", runs: [run] });
}

type Rule = ReturnType<typeof rule> & { readonly helpUri?: string };

function checkRule(id: CheckId, edition: number): Rule {
  const { source, failsWhen, fix } = checkFacts(id);
  const made = rule(id, levelIn(id, edition), `Fails when ${failsWhen}.`, fix, source);
  return { ...made, helpUri: documentationUrl(`checks/${id}.md`) };
}

function rule(id: string, level: Level, description: string, fix: string, source: string) {
  return {
    id,
    shortDescription: { text: description },
    fullDescription: { text: description },
    help: { text: `${fix} Source: ${source}.` },
    defaultConfiguration: { level: levels[level] },
    properties: { level, source },
  };
}

function resultOf(drill: string, { id, weight, message, fix, evidence, known }: Failure, rules: readonly Rule[]) {
  const ruleIndex = rules.findIndex((each) => each.id === id);
  const name = printable(drill);
  return {
    ruleId: id,
    ruleIndex,
    // Not exercised: there was not enough to decide (§3.27.9), and such a result has no level (§3.27.10).
    ...(weight === "not-exercised"
      ? { kind: "open", level: "none" }
      : { level: rules[ruleIndex]?.defaultConfiguration.level }),
    message: { text: plain(`${message} ${fix}${evidence === "" ? "" : ` (${evidence} of ${drill})`}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `payments-sandbox/${encodeURIComponent(name)}` },
          region: { startLine: 1 },
        },
        logicalLocations: [{ name: id, fullyQualifiedName: `${name}/${id}`, kind: "member" }],
      },
    ],
    // Services use this name to find the same result in the next report.
    partialFingerprints: { primaryLocationLineHash: `${name}/${id}` },
    ...(known !== undefined && { suppressions: [{ kind: "external", justification: printable(known) }] }),
  };
}

/** Text of a message. Brackets begin a link unless they are escaped (§3.11.6). */
function plain(text: string): string {
  return printable(text).replaceAll(/[\\[\]]/g, "\\$&");
}

/** Source files are one folder deeper than those of the build. */
const folders = [new URL("../docs/", import.meta.url), new URL("../../../docs/", import.meta.url)];

/**
 * The URL of a page of the documentation, in the package.
 * @param page such as `checks/token.reused.md`
 */
function documentationUrl(page: string): string {
  const folder = folders.find((url) => existsSync(url)) ?? (folders[0] as URL);
  return new URL(page, folder).href;
}
