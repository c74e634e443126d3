import { terminalText } from "../../src/cli/report/terminal.js";
import { type CheckId, checkFacts, checkIds } from "../../src/exam/checks.js";
import type { CheckResult, DrillReport } from "../../src/exam/report.js";

/** The terminal report on a client with two mistakes, in three drills. */
export function terminalExample(): string {
  const reused: CheckResult = {
    ...resultOf("token.reused", "A token was requested although another one had more than half of its lifetime left."),
    exchanges: ["1", "3"],
  };
  const refused: CheckResult = {
    ...resultOf("token.refused", "A token was sent again after it was refused with invalid_token."),
    exchanges: ["4", "5"],
  };
  const drills = [
    drillOf("plain", "pass", [reused]),
    drillOf("maintenance", "pass", [reused]),
    drillOf("token-revoked", "fail", [reused, refused]),
  ];
  const checks = drills.flatMap((each) => each.checks);
  const count = (verdict: string) => checks.filter((check) => check.verdict === verdict).length;
  const summary = { pass: count("pass"), fail: 1, warn: count("fail") - 1, notExercised: count("not-exercised") };
  const text = terminalText({ version: 1, drills, summary }, { level: "must", coloured: false });
  return `\`\`\`text\n${text.trim()}\n\`\`\``;
}

function resultOf(id: CheckId, message: string): CheckResult {
  const { level, fix, source } = checkFacts(id);
  return { id, level, verdict: "fail", message, fix, source, exchanges: [], handshakes: [] };
}

/** A drill in which these checks failed, and half of the others were exercised. */
function drillOf(name: string, verdict: DrillReport["verdict"], failed: readonly CheckResult[]): DrillReport {
  const others = checkIds.filter((id) => failed.every((check) => check.id !== id));
  const checks = others.map((id, index) => {
    const verdict = index % 2 === 0 ? ("pass" as const) : ("not-exercised" as const);
    return { ...resultOf(id, ""), verdict };
  });
  return {
    name,
    verdict,
    outcome: { expected: "succeeds", exitStatus: 0, verdict: "pass" },
    checks: [...checks, ...failed],
  };
}
