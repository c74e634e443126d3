import type { Level } from "../finding.js";
import type { Report, Verdict } from "../report.js";
import { adviceOf, expectedTexts, failuresIn, missingText, type SharedFailure, sectionsOf } from "./failures.js";
import { escaped, table } from "./markdown-text.js";
import { checkCounts, countsDrills, drillCounts, refusedText, verdictText } from "./summary.js";

/** How many further drills are named for a failure, at most. */
const mostNamed = 5;

/**
 * The report as Markdown for the summary of a CI job: what failed, why and what to do; warnings; the drills, if there
 * are several. Text from outside never becomes markup, a link, a mention or a command.
 * @param level at which a failed check is a failure, not a warning
 */
export function markdownText(report: Report, level: Level): string {
  const { drills, summary } = report;
  const several = drills.length > 1;
  const expected = expectedTexts(report);
  const refused = refusedText(report);
  const parts = [
    "## Is the client right?",
    ...(refused === undefined ? [] : [escaped(refused)]),
    `**${verdictText(report)}** Checks: ${checkCounts(summary)}.${countsDrills(report) ? ` Drills: ${drillCounts(drills)}.` : ""}`,
    ...sectionsOf(report, level).flatMap(({ title, failures }) => [`### ${title}`, failureTable(failures, several)]),
    ...(expected.length > 0 ? ["### Expected errors", expected.map((text) => `- ${escaped(text)}`).join("\n")] : []),
    ...(several ? [drillDetails(drills, level)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function failureTable(failures: readonly SharedFailure[], several: boolean): string {
  const rows = failures.map((failure) => {
    const { id, rule, message, evidence, drills } = failure;
    return [
      rule === "" ? `**${id}**` : `**${id}** (${escaped(rule)})`,
      escaped(message),
      escaped(adviceOf(failure).slice(0, mostNamed).join(" ")),
      several ? escaped(where(drills, evidence)) : escaped(evidence),
    ];
  });
  return table(["check", "what happened", "what to do", "where"], rows);
}

function where([first = "", ...others]: readonly string[], evidence: string): string {
  const named = [evidence === "" ? first : `${first} (${evidence})`, ...others.slice(0, mostNamed)].join(", ");
  const more = others.length - mostNamed;
  return more > 0 ? `${named} and ${more} more` : named;
}

const verdicts = { pass: "passed", fail: "**failed**", "not-exercised": "not exercised" } as const satisfies Record<
  Verdict,
  string
>;

/** Folded: a whole exam has dozens of drills. */
function drillDetails(drills: Report["drills"], level: Level): string {
  const rows = drills.map((drill) => {
    const { name, verdict, checks } = drill;
    const count = (wanted: Verdict) => String(checks.filter((check) => check.verdict === wanted).length);
    const weights = failuresIn(drill, level).map(({ weight }) => weight);
    const [failed, warned] = ["failure", "warning"].map((each) => weights.filter((weight) => weight === each).length);
    const why = verdict === "not-exercised" ? escaped(missingText(drill)) : "";
    return [
      escaped(name),
      why === "" ? verdicts[verdict] : `${verdicts[verdict]}: ${why}`,
      count("pass"),
      String(failed),
      String(warned),
      count("not-exercised"),
    ];
  });
  const heads = ["drill", "verdict", "checks passed", "failed", "warnings", "not exercised"];
  return `<details><summary>All ${drills.length} drills</summary>\n\n${table(heads, rows)}\n\n</details>`;
}
