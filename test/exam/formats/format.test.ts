import { describe, expect, it } from "vitest";
import { reportEndings } from "../../../src/report/format.js";
import { examReport, formatExam, hostileReport } from "./sample.js";

describe.each(reportEndings)("a report as %s", (ending) => {
  it("is identical for the same report", () => {
    expect(formatExam(ending, examReport(), "must")).toBe(formatExam(ending, examReport(), "must"));
  });

  it("is well-formed text that ends with a line break", () => {
    const text = formatExam(ending, hostileReport(), "should");
    expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
    expect(text.endsWith("\n")).toBe(true);
  });
});
