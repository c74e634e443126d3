import { printableJson } from "../../text/printable.js";
import type { Report } from "../report.js";

/** The report as JSON: report.schema.json describes it. */
export function jsonText(report: Report): string {
  return indentedJson(report);
}

/** JSON on several lines. Control characters of terminals are escaped; the value stays the same. */
export function indentedJson(value: unknown): string {
  // In JSON text, line breaks are only part of the indentation.
  return `${JSON.stringify(value, null, 2).split("\n").map(printableJson).join("\n")}\n`;
}
