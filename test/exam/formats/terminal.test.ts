import { describe, expect, it } from "vitest";
import { terminalText } from "../../../src/cli/report/terminal.js";
import { checkIds } from "../../../src/exam/checks.js";
import { checksOf, drillOf, examReport, hostileReport, mixedReport, reportOn } from "./sample.js";

const plain = { level: "must", coloured: false } as const;

describe("the report at the terminal", () => {
  it("says what failed, why and what to do, then the warnings, then the counts", () => {
    expect(terminalText(mixedReport(), plain)).toBe(`
FAILED token.refused (must; RFC 6750 §3.1)
  A token was sent again after it was refused with invalid_token.
  → Discard a token that is refused with invalid_token, and request a new one.
  requests 3, 5

FAILED tls.encrypted (must; §5 point 1)
  Plain HTTP was sent.
  → Use a base URL that begins with https://.
  handshakes 2

WARNING tls.reuse (should; RFC 9112 §9.3)
  Each of 5 requests came on a connection of its own.
  → Keep one HTTP client with a connection pool, and read every answer to its
  end.
  requests 1

payments-sandbox: The client failed.
Checks: ${checkIds.length - 4} passed, 2 failed, 1 warning, 1 not exercised.
`);
  });

  it("counts a warning as a failure at the level should", () => {
    const text = terminalText(mixedReport(), { ...plain, level: "should" });
    expect(text).toContain("FAILED tls.reuse");
    expect(text).not.toContain("WARNING");
  });

  it("reports a failure of several drills once, and lists the drills, the failed ones first", () => {
    const failed = checksOf({
      "list.restart": { verdict: "fail", message: "A cursor was sent again.", exchanges: ["7"] },
    });
    const names = ["b", "c", "d", "e", "f", "g"];
    const text = terminalText(
      reportOn(
        drillOf("plain", checksOf()),
        drillOf("asleep", checksOf(), { verdict: "not-exercised" }),
        ...names.map((name) => drillOf(name, failed)),
        drillOf("outage", checksOf(), { problems: [{ about: "outcome", message: "It ended with 3.", fix: "Retry." }] }),
      ),
      plain,
    );
    expect(text.match(/^FAILED list\.restart/gm)).toHaveLength(1);
    expect(text).toContain("  In b (requests 7), c, d, e, f, and 1 other drill.\n");
    expect(text).toContain("FAILED outcome\n  It ended with 3.\n  → Retry.\n  In outage.\n");
    const order = text.split("\n").filter((line) => /^\w+ +(?:fail|pass|not-exercised) /.test(line));
    expect(order.map((line) => line.split(" ", 1)[0])).toEqual([...names, "outage", "asleep", "plain"]);
    expect(text).toContain("Drills: 1 passed, 7 failed (1 by outcome), 1 not exercised.\n");
  });

  it("lists known failures last, with their reasons", () => {
    const text = terminalText(examReport(), plain);
    const marks = text.split("\n").filter((line) => /^(?:FAILED|WARNING|KNOWN|EXPECTED) /.test(line));
    expect(marks.map((line) => line.replace(/ \(.*/, ""))).toEqual([
      "FAILED token.refused",
      "FAILED tls.encrypted",
      "FAILED outcome",
      "WARNING tls.reuse",
      "KNOWN requests",
      "KNOWN list.restart",
      "EXPECTED INVALID_PAGE_SIZE, 2 times in outage",
    ]);
    expect(text).toContain("  Known: PAY-17\n");
    expect(text).toMatch(/, 1 known\.\n$/);
  });

  it("counts a drill that failed by its outcome only, also if it is the only one", () => {
    const problems = [{ about: "outcome", message: "It ended with 3.", fix: "Retry." }] as const;
    const text = terminalText(reportOn(drillOf("outage", checksOf(), { problems })), plain);
    expect(text).toContain("Drills: 0 passed, 1 failed (1 by outcome), 0 not exercised.\n");
    const two = terminalText(reportOn(drillOf("outage", checksOf(), { problems }), drillOf("b", checksOf())), plain);
    expect(two).toMatch(/\noutage +fail +\d+ +1 +0 +0\n/);
  });

  it("has no praise for a client that did nothing", () => {
    const checks = checksOf().map((check) => ({ ...check, verdict: "not-exercised" as const, exchanges: [] }));
    const text = terminalText(reportOn(drillOf("run", checks, { verdict: "not-exercised" })), plain);
    expect(text).toBe(
      `\npayments-sandbox: No check was exercised.\nChecks: 0 passed, 0 failed, 0 warnings, ${checkIds.length} not exercised.\n`,
    );
  });

  it("is one line of praise and one of counts if nothing failed", () => {
    const text = terminalText(reportOn(drillOf("run", checksOf())), plain);
    expect(text.trim().split("\n")).toEqual([
      "payments-sandbox: The client passed what was exercised.",
      `Checks: ${checkIds.length} passed, 0 failed, 0 warnings, 0 not exercised.`,
    ]);
  });

  it("has lines of at most 80 characters and no control character, whatever the report contains", () => {
    const text = terminalText(hostileReport(), plain);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it("is coloured only on request, with the same text", () => {
    const coloured = terminalText(mixedReport(), { ...plain, coloured: true });
    expect(coloured).toContain("\u001b[31mFAILED\u001b[0m");
    const bare = coloured
      .split("\u001b")
      .map((part) => part.replace(/^\[\d+m/, ""))
      .join("");
    expect(bare).toBe(terminalText(mixedReport(), plain));
  });
});
