import { markupText } from "../../base/text/markup.js";
import type { Level } from "../finding.js";
import { type CheckResult, type DrillReport, type Report, reportOf } from "../report.js";
import { expectedTexts, type Failure, failuresIn, missingText } from "./failures.js";

/** A test case of JUnit. */
interface Case {
  readonly name: string;
  /** The element within it, for a failure or a skipped case. */
  readonly content: string;
  readonly result: "passed" | "failed" | "skipped";
}

/**
 * The report as JUnit XML, in the form of the schema that Jenkins publishes: a suite for each drill, a case for each
 * check, and a case for each other failure of a drill.
 *
 * JUnit has no warnings. A warning, a known failure and a check that was not exercised are skipped cases, so that a
 * failure never looks like a pass. The time of a suite is that of its command, which its case `outcome` has as well:
 * checks take no time of their own.
 * @param level at which a failed check is a failure, not a warning
 */
export function junitText({ drills }: Report, level: Level): string {
  const suites = drills.map((drill) => ({ drill, cases: casesOf(drill, level) }));
  const all = suites.flatMap(({ cases }) => cases);
  const total = drills.reduce((sum, { duration = 0 }) => sum + duration, 0);
  const head = `<testsuites name="payments-sandbox" tests="${all.length}" failures="${count(all, "failed")}" errors="0" time="${seconds(total)}">`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    head,
    ...suites.flatMap((suite) => suiteLines(suite)),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function suiteLines({ drill, cases }: { readonly drill: DrillReport; readonly cases: readonly Case[] }): string[] {
  const { name, verdict, outcome, duration = 0 } = drill;
  const counts = `tests="${cases.length}" failures="${count(cases, "failed")}" errors="0" skipped="${count(cases, "skipped")}"`;
  const { expected, exitStatus } = outcome;
  const properties = { verdict, expected, exitStatus: String(exitStatus ?? "") };
  const expectedErrors = expectedTexts(reportOf([drill])).map((text) => ["expectedError", text] as const);
  return [
    `  <testsuite name="${markupText(name)}" ${counts} time="${seconds(duration)}">`,
    "    <properties>",
    ...[...Object.entries(properties), ...expectedErrors].map(
      ([key, value]) => `      <property name="${key}" value="${markupText(value)}"/>`,
    ),
    "    </properties>",
    ...cases.map((each) => caseLine(name, each, each.name === outcomeCase ? duration : 0)),
    "  </testsuite>",
  ];
}

function caseLine(drill: string, { name, content }: Case, duration: number): string {
  const open = `    <testcase classname="${markupText(drill)}" name="${markupText(name)}" time="${seconds(duration)}"`;
  return content === "" ? `${open}/>` : `${open}>${content}</testcase>`;
}

/** The case of how the command ended. */
const outcomeCase = "outcome";

/** @param duration in milliseconds */
function seconds(duration: number): string {
  return (duration / 1000).toFixed(3);
}

function count(cases: readonly Case[], wanted: Case["result"]): number {
  return cases.filter(({ result }) => result === wanted).length;
}

function casesOf(drill: DrillReport, level: Level): readonly Case[] {
  const failures = failuresIn(drill, level);
  const checks = drill.checks.map((check) => checkCase(check, failures));
  const known = new Set<string>(drill.checks.map(({ id }) => id));
  const others = failures.filter(({ id }) => !known.has(id)).map(failureCase);
  const { exitStatus, verdict } = drill.outcome;
  const isRight = exitStatus !== null && verdict === "pass" && others.every(({ name }) => name !== outcomeCase);
  const outcome: readonly Case[] = isRight ? [{ name: outcomeCase, content: "", result: "passed" }] : [];
  return [...checks, ...others, ...outcome, ...(drill.verdict === "not-exercised" ? [idleCase(drill)] : [])];
}

/** If a drill requires a check, the drill's failure says more than the check itself. */
function checkCase({ id, verdict, message }: CheckResult, failures: readonly Failure[]): Case {
  const failure = failures.find((each) => each.id === id);
  if (failure !== undefined) return failureCase(failure);
  return verdict === "pass" ? { name: id, content: "", result: "passed" } : skippedCase(id, message);
}

function failureCase({ id, weight, rule, message, fix, known, evidence }: Failure): Case {
  if (weight === "known") return skippedCase(id, `Known: ${known} ${message}`);
  const where = evidence === "" ? "" : ` [${evidence}]`;
  if (weight === "warning") return skippedCase(id, `Warning: ${message} ${fix}${where}`);
  const text = [message, `Fix: ${fix}`, rule, evidence].filter((line) => line !== "").map(markupText);
  const type = weight === "not-exercised" ? weight : id;
  const content = `<failure type="${markupText(type)}" message="${markupText(`${message} ${fix}`)}">${text.join("\n")}</failure>`;
  return { name: id, content, result: "failed" };
}

/** Some schemas allow no attributes on this element, so the reason is its text. */
function skippedCase(name: string, reason: string): Case {
  return { name, content: `<skipped>${markupText(reason)}</skipped>`, result: "skipped" };
}

function idleCase(drill: DrillReport): Case {
  return skippedCase("drill", `Not exercised. ${missingText(drill)}`.trimEnd());
}
