import { enumerated } from "../../base/text/enumerated.js";
import { needs } from "../../sandbox/scenarios/expectation.js";
import { checkFacts } from "../checks.js";
import type { Level } from "../finding.js";
import { type CheckResult, countsAsFailure, type DrillProblem, type DrillReport, type Report } from "../report.js";

/** The weight of a failure. `known` is in the baseline. */
export type Weight = "failure" | "warning" | "known";

/** The titles of the sections of a report, in their order. */
const titles: readonly (readonly [Weight, string])[] = [
  ["failure", "Failed"],
  ["warning", "Warnings"],
  ["known", "Known failures"],
];

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

/** Something that failed in a drill: a check, or another expectation of the drill. */
export interface Failure {
  readonly weight: Weight;
  /** The id of a check, `outcome` or `requests`. */
  readonly id: string;
  /** Level and source of the check: `must; §4.1`. Empty if it is not about a check. */
  readonly rule: string;
  readonly message: string;
  readonly fix: string;
  /** Why it is known. */
  readonly known: string | undefined;
  /** The ids in the journal that show it: `requests 3, 5; handshakes 1`. Empty if there are none. */
  readonly evidence: string;
}

/** A failure, with all drills that failed in the same way. Its message, fix and evidence are those of the first one. */
export interface SharedFailure extends Failure {
  /** Names of drills, in the order of the report. */
  readonly drills: readonly string[];
  /** What to do, in each of the drills. */
  readonly fixes: readonly string[];
}

/**
 * The failures of a drill, in the order of its checks.
 * @param level at which a failed check is a failure, not a warning
 */
export function failuresIn(drill: DrillReport, level: Level): readonly Failure[] {
  const { checks, problems = [] } = drill;
  const failed = checks.filter(({ verdict }) => verdict === "fail");
  // A warning that a drill requires to pass is a failure, and is shown once.
  const required = problems.filter(({ about }) => failed.some(({ id }) => id === about));
  return [
    ...problems.filter((problem) => !required.includes(problem)).map(ofProblem),
    ...failed.map((check) => {
      const isRequired = required.some(({ about, known }) => about === check.id && known === undefined);
      return { ...ofCheck(check, level), ...(isRequired && { weight: "failure" as const }) };
    }),
  ];
}

function ofProblem({ about: id, message, fix, known }: DrillProblem): Failure {
  return { weight: known === undefined ? "failure" : "known", id, rule: "", message, fix, known, evidence: "" };
}

function ofCheck(check: CheckResult, level: Level): Failure {
  const { id, message, fix, source, known } = check;
  const weight = known !== undefined ? "known" : countsAsFailure(check, level) ? "failure" : "warning";
  return { weight, id, rule: `${check.level}; ${source}`, message, fix, known, evidence: evidenceOf(check) };
}

/** The ids in the journal to which a check refers: `requests 3, 5; handshakes 1`. Empty if there are none. */
export function evidenceOf({ exchanges, handshakes }: CheckResult): string {
  const parts = [
    ["requests", exchanges],
    ["handshakes", handshakes],
  ] as const;
  return parts.flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what} ${ids.join(", ")}`])).join("; ");
}

/**
 * The errors that were provoked on purpose, one text for each drill and code: `INVALID_PAGE_SIZE, 2 times in run
 * (requests 3, 5)`.
 */
export function expectedTexts({ drills }: Report): readonly string[] {
  return drills.flatMap(({ name, expected = [] }) =>
    expected.map(({ code, count, exchanges }) => {
      const where = exchanges.length === 0 ? "" : ` (requests ${exchanges.join(", ")})`;
      return `${code}, ${count === 1 ? "once" : `${count} times`} in ${name}${where}`;
    }),
  );
}

/** Everything that failed: failures first, then warnings, then known failures. */
export function failuresOf(report: Report, level: Level): readonly SharedFailure[] {
  return sectionsOf(report, level).flatMap(({ failures }) => failures);
}

/**
 * Everything that failed, by section; without empty sections. Drills that failed the same check are reported together:
 * their messages differ only by numbers. Other failures are reported together if they are the same.
 */
export function sectionsOf(
  { drills }: Report,
  level: Level,
): readonly { readonly title: string; readonly failures: readonly SharedFailure[] }[] {
  const found = new Map<string, SharedFailure & { drills: string[]; fixes: string[] }>();
  for (const drill of drills) {
    for (const failure of failuresIn(drill, level)) {
      const { weight, id, rule, message, known, fix } = failure;
      const key = JSON.stringify([weight, id, rule === "" ? message : "", known]);
      const same = found.get(key);
      if (same === undefined) found.set(key, { ...failure, drills: [drill.name], fixes: [fix] });
      else if (!same.drills.includes(drill.name)) {
        same.drills.push(drill.name);
        same.fixes.push(fix);
      }
    }
  }
  const all = [...found.values()];
  return titles
    .map(([weight, title]) => ({ title, failures: all.filter((failure) => failure.weight === weight) }))
    .filter(({ failures }) => failures.length > 0);
}

/** What to do about a failure, with the names of the drills if the advice differs. */
export function adviceOf({ fix, known, drills, fixes }: SharedFailure): readonly string[] {
  if (known !== undefined) return [`Known: ${known}`];
  return new Set(fixes).size > 1 ? drills.map((drill, index) => `In ${drill}: ${fixes[index]}`) : [fix];
}
