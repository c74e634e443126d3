import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import { formatReport } from "../../../src/exam/formats/format.js";
import type { Report } from "../../../src/exam/report.js";
import { checksOf, drillOf, examReport, hostileReport, mixedReport, reportOn } from "./sample.js";

const markdown = (report: Report) => formatReport(".md", report, "must");

describe("the report as Markdown", () => {
  it("says first what failed, why and what to do, and then lists the warnings", () => {
    expect(markdown(mixedReport())).toBe(`## Is the client right?

**The client failed.** Checks: ${checkIds.length - 4} passed, 2 failed, 1 warning, 1 not exercised.

### Failed

| check | what happened | what to do | where |
|-|-|-|-|
| **token.refused** (must; RFC 6750 §3.1) | A token was sent again after it was refused with invalid\\_token. | Discard a token that is refused with invalid\\_token, and request a new one. | requests 3, 5 |
| **tls.encrypted** (must; §5 point 1) | Plain HTTP was sent. | Use a base URL that begins with https\\://. | handshakes 2 |

### Warnings

| check | what happened | what to do | where |
|-|-|-|-|
| **tls.reuse** (should; RFC 9112 §9.3) | Each of 5 requests came on a connection of its own. | Keep one HTTP client with a connection pool, and read every answer to its end. | requests 1 |
`);
  });

  it("lists the drills of an exam, folded, and the known failures", () => {
    const text = markdown(examReport());
    expect(text).toContain("Drills: 1 passed, 2 failed (1 by outcome), 2 not exercised.");
    expect(text).toContain("### Known failures\n\n| check | what happened | what to do | where |\n");
    expect(text).toContain(
      "| **list.restart** (must; §7 rule 2) | A cursor was sent again. | Known\\: PAY-17 | outage (requests 1) |",
    );
    expect(text).toContain("### Expected errors\n\n- INVALID\\_PAGE\\_SIZE, 2 times in outage (requests 3, 5)\n");
    expect(text).toContain("<details><summary>All 5 drills</summary>\n\n| drill | verdict |");
    expect(text).toContain(
      `| asleep | not exercised: The program did not send a request over HTTP/1.1. | ${checkIds.length} | 0 | 0 | 0 |`,
    );
  });

  it("names some of the drills that failed in the same way", () => {
    const failed = checksOf({ "list.loop": { verdict: "fail", message: "Again." } });
    const text = markdown(reportOn(...["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => drillOf(name, failed))));
    expect(text).toContain("| a (requests 1), b, c, d, e, f and 2 more |");
  });

  it("has no markup, link, mention or additional cell from texts of a client", () => {
    const text = markdown(hostileReport());
    const outside = text.replaceAll(/\\[\\`*_[\]|~@#$:!]/g, "");
    expect(outside.replace("<details><summary>", "").replace("</summary>", "").replace("</details>", "")).not.toMatch(
      /[<>`~@$\\]/,
    );
    expect(outside).not.toMatch(/\]\(|https?:\/\/|\*b\*/);
    const rows = outside.split("\n").filter((line) => line.startsWith("| "));
    expect(new Set(rows.map((row) => row.split("|").length - 2))).toEqual(new Set([4, 6]));
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
