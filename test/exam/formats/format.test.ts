import { describe, expect, it } from "vitest";
import { formatReport, reportEndings } from "../../../src/exam/formats/format.js";
import { examReport, hostileReport } from "./sample.js";

describe.each(reportEndings)("a report as %s", (ending) => {
  it("is identical for the same report", () => {
    expect(formatReport(ending, examReport(), "must")).toBe(formatReport(ending, examReport(), "must"));
  });

  it("is well-formed text that ends with a line break", () => {
    const text = formatReport(ending, hostileReport(), "should");
    expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
    expect(text.endsWith("\n")).toBe(true);
  });
});
