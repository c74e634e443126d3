import { markupText } from "../../base/text/markup.js";
import { counted } from "../../base/text/numbers.js";
import type { Level } from "../finding.js";
import { type CheckResult, countsAsFailure, type DrillReport, type Report } from "../report.js";
import {
  adviceOf,
  evidenceOf,
  expectedTexts,
  failuresIn,
  missingText,
  type SharedFailure,
  sectionsOf,
  type Weight,
} from "./failures.js";
import { htmlPage, type Tone, tileList } from "./html-page.js";
import { countsDrills, drillCounts, refusedText, verdictText } from "./summary.js";

/**
 * The report as one HTML file that needs no network and looks like the dashboard, in light and dark.
 * @param level at which a failed check is a failure, not a warning
 */
export function htmlText(report: Report, level: Level): string {
  const { drills } = report;
  const several = drills.length > 1;
  const expected = expectedTexts(report);
  const refused = refusedText(report);
  const body = [
    ...(refused === undefined ? [] : [`<p>${markupText(refused)}</p>`]),
    ...(countsDrills(report)
      ? [`<p class="quiet">${counted(drills.length, "drill")}: ${drillCounts(drills)}.</p>`]
      : []),
    tiles(report),
    ...sectionsOf(report, level).flatMap(({ title: name, failures }) => [
      `<h2>${name}</h2>`,
      ...failures.map((failure) => card(failure, several)),
    ]),
    ...(expected.length > 0
      ? ["<h2>Expected errors</h2>", ...expected.map((text) => `<p class="quiet">${markupText(text)}</p>`)]
      : []),
    `<h2>${several ? "Drills" : "All checks"}</h2>`,
    ...drills.map((drill) => details(drill, level, !several)),
  ];
  return htmlPage(verdictText(report), body);
}

const tones = { failure: "bad", warning: "warn", known: "none" } as const satisfies Record<Weight, Tone>;

function tiles(report: Report): string {
  const { pass, fail, warn, notExercised } = report.summary;
  const drills = report.drills.filter(({ verdict }) => verdict === "fail").length;
  return tileList([
    ...(countsDrills(report) ? [["Failed drills", drills, "bad"] as const] : []),
    ["Failed checks", fail, "bad"],
    ["Warnings", warn, "warn"],
    ["Passed", pass, "good"],
    ["Not exercised", notExercised, "none"],
  ]);
}

function card(failure: SharedFailure, several: boolean): string {
  const { weight, id, rule, message, evidence, drills } = failure;
  const [first = "", ...others] = drills;
  const where = several
    ? `In ${[evidence === "" ? first : `${first} (${evidence})`, ...others].join(", ")}.`
    : evidence;
  return [
    `<article class="${tones[weight]}"><h3>${markupText(id)}${rule === "" ? "" : ` <span class="badge">${markupText(rule)}</span>`}</h3>`,
    `<p>${markupText(message)}</p>`,
    ...adviceOf(failure).map((text) => `<p class="fix">${markupText(text)}</p>`),
    ...(where === "" ? [] : [`<p class="quiet">${markupText(where)}</p>`]),
    "</article>",
  ].join("\n");
}

const drillBadges = {
  pass: ["good", "passed"],
  fail: ["bad", "failed"],
  "not-exercised": ["none", "not exercised"],
} as const;

/** One drill, folded if there are several. */
function details(drill: DrillReport, level: Level, open: boolean): string {
  const { name, verdict, outcome, checks } = drill;
  const [tone, word] = drillBadges[verdict];
  const ended = outcome.exitStatus === null ? "" : `exit status ${outcome.exitStatus}`;
  const why = verdict === "not-exercised" ? markupText(missingText(drill)) : "";
  const summary = `<span class="badge ${tone}">${word}</span> ${markupText(name)} <span class="quiet">${[ended, why].filter((text) => text !== "").join(". ")}</span>`;
  const rows = [
    ...failuresIn(drill, level)
      .filter(({ rule }) => rule === "")
      .map(({ weight, id, message }) => row(problemBadges[weight], id, "", [message])),
    ...checks.map((check) =>
      row(badgeOf(check, level), check.id, check.level, [check.message, evidenceOf(check), check.source]),
    ),
  ];
  return `<details${open ? " open" : ""}><summary>${summary}</summary><ul>\n${rows.join("\n")}\n</ul></details>`;
}

type Badge = readonly [tone: Tone, word: string];

const badges = { failed: ["bad", "failed"], warning: ["warn", "warning"], known: ["none", "known"] } as const;

/** Of what fails a drill besides its checks. */
const problemBadges: Readonly<Record<Weight, Badge>> = {
  failure: badges.failed,
  warning: badges.warning,
  known: badges.known,
};

function badgeOf(check: CheckResult, level: Level): Badge {
  if (check.verdict !== "fail") return drillBadges[check.verdict];
  if (check.known !== undefined) return badges.known;
  return countsAsFailure(check, level) ? badges.failed : badges.warning;
}

/** A line of a drill: badge, name, what happened, and further facts that are less important. */
function row([tone, word]: Badge, id: string, level: string, [message = "", ...facts]: readonly string[]): string {
  const further = facts.filter((fact) => fact !== "").map(markupText);
  return `<li><span><span class="badge ${tone}">${word}</span></span><span><code>${markupText(id)}</code> ${level}</span><span>${markupText(message)} <span class="quiet">${further.join(" · ")}</span></span></li>`;
}
