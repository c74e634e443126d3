import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import type { Report } from "../../../src/exam/report.js";
import { expectOnlyOwnMarkdown } from "../../report/outside-texts.js";
import { checksOf, drillOf, examReport, formatExam, hostileReport, mixedReport, reportOn } from "./sample.js";

const markdown = (report: Report) => formatExam(".md", report, "must");

describe("the report as Markdown", () => {
  it("says first how it went, what failed, why, what to do and what shows it, and then lists the warnings", () => {
    expect(markdown(mixedReport())).toBe(`## Is the client right?

**The client failed 2 of the ${checkIds.length - 1} checks that were exercised\\: token.refused, tls.encrypted.** Checks: 2 failed, 1 warning, ${checkIds.length - 4} passed, 1 not exercised.

### Failed

| finding | what the client did | what to do | where | shown by |
|-|-|-|-|-|
| **token.refused** (must; RFC 6750 §3.1) | A token was sent again after it was refused with invalid\\_token. | Discard a token that is refused with invalid\\_token, and request a new one. | run | 0.41 s GET /v1/payouts?pageSize=7&amp;cursor=abc\\: 401 UNAUTHORIZED (the fault)<br>0.42 s GET /v1/payouts?pageSize=7&amp;cursor=abc\\: 401 UNAUTHORIZED. The token was refused before. |
| **tls.encrypted** (must; §5 point 1) | Plain HTTP was sent. | Use a base URL that begins with https\\://. | run | handshake 2 |

### Warnings

| finding | what the client did | what to do | where | shown by |
|-|-|-|-|-|
| **tls.reuse** (should; RFC 9112 §9.3) | Each of 5 requests came on a connection of its own. | Keep one HTTP client with a connection pool, and read every answer to its end. | run | request 1 |
`);
  });

  it("lists the drills of an exam, failed ones first and the others folded, and the known failures", () => {
    const text = markdown(examReport());
    expect(text).toContain("Drills: 2 failed, 1 passed, 2 not exercised.");
    expect(text).toContain(
      "| outage | **failed** | The drill\\: Answers everything with 503 for two seconds.<br>A correct client tries again after a 503.<br>The command ended with exit status 3; that of a correct client succeeds. | first<br>Error\\: 503 |",
    );
    expect(text).toContain("### Known failures\n\n| finding | what the client did | what to do | where | shown by |\n");
    expect(text).toContain(
      "| **list.restart** (must; §7 rule 2) | A cursor was sent again. | Known\\: PAY-17 | outage |",
    );
    expect(text).toContain("- Expected error\\: INVALID\\_PAGE\\_SIZE, 2 times in outage\n");
    expect(text).toContain("<details><summary>All 5 drills</summary>\n\n| drill | verdict |");
    expect(text).toContain(
      "| asleep | not exercised | This client ended with exit status 0.<br>The program did not send a request over HTTP/1.1. |",
    );
  });

  it("names some of the drills that failed in the same way", () => {
    const failed = checksOf({ "list.loop": { verdict: "fail", message: "Again." } });
    const text = markdown(reportOn(...["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => drillOf(name, failed))));
    expect(text).toContain("| a, b, c, d, e, f and 2 more |");
  });

  it("has no markup, link, mention or additional cell from texts of a client", () => {
    expectOnlyOwnMarkdown(markdown(hostileReport()), [4, 5]);
  });
});
