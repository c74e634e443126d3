import type { Level } from "../finding.js";
import { type CheckResult, type DrillReport, type Report, reportOf } from "../report.js";
import { expectedTexts, type Failure, failuresIn, missingText } from "./failures.js";
import { type Case, failedCase, junitDocument, passedCase, skippedCase } from "./junit-document.js";

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
  return junitDocument(
    drills.map((drill) => {
      const { name, verdict, outcome, duration = 0 } = drill;
      const { expected, exitStatus } = outcome;
      const expectedErrors = expectedTexts(reportOf([drill])).map((text) => ["expectedError", text] as const);
      return {
        name,
        properties: [...Object.entries({ verdict, expected, exitStatus: String(exitStatus ?? "") }), ...expectedErrors],
        duration,
        cases: casesOf(drill, level).map((each) => ({
          ...each,
          duration: each.name === outcomeCase ? duration : 0,
        })),
      };
    }),
  );
}

/** The case of how the command ended. */
const outcomeCase = "outcome";

function casesOf(drill: DrillReport, level: Level): readonly Case[] {
  const failures = failuresIn(drill, level);
  const checks = drill.checks.map((check) => checkCase(check, failures));
  const known = new Set<string>(drill.checks.map(({ id }) => id));
  const others = failures.filter(({ id }) => !known.has(id)).map(failureCase);
  const { exitStatus, verdict } = drill.outcome;
  const isRight = exitStatus !== null && verdict === "pass" && others.every(({ name }) => name !== outcomeCase);
  const outcome = isRight ? [passedCase(outcomeCase)] : [];
  return [...checks, ...others, ...outcome, ...(drill.verdict === "not-exercised" ? [idleCase(drill)] : [])];
}

/** If a drill requires a check, the drill's failure says more than the check itself. */
function checkCase({ id, verdict, message }: CheckResult, failures: readonly Failure[]): Case {
  const failure = failures.find((each) => each.id === id);
  if (failure !== undefined) return failureCase(failure);
  return verdict === "pass" ? passedCase(id) : skippedCase(id, message);
}

function failureCase({ id, weight, rule, message, fix, known, evidence }: Failure): Case {
  if (weight === "known") return skippedCase(id, `Known: ${known} ${message}`);
  const where = evidence === "" ? "" : ` [${evidence}]`;
  if (weight === "warning") return skippedCase(id, `Warning: ${message} ${fix}${where}`);
  const lines = [message, `Fix: ${fix}`, rule, evidence];
  return failedCase(id, id, `${message} ${fix}`, lines);
}

function idleCase(drill: DrillReport): Case {
  return skippedCase("drill", `Not exercised. ${missingText(drill)}`.trimEnd());
}
