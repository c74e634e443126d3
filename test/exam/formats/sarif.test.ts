import { describe, expect, it } from "vitest";
import { version } from "../../../src/base/files/version.js";
import { checkFacts, checkIds, newestEdition } from "../../../src/exam/checks.js";
import { formatReport } from "../../../src/exam/formats/format.js";
import type { Report } from "../../../src/exam/report.js";
import { checksOf, drillOf, examReport, hostileReport, hostileText, mixedReport, reportOn } from "./sample.js";
import { jsonProblems } from "./validators.js";

const sarif = (report: Report) => formatReport(".sarif", report, "must");
const runOf = (report: Report) => JSON.parse(sarif(report)).runs[0];

describe("the report as SARIF", () => {
  it.each([
    ["a run", mixedReport()],
    ["an exam", examReport()],
    ["no drill", reportOn()],
    ["hostile text", hostileReport()],
  ])("of %s is valid by the schema of SARIF 2.1.0", async (_what, report) => {
    expect(await jsonProblems("sarif", sarif(report))).toEqual([]);
  });

  it.each([
    ['"ruleId"', '"rule"'],
    ['"level": "error"', '"level": "must"'],
    ['"startLine": 1', '"startLine": 0'],
    ['"version": "2.1.0"', '"version": "2.2"'],
  ])("is refused by the schema with %s as %s", async (right, wrong) => {
    const text = sarif(mixedReport());
    expect(text).toContain(right);
    expect(await jsonProblems("sarif", text.replace(right, wrong))).not.toEqual([]);
  });

  it("has a rule for each check, with level, source and help", () => {
    const { driver } = runOf(mixedReport()).tool;
    expect(driver).toMatchObject({ name: "payments-sandbox", version });
    expect(driver.rules.map(({ id }: { id: string }) => id)).toEqual(checkIds);
    expect(driver.properties).toEqual({ edition: newestEdition });
    const { failsWhen, fix } = checkFacts("tls.reuse");
    expect(driver.rules[checkIds.indexOf("tls.reuse")]).toMatchObject({
      shortDescription: { text: `Fails when ${failsWhen}.` },
      help: { text: `${fix} Source: RFC 9112 §9.3.` },
      defaultConfiguration: { level: "warning" },
      properties: { level: "should", source: "RFC 9112 §9.3" },
    });
  });

  it("has a result for each failure, with its rule, its drill and its evidence", () => {
    const { results } = runOf(mixedReport());
    expect(results.map(({ ruleId, level }: Record<string, string>) => [ruleId, level])).toEqual([
      ["token.refused", "error"],
      ["tls.encrypted", "error"],
      ["tls.reuse", "warning"],
    ]);
    expect(results[0]).toMatchObject({
      ruleIndex: checkIds.indexOf("token.refused"),
      message: {
        text: "A token was sent again after it was refused with invalid_token. Discard a token that is refused with invalid_token, and request a new one before the next attempt. (requests 3, 5 of run)",
      },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: "payments-sandbox/run" } },
          logicalLocations: [{ fullyQualifiedName: "run/token.refused" }],
        },
      ],
    });
  });

  it("has rules for failed expectations of a drill, and suppresses known failures", () => {
    const { tool, results } = runOf(examReport());
    expect(tool.driver.rules.slice(checkIds.length).map(({ id }: { id: string }) => id)).toEqual([
      "outcome",
      "requests",
    ]);
    const suppressed = results.filter((result: object) => "suppressions" in result);
    expect(suppressed.map(({ ruleId, suppressions }: Record<string, unknown>) => [ruleId, suppressions])).toEqual([
      ["requests", [{ kind: "external", justification: "PAY-18" }]],
      ["list.restart", [{ kind: "external", justification: "PAY-17" }]],
    ]);
  });

  it("has the errors that were expected", () => {
    expect(runOf(examReport()).properties).toEqual({
      expected: [{ drill: "outage", code: "INVALID_PAGE_SIZE", count: 2, exchanges: ["3", "5"] }],
    });
  });

  it("has a required check that was not exercised as open, without a level", async () => {
    const [open, ...others] = runOf(examReport()).results.filter(({ kind }: { kind?: string }) => kind === "open");
    expect(open).toMatchObject({ ruleId: "token.refused", level: "none" });
    expect(others).toEqual([]);
  });

  it("writes brackets of a message as text, not as a link", () => {
    const linked = checksOf({ "list.loop": { verdict: "fail", message: "[a](1) \\ {0}" } });
    const [result] = runOf(reportOn(drillOf("run", linked))).results;
    expect(result.message.text).toMatch(/^\\\[a\\\]\(1\) \\\\ \{0\} /);
  });

  it("writes names of artifacts as URI references (RFC 3986), for any name of a drill", () => {
    for (const { locations } of runOf(hostileReport()).results)
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(
        /^payments-sandbox\/(?:[\w.!~*'()-]|%[\dA-F]{2})+$/,
      );
  });

  it("has no control characters for a terminal", () => {
    expect(hostileText).toContain("\u001b");
    expect(sarif(hostileReport()).replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
