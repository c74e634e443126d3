import type { Level } from "../../exam/finding.js";
import type { ReportEnding } from "../../exam/formats/format.js";
import { jsonText } from "../../exam/formats/json.js";
import type { ExploreReport } from "../report.js";
import { htmlText } from "./html.js";
import { junitText } from "./junit.js";
import { markdownText } from "./markdown.js";

/** The formats of a report, by the extension of its file. `explore.schema.json` describes the JSON. */
const formats: Readonly<Record<ReportEnding, (report: ExploreReport, level: Level) => string>> = {
  ".json": jsonText,
  ".xml": junitText,
  ".html": htmlText,
  ".md": markdownText,
};

/**
 * A report as the text of a file. The same report gives the same bytes.
 * @param level at which a finding is a failure, not a warning
 */
export function formatExplore(ending: ReportEnding, report: ExploreReport, level: Level): string {
  return formats[ending](report, level);
}
