import { describe, expect, it } from "vitest";
import { jsonProblems } from "../../exam/formats/validators.js";
import { formatExplore, hostileReport, reportOf, sampleReport } from "../sample.js";

describe("explore's report as JSON", () => {
  it.each([
    ["a whole one", sampleReport()],
    ["an empty one", reportOf()],
    ["one with hostile text", hostileReport()],
  ])("%s has the content of the report, and matches explore.schema.json", async (_, report) => {
    const text = formatExplore(".json", report, "must");
    expect(JSON.parse(text)).toEqual(report);
    expect(await jsonProblems(text, "explore")).toEqual([]);
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it.each([
    ['"verdict": "wrong"', '"verdict": "bad"'],
    ['"version": 1', '"version": 2'],
    ['"notRun"', '"left"'],
    ['"exitStatus": 0', '"exitStatus": "0"'],
  ])("is refused by the schema with %s as %s", async (right, wrong) => {
    const text = formatExplore(".json", sampleReport(), "must");
    expect(text).toContain(right);
    expect(await jsonProblems(text.replace(right, wrong), "explore")).not.toEqual([]);
  });
});
