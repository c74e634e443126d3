import { describe, expect, it } from "vitest";
import { checkIds } from "../../../src/exam/checks.js";
import { checksOf, drillOf, examReport, formatExam, hostileReport, mixedReport, reportOn } from "./sample.js";
import { junitProblems } from "./validators.js";

/** The content of the case of a check, and the name of its element. */
function caseIn(text: string, drill: string, name: string): string | undefined {
  const found = new RegExp(
    `<testcase classname="${drill}" name="${name}" time="[\\d.]+"(?:/>|>(.*?)</testcase>)`,
    "s",
  ).exec(text);
  return found === null ? undefined : (found[1] ?? "");
}

describe("the report as JUnit XML", () => {
  it.each([
    ["a run", mixedReport()],
    ["an exam", examReport()],
    ["no drill", reportOn()],
    ["hostile text", hostileReport()],
  ])("of %s is valid by the schema of Jenkins", async (_what, report) => {
    const texts = (["must", "should"] as const).map((level) => formatExam(".xml", report, level));
    expect(await junitProblems(...texts)).toEqual([]);
  });

  it.each([
    [' time="0.000"/>', ' times="0.000"/>'],
    ["<skipped>", "<skipped>\u0008"],
    ["</testsuites>", "</testsuite>"],
  ])("is refused by the validator with %j as %j", { tags: "slow" }, async (right, wrong) => {
    const text = formatExam(".xml", mixedReport(), "must");
    expect(text).toContain(right);
    expect(await junitProblems(text.replace(right, wrong))).not.toEqual([]);
  });

  it("has a suite for each drill, and a case for each check, skipped if it was not exercised", () => {
    const text = formatExam(".xml", mixedReport(), "must");
    expect(text).toContain(
      `<testsuite name="run" tests="${checkIds.length + 1}" failures="2" errors="0" skipped="2" time="0.000">`,
    );
    expect(caseIn(text, "run", "token.form")).toBe("");
    expect(caseIn(text, "run", "list.loop")).toBe("<skipped>Not exercised: it takes a second page.</skipped>");
    expect(caseIn(text, "run", "token.refused")).toBe(
      `<failure type="token.refused" message="A token was sent again after it was refused with invalid_token. Discard a token that is refused with invalid_token, and request a new one.">A token was sent again after it was refused with invalid_token.
Fix: Discard a token that is refused with invalid_token, and request a new one.
must; RFC 6750 §3.1
0.41 s GET /v1/payouts?pageSize=7&amp;cursor=abc: 401 UNAUTHORIZED (the fault)
0.42 s GET /v1/payouts?pageSize=7&amp;cursor=abc: 401 UNAUTHORIZED. The token was refused before.</failure>`,
    );
  });

  it("reports a failed should as a failure at that level, and otherwise as skipped with a warning", () => {
    const at = (level: "must" | "should") => caseIn(formatExam(".xml", mixedReport(), level), "run", "tls.reuse");
    expect(at("must")).toMatch(/^<skipped>Warning: Each of 5 requests came .*<\/skipped>$/);
    expect(at("should")).toMatch(/^<failure type="tls.reuse" /);
  });

  it("reports the expectations of a drill besides its checks, what is known, and that a drill was not exercised", () => {
    const text = formatExam(".xml", examReport(), "must");
    expect(text).toContain(
      `<testsuite name="outage" tests="${checkIds.length + 2}" failures="1" errors="0" skipped="2" time="1.234">`,
    );
    expect(text).toContain('<property name="expectedError" value="INVALID_PAGE_SIZE, 2 times in outage"/>');
    expect(caseIn(text, "outage", "outcome")).toContain("Fix: A correct client tries again after a 503.");
    expect(caseIn(text, "elsewhere", "drill")).toMatch(
      /^<skipped>Not exercised\. The fault never reached token\.refused: /,
    );
    expect(caseIn(text, "outage", "list.restart")).toBe("<skipped>Known: PAY-17 A cursor was sent again.</skipped>");
    expect(caseIn(text, "asleep", "drill")).toBe(
      "<skipped>Not exercised. The program did not send a request over HTTP/1.1.</skipped>",
    );
    expect(caseIn(text, "flaky", "drill")).toBe(undefined);
  });

  it("has the time of each command in seconds, in its suite, in its case `outcome`, and in total", () => {
    const drills = [1234, 65, 3_600_000].map((duration, index) => ({ ...drillOf(`d${index}`, checksOf()), duration }));
    const text = formatExam(".xml", reportOn(...drills), "must");
    const times = [...text.matchAll(/<(testsuites?|testcase)[^>]* time="([^"]+)"/g)].map(([, what, time]) => [
      what,
      time,
    ]);
    expect(times.filter(([, time]) => time !== "0.000")).toEqual([
      ["testsuites", "3601.299"],
      ...["1.234", "0.065", "3600.000"].flatMap((time) => [
        ["testsuite", time],
        ["testcase", time],
      ]),
    ]);
    expect(text).toMatch(/name="outcome" time="3600\.000"\/>/);
  });

  it("escapes characters that XML cannot contain", () => {
    const bell = checksOf({ "list.loop": { verdict: "fail", message: "a \u0007 b \ufffe c ]]> \ud800" } });
    const text = formatExam(".xml", reportOn(drillOf("run", bell)), "must");
    expect(caseIn(text, "run", "list.loop")).toContain("a \\u{7} b \\u{fffe} c ]]&gt; \\u{d800}");
  });
});
