import { printableJson } from "../../text/printable.js";
import type { Report } from "../report.js";

/** The report as JSON. What a terminal would act on is escaped. */
export function jsonText(report: Report): string {
  // Within JSON, a line break is part of the indentation only.
  return `${JSON.stringify(report, null, 2).split("\n").map(printableJson).join("\n")}\n`;
}
