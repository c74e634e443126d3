import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import { checksOf, drillOf, examReport, examTerminal, hostileReport, mixedReport, reportOn } from "./sample.js";

const plain = { level: "must", coloured: false } as const;

describe("the report at the terminal", () => {
  it("says in one sentence how it went, then what failed, why, what to do and what shows it; each check counts once", () => {
    expect(examTerminal(mixedReport(), plain)).toBe(`
payments-sandbox: The client failed 2 of the ${checkIds.length - 1} checks that were exercised:
token.refused, tls.encrypted.

FAILED token.refused (must; RFC 6750 §3.1)
  A token was sent again after it was refused with invalid_token.
  → Discard a token that is refused with invalid_token, and request a new one.
    0.41 s GET /v1/payouts?pageSize=7&cursor=abc: 401 UNAUTHORIZED (the fault)
    0.42 s GET /v1/payouts?pageSize=7&cursor=abc: 401 UNAUTHORIZED. The token
    was refused before.

FAILED tls.encrypted (must; §5 point 1)
  Plain HTTP was sent.
  → Use a base URL that begins with https://.
    handshake 2

WARNING tls.reuse (should; RFC 9112 §9.3)
  Each of 5 requests came on a connection of its own.
  → Keep one HTTP client with a connection pool, and read every answer to its
  end.
    request 1

Checks: 2 failed, 1 warning, ${checkIds.length - 4} passed, 1 not exercised.
`);
  });

  it("counts a warning as a failure at the level should", () => {
    const text = examTerminal(mixedReport(), { ...plain, level: "should" });
    expect(text).toContain("FAILED tls.reuse");
    expect(text).not.toContain("WARNING");
  });

  it("reports a failure of several drills once, and lists the drills, the failed ones first", () => {
    const failed = checksOf({
      "list.restart": { verdict: "fail", message: "A cursor was sent again.", exchanges: ["7"] },
    });
    const names = ["b", "c", "d", "e", "f", "g"];
    const text = examTerminal(
      reportOn(
        drillOf("plain", checksOf()),
        drillOf("asleep", checksOf(), { verdict: "not-exercised" }),
        ...names.map((name) => drillOf(name, failed)),
        drillOf("outage", checksOf(), { problems: [{ about: "outcome", message: "It ended with 3.", fix: "Retry." }] }),
      ),
      plain,
    );
    expect(text.match(/^FAILED list\.restart/gm)).toHaveLength(1);
    expect(text).toContain("  In b:\n    request 7\n  Also in c, d, e, f, g.\n");
    const order = text.split("\n").filter((line) => /^(?:FAILED drill|PASSED|NOT EXERCISED) /.test(line));
    expect(order).toEqual([
      ...[...names, "outage"].map((name) => `FAILED drill ${name}`),
      "PASSED 1 drill: plain",
      "NOT EXERCISED asleep",
    ]);
    expect(text).toContain("The client failed 7 of the 8 drills that were exercised: b, c,\n");
    expect(text).toContain("Drills: 7 failed, 1 passed, 1 not exercised.\n");
    expect(text).toContain(`Checks: 1 failed, ${checkIds.length - 1} passed.\n`);
  });

  it("says of a failed drill what it does, what a correct client does, and what this one did, with its last lines", () => {
    const text = examTerminal(examReport(), plain);
    expect(text).toContain(`
FAILED drill outage
  The drill: Answers everything with 503 for two seconds.
  A correct client tries again after a 503.
  The command ended with exit status 3; that of a correct client succeeds.
  The command printed:
    first
    Error: 503
`);
  });

  it("lists known failures last, with their reasons", () => {
    const text = examTerminal(examReport(), plain);
    const marks = text.split("\n").filter((line) => /^(?:FAILED|WARNING|KNOWN|EXPECTED) /.test(line));
    expect(marks.map((line) => line.replace(/ \(.*/, ""))).toEqual([
      "FAILED token.refused",
      "FAILED tls.encrypted",
      "WARNING tls.reuse",
      "KNOWN requests",
      "KNOWN list.restart",
      "FAILED drill plain",
      "FAILED drill outage",
      "EXPECTED ERROR INVALID_PAGE_SIZE, 2 times in outage",
    ]);
    expect(text).toContain("  Known: PAY-17\n  In outage.\n");
    expect(text).toMatch(/ 1 warning, 1 known, /);
  });

  it("counts a drill that failed by its outcome only, also if it is the only one", () => {
    const problems = [{ about: "outcome", message: "It ended with 3.", fix: "Retry." }] as const;
    const text = examTerminal(reportOn(drillOf("outage", checksOf(), { problems })), plain);
    expect(text).toContain("payments-sandbox: The client failed the one drill that was exercised: outage.\n");
    expect(text).toContain(`Drills: 1 failed.\nChecks: ${checkIds.length} passed.\n`);
    const two = examTerminal(reportOn(drillOf("outage", checksOf(), { problems }), drillOf("b", checksOf())), plain);
    expect(two).toContain("The client failed 1 of the 2 drills that were exercised:\noutage.\n");
  });

  it("has no praise for a client that did nothing", () => {
    const checks = checksOf().map((check) => ({ ...check, verdict: "not-exercised" as const, exchanges: [] }));
    const text = examTerminal(reportOn(drillOf("run", checks, { verdict: "not-exercised" })), plain);
    expect(text).toBe(
      `
payments-sandbox: No check was exercised.

Checks: ${checkIds.length} not exercised.
`,
    );
  });

  it("is one line of praise and one of counts if nothing failed", () => {
    const text = examTerminal(reportOn(drillOf("run", checksOf())), plain);
    expect(text.trim().split("\n\n")).toEqual([
      `payments-sandbox: The client passed all ${checkIds.length} checks that were exercised.`,
      `Checks: ${checkIds.length} passed.`,
    ]);
  });

  it("has lines of at most 80 characters and no control character, whatever the report contains", () => {
    const text = examTerminal(hostileReport(), plain);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("is coloured only on request, with the same text", () => {
    const coloured = examTerminal(mixedReport(), { ...plain, coloured: true });
    expect(coloured).toContain("\u001b[31mFAILED\u001b[0m");
    const bare = coloured
      .split("\u001b")
      .map((part) => part.replace(/^\[\d+m/, ""))
      .join("");
    expect(bare).toBe(examTerminal(mixedReport(), plain));
  });
});
