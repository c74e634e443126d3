import type { CheckId } from "../../../src/exam/checks.js";
import { checkFacts, checkIds } from "../../../src/exam/checks.js";
import type { CheckResult, DrillOutcome, Report, Verdict } from "../../../src/exam/report.js";

/** What is wrong with a check, in a report for tests. */
type Given = Partial<Pick<CheckResult, "verdict" | "message" | "exchanges" | "handshakes">>;

/** Every check: those that are given, and all others passed by request 1. */
export function checksOf(given: Partial<Record<CheckId, Given>> = {}): readonly CheckResult[] {
  return checkIds.map((id) => {
    const { level, fix, source, exercisedBy } = checkFacts(id);
    const message = `Exercised by ${exercisedBy}.`;
    return { id, level, verdict: "pass", message, fix, source, exchanges: ["1"], handshakes: [], ...given[id] };
  });
}

const ended: DrillOutcome = { expected: "any", exitStatus: 0, verdict: "pass" };

/** One drill. Its verdict is that of its `must` checks and its outcome, unless another one is given. */
export function drillOf(
  name: string,
  checks: readonly CheckResult[],
  { outcome = ended, verdict }: { readonly outcome?: DrillOutcome; readonly verdict?: Verdict } = {},
): Report["drills"][number] {
  const failed = outcome.verdict === "fail" || checks.some((each) => each.level === "must" && each.verdict === "fail");
  return { name, verdict: verdict ?? (failed ? "fail" : "pass"), outcome, checks };
}

/** A report on these drills. */
export function reportOn(...drills: readonly Report["drills"][number][]): Report {
  const all = drills.flatMap(({ checks }) => checks);
  const count = (verdict: Verdict, level?: string) =>
    all.filter((check) => check.verdict === verdict && (level === undefined || check.level === level)).length;
  return {
    version: 1,
    drills,
    summary: {
      pass: count("pass"),
      fail: count("fail", "must"),
      warn: count("fail", "should"),
      notExercised: count("not-exercised"),
    },
  };
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

/** Text that means something to each format: markup, control characters, escapes of terminals, halves of characters. */
const hostileText =
  "<script>alert(1)</script> ]]> <!-- --> $x{{ x }} | ` [a](http://b) \u0000\u0008\u001b[31mred\u009b31m \u202e\u2028\ufffe\ud800 'q' \"q\" &amp; @all *b* $x$\r\n::error::no";

/** Names and messages with that text wherever a report could have them. */
export function hostileReport(): Report {
  const outcome: DrillOutcome = { expected: "succeeds", exitStatus: 139, verdict: "fail" };
  const checks = checksOf({
    "request.parameters": {
      verdict: "fail",
      message: hostileText,
      exchanges: [hostileText],
      handshakes: [hostileText],
    },
    "request.path": { verdict: "fail", message: hostileText },
    "list.loop": { verdict: "not-exercised", message: hostileText },
    "list.cursor": { message: hostileText },
  });
  return reportOn(drillOf(hostileText, checks, { outcome }), drillOf(`${hostileText}2`, checks));
}
