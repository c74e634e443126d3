import { enumerated } from "../base/text/enumerated.js";
import { counted } from "../base/text/numbers.js";
import {
  bareItem,
  type Counts,
  type Group,
  type Item,
  type Mark,
  named,
  partOf,
  type Remark,
  type Sheet,
} from "../report/sheet.js";
import { testLines } from "../report/told-tests.js";
import { needs } from "../sandbox/scenarios/expectation.js";
import { checkFacts } from "./checks.js";
import type { Level } from "./finding.js";
import { assumedRefusal } from "./refused.js";
import { type CheckResult, countsAsFailure, type DrillProblem, type DrillReport, type Report } from "./report.js";

const marks = {
  failed: { tone: "bad", word: "failed" },
  warning: { tone: "warn", word: "warning" },
  known: { tone: "none", word: "known" },
  pass: { tone: "good", word: "passed" },
  "not-exercised": { tone: "none", word: "not exercised" },
} as const satisfies Readonly<Record<string, Mark>>;

/** How a check went in several drills: the first of these. */
const worstFirst: readonly Mark[] = Object.values(marks);

/** Most names in a sentence. */
const mostNamed = 6;

/**
 * The report of an exam, or of one command, as a person reads it.
 * @param level at which a failed check is a failure, not a warning
 */
export function examSheet(report: Report, level: Level): Sheet {
  const { drills } = report;
  const [only] = drills.length === 1 ? drills : [];
  // One command without an expectation is judged by its checks only.
  const hasDrills = only === undefined || only.description !== undefined || only.problems !== undefined;
  const groups = inOrder(drills.map((drill) => groupOf(drill, level, hasDrills)));
  const refusal = drills.flatMap(openProblems).find(({ assumption }) => assumption !== undefined)?.assumption;
  const checks = checkMarks(groups);
  const ofDrills = groups.map(({ name, mark = marks.pass }) => [name, mark] as const);
  const warnings = [...checks.values()].filter((mark) => mark === marks.warning).length;
  const isFailed = groups.some(({ mark }) => mark === marks.failed);
  return {
    question: "Is the client right?",
    verdict: hasDrills ? verdictOf(ofDrills, "drill", warnings) : verdictOf([...checks], "check", warnings),
    tone: isFailed ? "bad" : groups.some(({ mark }) => mark === marks.pass) ? "good" : "none",
    lead: refusal === undefined ? [] : [assumedRefusal(refusal)],
    counts: [
      ...(hasDrills
        ? [
            counts(
              "Drills",
              ofDrills.map(([, mark]) => mark),
            ),
          ]
        : []),
      counts("Checks", [...checks.values()]),
    ],
    remarks: [...(hasDrills ? idleRemarks(drills) : testRemarks(drills)), ...expectedRemarks(drills)],
    groupName: "drill",
    groups,
  };
}

/** `The client failed 2 of the 71 drills that were exercised: maintenance, outage.` */
function verdictOf(results: readonly (readonly [name: string, mark: Mark])[], what: string, warnings: number): string {
  const of = (wanted: Mark) => results.flatMap(([name, mark]) => (mark === wanted ? [name] : []));
  const judged = results.length - of(marks["not-exercised"]).length;
  if (judged === 0) return `No ${what} was exercised.`;
  const [failed, passed] = [of(marks.failed), of(marks.pass)];
  const were = `that ${judged === 1 ? "was" : "were"} exercised`;
  if (failed.length > 0)
    return `The client failed ${partOf(failed.length, judged, what)} ${were}: ${named(failed, mostNamed)}.`;
  const but = warnings === 0 ? "" : `, with ${counted(warnings, "warning")}`;
  return `The client passed ${partOf(passed.length, judged, what)} ${were}${but}.`;
}

/** Each check once: how it went where it went worst. */
function checkMarks(groups: readonly Group[]): ReadonlyMap<string, Mark> {
  const found = new Map<string, Mark>();
  for (const { name, mark, rule } of groups.flatMap(({ items }) => items)) {
    if (rule === "") continue;
    const other = found.get(name) ?? mark;
    found.set(name, worstFirst.indexOf(mark) < worstFirst.indexOf(other) ? mark : other);
  }
  return found;
}

function counts(what: string, all: readonly Mark[]): Counts {
  return {
    what,
    of: worstFirst.map((mark) => {
      const count = all.filter((each) => each === mark).length;
      return [mark === marks.warning && count !== 1 ? "warnings" : mark.word, count, mark.tone] as const;
    }),
  };
}

function inOrder(groups: readonly Group[]): readonly Group[] {
  const order = [marks.failed, marks["not-exercised"], marks.pass] as const;
  return order.flatMap((wanted) => groups.filter(({ mark }) => mark === wanted));
}

function groupOf(drill: DrillReport, level: Level, hasDrills: boolean): Group {
  const { name, verdict, outcome, output = [], tests, duration = 0 } = drill;
  const expected = expectedTexts(drill).map((text) => ["expectedError", text] as const);
  return {
    name,
    mark: verdict === "fail" ? marks.failed : marks[verdict],
    facts: hasDrills ? factsOf(drill, level) : [],
    output,
    tests: hasDrills ? testLines(tests) : [],
    properties: [
      ["verdict", verdict],
      ["expected", outcome.expected],
      ["exitStatus", String(outcome.exitStatus ?? "")],
      ...expected,
      ...testLines(tests).map((line) => ["failedTest", line] as const),
    ],
    duration,
    items: [...outcomeItems(drill), ...drill.checks.map((check) => checkItem(check, drill, level))],
  };
}

/** What the drill did, what a correct client does, and what this one did. */
function factsOf(drill: DrillReport, level: Level): readonly string[] {
  const { description, advice = "", outcome, duration, checks } = drill;
  const about = openProblems(drill).filter((problem) => !isCheck(problem, drill));
  const time = duration === undefined ? "" : ` after ${(duration / 1000).toFixed(1)} s`;
  const isTold = outcome.exitStatus === null || about.some((problem) => problem.about === "outcome");
  const failed = checks.flatMap((check) => (weightOf(check, drill, level) === marks.failed ? [check.id] : []));
  return [
    description === undefined ? "" : `The drill: ${description}`,
    advice,
    [
      ...(isTold ? [] : [`This client ended with exit status ${outcome.exitStatus}${time}.`]),
      ...about.map(({ message }) => message),
      ...(failed.length === 0 ? [] : [`It failed ${enumerated(failed, "and")}.`]),
    ].join(" "),
    ...new Set(about.flatMap(({ fix }) => (fix === advice ? [] : [`→ ${fix}`]))),
    missingText(drill),
  ].filter((text) => text !== "");
}

/** Whether a problem of a drill is a check that fails, and is shown there. */
function isCheck({ about }: DrillProblem, { checks }: DrillReport): boolean {
  return checks.some(({ id, verdict }) => id === about && verdict === "fail");
}

/** How the command ended, and what else fails the drill besides its checks. */
function outcomeItems(drill: DrillReport): readonly Item[] {
  const { verdict, outcome, problems = [], duration = 0 } = drill;
  const items = problems
    .filter((problem) => !isCheck(problem, drill))
    .map(({ about, message, fix: advice, known }) => ({
      ...{ ...bareItem, name: about, message, advice, known, mark: known === undefined ? marks.failed : marks.known },
      duration: about === "outcome" ? duration : 0,
      ...(known !== undefined && { finding: { kind: JSON.stringify([about, message, known]), rank: 0 } }),
    }));
  const hasOutcome = items.some(({ name }) => name === "outcome");
  const isRight = outcome.exitStatus !== null && outcome.verdict === "pass" && !hasOutcome;
  const ended = `The command ended with exit status ${outcome.exitStatus}.`;
  const right = { ...bareItem, name: "outcome", message: ended, mark: marks.pass, duration };
  const message = `Not exercised. ${missingText(drill)}`.trimEnd();
  const idle = { ...bareItem, name: "drill", message, mark: marks["not-exercised"] };
  return [...items, ...(isRight ? [right] : []), ...(verdict === "not-exercised" ? [idle] : [])];
}

function checkItem(check: CheckResult, drill: DrillReport, level: Level): Item {
  const { id, verdict, message, fix, source, known, exchanges, handshakes, evidence } = check;
  const isFailed = verdict === "fail";
  const ids = [...exchanges.map((each) => `request ${each}`), ...handshakes.map((each) => `handshake ${each}`)];
  return {
    ...bareItem,
    name: id,
    mark: weightOf(check, drill, level),
    rule: `${check.level}; ${source}`,
    message,
    advice: isFailed ? fix : "",
    known,
    evidence: isFailed ? (evidence ?? ids) : [],
    ...(isFailed && { finding: { kind: JSON.stringify([id, fix, known]), rank: 0 } }),
  };
}

/** A warning that a drill requires to pass is a failure. */
function weightOf(check: CheckResult, { problems = [] }: DrillReport, level: Level): Mark {
  if (check.verdict !== "fail") return marks[check.verdict];
  if (check.known !== undefined) return marks.known;
  const isRequired = problems.some(({ about, known }) => about === check.id && known === undefined);
  return isRequired || countsAsFailure(check, level) ? marks.failed : marks.warning;
}

/** What fails a drill besides its checks. */
function openProblems({ problems = [] }: DrillReport): readonly DrillProblem[] {
  return problems.filter(({ known }) => known === undefined);
}

/** Why a drill was not exercised: a sentence or two, or empty if that is not known. */
export function missingText({ missing = [], notReached = [], needsMoreThan, verdict }: DrillReport): string {
  if (verdict !== "not-exercised") return "";
  if (needsMoreThan !== undefined)
    return `The command needs more than ${needsMoreThan}: when it was ended, it waited, or repeated within bounds. A larger --timeout waits longer.`;
  const sent = enumerated(
    missing.map((need) => needs[need]),
    "or",
  );
  if (sent !== "") return `The program did not send ${sent}.`;
  const [first] = notReached;
  if (first === undefined) return "The program sent nothing that triggers the fault.";
  return `The fault never reached ${enumerated(notReached, "and")}: ${first} takes ${checkFacts(first).exercisedBy}.`;
}

/** The tests of one command that failed. */
function testRemarks(drills: readonly DrillReport[]): readonly Remark[] {
  return drills.flatMap(({ tests }) =>
    tests === undefined || tests.failed.length === 0
      ? []
      : [
          {
            about: "Tests",
            title: `${counted(tests.failed.length + (tests.more ?? 0), "test")} of the command failed`,
            lines: testLines(tests),
          },
        ],
  );
}

/** Drills that were not exercised, by the reason. */
function idleRemarks(drills: readonly DrillReport[]): readonly Remark[] {
  const reasons = new Map<string, string[]>();
  for (const drill of drills.filter(({ verdict }) => verdict === "not-exercised")) {
    const reason = missingText(drill);
    reasons.set(reason, [...(reasons.get(reason) ?? []), drill.name]);
  }
  return [...reasons].map(([reason, names]) => ({
    about: "Not exercised",
    title: named(names, mostNamed),
    lines: [reason],
  }));
}

/** The errors that were provoked on purpose: `INVALID_PAGE_SIZE, 2 times in run`. */
function expectedRemarks(drills: readonly DrillReport[]): readonly Remark[] {
  return drills.flatMap(expectedTexts).map((title) => ({ about: "Expected error", title, lines: [] }));
}

function expectedTexts({ name, expected = [] }: DrillReport): readonly string[] {
  return expected.map(({ code, count }) => `${code}, ${count === 1 ? "once" : `${count} times`} in ${name}`);
}
