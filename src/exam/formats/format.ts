import { printableJson } from "../../base/text/printable.js";
import type { Level } from "../finding.js";
import type { Report } from "../report.js";
import { htmlText } from "./html.js";
import { junitText } from "./junit.js";
import { markdownText } from "./markdown.js";

/**
 * JSON on several lines: of a report, report.schema.json describes it. Control characters of terminals are escaped; the
 * value stays the same.
 */
function jsonText(value: unknown): string {
  // In JSON text, line breaks are only part of the indentation.
  return `${JSON.stringify(value, null, 2).split("\n").map(printableJson).join("\n")}\n`;
}

/** @param level at which a failed check is a failure, not a warning */
type Format = (report: Report, level: Level) => string;

/** The formats of a report, by the extension of its file. The same report gives the same bytes. */
const formats = {
  ".json": jsonText,
  ".xml": junitText,
  ".html": htmlText,
  ".md": markdownText,
} as const satisfies Readonly<Record<`.${string}`, Format>>;

/** The possible extensions of a report's file. */
export type ReportEnding = keyof typeof formats;

export const reportEndings = Object.keys(formats) as ReportEnding[];

/** Whether there is a format for an extension. It begins with a dot and is in lower case. */
export function isReportEnding(ending: string): ending is ReportEnding {
  return Object.hasOwn(formats, ending);
}

/**
 * A report as the text of a file.
 * @param level at which a failed check is a failure, not a warning
 */
export function formatReport(ending: ReportEnding, report: Report, level: Level): string {
  const format: Format = formats[ending];
  return format(report, level);
}
