import { describe, expect, it } from "vitest";
import { plainReport } from "../../../src/exam/report.js";
import { checksOf, examReport, formatExam, hostileReport, mixedReport } from "./sample.js";
import { jsonProblems } from "./validators.js";

describe("the report as JSON", () => {
  it.each([
    ["of a run", mixedReport()],
    ["of an exam", examReport()],
    ["of a running sandbox", plainReport(checksOf())],
    ["with hostile text", hostileReport()],
  ])("%s has the content of the report, and matches report.schema.json", async (_what, report) => {
    const text = formatExam(".json", report, "must");
    expect(JSON.parse(text)).toEqual(report);
    expect(await jsonProblems(text)).toEqual([]);
    expect(text.endsWith("}\n")).toBe(true);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it.each([
    ['"verdict": "pass"', '"verdict": "passed"'],
    ['"version": 1', '"version": 2'],
    ['"exchanges"', '"exchange"'],
    ['"exitStatus": 0', '"exitStatus": "0"'],
  ])("is refused by the schema with %s as %s", async (right, wrong) => {
    const text = formatExam(".json", mixedReport(), "must");
    expect(text).toContain(right);
    expect(await jsonProblems(text.replace(right, wrong))).not.toEqual([]);
  });
});
