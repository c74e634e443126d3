import type { CheckId } from "../../../src/exam/checks.js";
import { checkFacts, checkIds } from "../../../src/exam/checks.js";
import {
  type CheckResult,
  countsAsFailure,
  type DrillReport,
  type Report,
  reportOf,
} from "../../../src/exam/report.js";
import { examSheet } from "../../../src/exam/sheet.js";
import { formatReport, type ReportEnding } from "../../../src/report/format.js";
import { terminalText } from "../../../src/report/terminal.js";

export function formatExam(ending: ReportEnding, report: Report, level: "must" | "should"): string {
  return formatReport(ending, report, examSheet(report, level));
}

export function examTerminal(report: Report, options: { level: "must" | "should"; coloured: boolean }): string {
  return terminalText(examSheet(report, options.level), options);
}

/** The problem of a check, in a report for tests. */
type Given = Partial<CheckResult>;

/** Every check: the given ones, and all others passed by request 1. */
export function checksOf(given: Partial<Record<CheckId, Given>> = {}): readonly CheckResult[] {
  return checkIds.map((id) => {
    const { level, fix, source, exercisedBy } = checkFacts(id);
    const message = `Exercised by ${exercisedBy}.`;
    return { id, level, verdict: "pass", message, fix, source, exchanges: ["1"], handshakes: [], ...given[id] };
  });
}

const ended: DrillReport["outcome"] = { expected: "succeeds", exitStatus: 0, verdict: "pass" };

/** The members of a drill besides its name and its checks. */
type Rest = Partial<Omit<DrillReport, "name" | "checks">>;

/** One drill. Its verdict follows from its checks and problems, unless a verdict is given. */
export function drillOf(name: string, checks: readonly CheckResult[], rest: Rest = {}): DrillReport {
  const failed = rest.problems !== undefined || checks.some((check) => countsAsFailure(check, "must"));
  return { name, verdict: failed ? "fail" : "pass", outcome: ended, checks, ...rest };
}

/** A report of these drills. */
export function reportOn(...drills: readonly DrillReport[]): Report {
  return reportOf(drills);
}

/** One drill with a failure, a warning, and a check that was not exercised. */
export function mixedReport(): Report {
  return reportOn(
    drillOf(
      "run",
      checksOf({
        "token.refused": {
          verdict: "fail",
          message: "A token was sent again after it was refused with invalid_token.",
          exchanges: ["3", "5"],
          evidence: [
            "0.41 s GET /v1/payouts?pageSize=7&cursor=abc: 401 UNAUTHORIZED (the fault)",
            "0.42 s GET /v1/payouts?pageSize=7&cursor=abc: 401 UNAUTHORIZED. The token was refused before.",
          ],
        },
        "tls.reuse": { verdict: "fail", message: "Each of 5 requests came on a connection of its own." },
        "tls.encrypted": { verdict: "fail", message: "Plain HTTP was sent.", exchanges: [], handshakes: ["2"] },
        "list.loop": {
          verdict: "not-exercised",
          message: "Not exercised: it takes a second page.",
          exchanges: [],
        },
      }),
    ),
  );
}

/**
 * A report of an exam: a drill with a failure, a warning and a known failure, one with problems, two not exercised, and
 * one that passed.
 */
export function examReport(): Report {
  const [run] = mixedReport().drills;
  const knownFailure = { verdict: "fail", message: "A cursor was sent again.", known: "PAY-17" } as const;
  const idle = { verdict: "not-exercised", message: "Not exercised: it takes a refusal.", exchanges: [] } as const;
  return reportOn(
    { ...(run as DrillReport), name: "plain" },
    drillOf("outage", checksOf({ "list.restart": knownFailure }), {
      duration: 1234,
      description: "Answers everything with 503 for two seconds.",
      advice: "A correct client tries again after a 503.",
      output: ["first", "Error: 503"],
      expected: [{ code: "INVALID_PAGE_SIZE", count: 2, exchanges: ["3", "5"] }],
      outcome: { expected: "succeeds", exitStatus: 3, verdict: "fail" },
      problems: [
        {
          about: "outcome",
          message: "The command ended with exit status 3; that of a correct client succeeds.",
          fix: "A correct client tries again after a 503.",
        },
        { about: "requests", message: "9 requests of token arrived.", fix: "Keep the token.", known: "PAY-18" },
      ],
    }),
    drillOf("asleep", checksOf(), { verdict: "not-exercised", missing: ["http1.1"] }),
    drillOf("elsewhere", checksOf({ "token.refused": idle }), {
      ...{ verdict: "not-exercised", missing: [], notReached: ["token.refused"] },
    }),
    drillOf("flaky", checksOf(), { description: "Fails one request in five." }),
  );
}

/** Text with a meaning in each format: markup, control characters, escapes of terminals, halves of characters. */
export const hostileText =
  "<script>alert(1)</script> ]]> <!-- --> {{ x }} | ` [a](http://b) \u0000\u0008\u001b[31mred\u009b31m \u202e\u2028\ufffe\ud800 'q' \"q\" &amp; @all *b* $x$\r\n::error::no";

/** Names and messages with that text, wherever a report can contain them. */
export function hostileReport(): Report {
  const checks = checksOf({
    "request.parameters": {
      verdict: "fail",
      message: hostileText,
      exchanges: [hostileText],
      handshakes: [hostileText],
      evidence: [hostileText],
    },
    "request.path": { verdict: "fail", message: hostileText },
    "request.values": { verdict: "fail", message: hostileText, known: hostileText },
    "list.loop": { verdict: "not-exercised", message: hostileText },
    "list.cursor": { message: hostileText },
  });
  return reportOn(
    drillOf(hostileText, checks, {
      problems: [{ about: "outcome", message: hostileText, fix: hostileText }],
      description: hostileText,
      advice: hostileText,
      output: [hostileText],
    }),
    drillOf(`${hostileText}2`, checks),
  );
}
