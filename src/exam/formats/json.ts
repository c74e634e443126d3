import { printableJson } from "../../text/printable.js";
import type { Report } from "../report.js";

/** The report as JSON: report.schema.json describes it. */
export function jsonText(report: Report): string {
  return indentedJson(report);
}

/** JSON on several lines. What a terminal would act on is escaped, and the value stays the same. */
export function indentedJson(value: unknown): string {
  // Within JSON, a line break is part of the indentation only.
  return `${JSON.stringify(value, null, 2).split("\n").map(printableJson).join("\n")}\n`;
}
