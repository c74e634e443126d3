import { htmlText } from "./html.js";
import { jsonText } from "./json.js";
import { junitText } from "./junit.js";
import { markdownText } from "./markdown.js";
import type { Sheet } from "./sheet.js";

/** The formats of a report, by the extension of its file. The same report gives the same bytes. */
const formats = {
  ".json": jsonText,
  ".xml": (_report: object, sheet: Sheet) => junitText(sheet),
  ".html": (_report: object, sheet: Sheet) => htmlText(sheet),
  ".md": (_report: object, sheet: Sheet) => markdownText(sheet),
} as const satisfies Readonly<Record<`.${string}`, (report: object, sheet: Sheet) => string>>;

/** The possible extensions of a report's file. */
export type ReportEnding = keyof typeof formats;

export const reportEndings = Object.keys(formats) as ReportEnding[];

/** Whether there is a format for an extension. It begins with a dot and is in lower case. */
export function isReportEnding(ending: string): ending is ReportEnding {
  return Object.hasOwn(formats, ending);
}

/**
 * A report as the text of a file.
 * @param report as it is in JSON
 * @param sheet the same for persons
 */
export function formatReport(ending: ReportEnding, report: object, sheet: Sheet): string {
  return formats[ending](report, sheet);
}
