import type { Level } from "../checks.js";
import { type CheckResult, countsAsFailure, type DrillReport, type Report } from "../report.js";

/** A failed check, with all drills that failed it in the same way. */
export interface Failure {
  /** As the first of the drills has it. */
  readonly check: CheckResult;
  /** Whether it fails the drill; if not, it is a warning. */
  readonly counts: boolean;
  /** Names of drills, in the order of the report. */
  readonly drills: readonly string[];
}

/**
 * Every failed check: failures first, then warnings. Drills that failed one check in the same way are told together. Known
 * failures are warnings.
 * @param level at which a failed check is a failure
 */
export function failuresOf({ drills }: Report, level: Level): readonly Failure[] {
  const found = new Map<string, { check: CheckResult; counts: boolean; drills: string[] }>();
  for (const { name, checks } of drills) {
    for (const check of checks) {
      if (check.verdict !== "fail") continue;
      const key = JSON.stringify([check.id, check.message, check.known]);
      const same = found.get(key);
      if (same === undefined) found.set(key, { check, counts: countsAsFailure(check, level), drills: [name] });
      else same.drills.push(name);
    }
  }
  const all = [...found.values()];
  return [...all.filter(({ counts }) => counts), ...all.filter(({ counts }) => !counts)];
}

const shouldHave: Readonly<Record<string, string>> = { succeeds: "succeeded", fails: "failed" };

/**
 * Why a drill failed, apart from its failed checks: one sentence, or undefined.
 * @param level at which a failed check is a failure
 */
export function problemOf({ verdict, outcome, checks, problems }: DrillReport, level: Level): string | undefined {
  if (verdict !== "fail") return undefined;
  const told = problems?.filter(({ known }) => known === undefined) ?? [];
  if (told.length > 0) return told.map(({ message, fix }) => `${message} ${fix}`).join(" ");
  if (outcome.verdict === "fail") {
    const wanted = shouldHave[outcome.expected];
    const rest = wanted === undefined ? "which was not expected" : `and should have ${wanted}`;
    return outcome.exitStatus === null
      ? "The command did not end as expected."
      : `The command ended with exit status ${outcome.exitStatus}, ${rest}.`;
  }
  if (checks.some((check) => countsAsFailure(check, level))) return undefined;
  return "The client did not do what the scenario expects of it.";
}

/** The ids in the journal to which a check refers: `requests 3, 5; handshakes 1`. Empty where there are none. */
export function evidenceOf({ exchanges, handshakes }: CheckResult): string {
  const parts = [
    ["requests", exchanges],
    ["handshakes", handshakes],
  ] as const;
  return parts.flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what} ${ids.join(", ")}`])).join("; ");
}
