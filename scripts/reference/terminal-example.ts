import { type CheckId, checkFacts, checkIds } from "../../src/exam/checks.js";
import { type CheckResult, type DrillReport, reportOf } from "../../src/exam/report.js";
import { examSheet } from "../../src/exam/sheet.js";
import { terminalText } from "../../src/report/terminal.js";

/** The terminal report on a client with two mistakes, in three drills. */
export function terminalExample(): string {
  const reused: CheckResult = {
    ...resultOf("token.reused", "A token was requested although another one had more than half of its lifetime left."),
    evidence: ["0.21 s POST /oauth/v2/oauth-token: 200", "0.34 s POST /oauth/v2/oauth-token: 200"],
  };
  const refused: CheckResult = {
    ...resultOf("token.refused", "A token was sent again after it was refused with invalid_token."),
    evidence: [
      "0.39 s GET /v1/payouts?pageSize=7&cursor=MTQ: 401 UNAUTHORIZED (the fault)",
      "0.41 s GET /v1/payouts?pageSize=7&cursor=MTQ: 401 UNAUTHORIZED. The token was revoked.",
    ],
  };
  const drills = [
    drillOf("plain", "pass", [reused]),
    drillOf("maintenance", "pass", [reused]),
    {
      ...drillOf("token-revoked", "fail", [reused, refused]),
      description: "Revokes the token once, at page 3 of a walk.",
      advice:
        "A correct client gets a new token, requests page 3 again with the cursor that it has, and does not send the old token again; or it reports the error.",
      output: ["Error: 401 UNAUTHORIZED"],
    },
  ];
  const text = terminalText(examSheet(reportOf(drills), "must"), { coloured: false });
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
