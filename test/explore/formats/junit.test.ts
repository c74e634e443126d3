import { describe, expect, it } from "vitest";
import { junitProblems } from "../../exam/formats/validators.js";
import { cellOf, formatExplore, hostileReport, reportOf, sampleReport } from "../sample.js";

const must = () => formatExplore(".xml", sampleReport(), "must");

/** The content of the case of a cell. */
function caseIn(text: string, point: string, fault: string): string | undefined {
  const found = new RegExp(
    `<testcase classname="${point}" name="${fault}" time="[\\d.]+"(?:/>|>(.*?)</testcase>)`,
    "s",
  ).exec(text);
  return found === null ? undefined : (found[1] ?? "");
}

describe("explore's report as JUnit XML", () => {
  it("has a case that fails if no fault acted, because the exploration fails then", () => {
    const idle = reportOf(cellOf("ping", "goaway", { verdict: "not-reached" }));
    expect(formatExplore(".xml", idle, "must")).toContain('failures="1"');
    expect(formatExplore(".xml", idle, "must")).toContain("No fault acted");
  });

  it("is valid by the schema of Jenkins, whatever the report contains", async () => {
    const texts = [sampleReport(), hostileReport(), reportOf()].flatMap((report) =>
      (["must", "should"] as const).map((level) => formatExplore(".xml", report, level)),
    );
    expect(await junitProblems(...texts)).toEqual([]);
  });

  it("has a suite for each point and a case for each cell, with its time", () => {
    expect(
      formatExplore(".xml", reportOf(cellOf("ping", "close"), cellOf("ping", "slow", { duration: 65 })), "must"),
    ).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="payments-sandbox" tests="2" failures="0" errors="0" time="1.265">
  <testsuite name="ping" tests="2" failures="0" errors="0" skipped="0" time="1.265">
    <properties>
      <property name="requests" value="1"/>
    </properties>
    <testcase classname="ping" name="close" time="1.200"/>
    <testcase classname="ping" name="slow" time="0.065"/>
  </testsuite>
</testsuites>
`,
    );
    expect(must()).toContain('<testsuites name="payments-sandbox" tests="155" failures="6" errors="0"');
  });

  it("has a failure with what happened, what to do, the requests, the output and how to repeat it", () => {
    expect(caseIn(must(), "list.payments.middle", "truncate")).toBe(
      `<failure type="wrong" message="list.payments.middle/truncate: wrong. GET /v1/payments, page 2 of 3, was cut off after 812 of 1,630 bytes; it was not sent again, and the command ended with 0: 7 of 21 rows were never delivered. Treat an answer that ends before its Content-Length as failed, and send the request again or report it.">GET /v1/payments, page 2 of 3, was cut off after 812 of 1,630 bytes; it was not sent again, and the command ended with 0: 7 of 21 rows were never delivered.
Fix: Treat an answer that ends before its Content-Length as failed, and send the request again or report it.
0.31 s GET /v1/payments?pageSize=7: 200
0.33 s GET /v1/payments?pageSize=7&amp;cursor=abcdef: 200, not delivered whole (the fault)
Failed test: lists &gt; counts all payments: expected 14 to be 21
Failed test: Of 2 tests nothing is known.
ok 3 - lists all payments
# pass 12
# fail 0
Repeat: payments-sandbox explore --only &#39;list.payments.middle/truncate&#39; -- npm test</failure>`,
    );
    expect(caseIn(must(), "list.payouts.only", "error-429")).toContain("Failed: retry.after\n");
  });

  it("skips what is a warning, known, without a verdict or not run, and passes only what is good", () => {
    const text = must();
    expect(caseIn(text, "ping", "error-503")).toMatch(/^<skipped>Warning: gave up\. /);
    expect(caseIn(text, "list.payments.first", "error-500")).toMatch(/^<skipped>Known: ticket 4711 /);
    expect(caseIn(text, "token.renewal", "early-expiry")).toBe(
      "<skipped>not reached. The fault never acted.</skipped>",
    );
    expect(caseIn(text, "list.payments.last", "stall")).toMatch(/^<skipped>not judged\. /);
    expect(caseIn(text, "list.payments.middle", "stall")).toMatch(/^<skipped>unstable\. /);
    expect(caseIn(text, "list.payouts.only", "forbidden-always")).toBe("<skipped>not run. Nothing is known.</skipped>");
    expect(caseIn(text, "list.payouts.only", "short-page")).toBe("");
    expect(caseIn(text, "ping", "reset-always")).toBe("");
    expect(caseIn(formatExplore(".xml", sampleReport(), "should"), "ping", "error-503")).toMatch(
      /^<failure type="gave-up"/,
    );
  });
});
