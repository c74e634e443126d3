import { readRegularFile, unreadableBecause, utf8Text } from "../../base/files/regular-file.js";
import { jsonIn } from "../../base/text/json-object.js";
import { quote } from "../../base/text/printable.js";
import { cellName, exploreSchema, weightOf } from "../../explore/report.js";
import { SettingError } from "../../sandbox/config/settings.js";

/** Most bytes of a report. That of 9999 cells has a third of it. */
const largestReport = 134_217_728;

/** What is read of a report: other releases have other verdicts. */
const formerSchema = exploreSchema.pick({ version: true }).extend({
  cells: exploreSchema.shape.cells.element.pick({ point: true, fault: true, counts: true, known: true }).array(),
});

/** The findings of an earlier exploration. */
export interface Former {
  /** The file, as it was given. */
  readonly file: string;
  /** The names of cells: `must`, `should`, and those that were known. */
  readonly findings: ReadonlySet<string>;
}

/**
 * Reads the report of `--again`.
 * @param file undefined: there is none
 * @throws SettingError for a file that is no report of explore in JSON, or has no finding
 */
export async function formerFindings(file: string | undefined): Promise<Former | undefined> {
  if (file === undefined) return undefined;
  const unusable = (why: string) =>
    new SettingError(`--again is ${quote(file)}; ${why}. Give a report that explore --report FILE.json has written.`);
  let text: string;
  try {
    text = utf8Text(await readRegularFile(file, largestReport));
  } catch (error) {
    throw unusable(unreadableBecause(error));
  }
  const value = jsonIn(text);
  if (value === undefined) throw unusable("it is not JSON");
  const { data, error } = formerSchema.safeParse(value);
  if (data === undefined) {
    const [issue] = error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "" : ` (${quote(issue.path.join("."))})`;
    throw unusable(`it is no report of explore${place}`);
  }
  const findings = data.cells.filter((cell) => weightOf(cell, "should") !== undefined).map(cellName);
  if (findings.length === 0) throw unusable("it has no finding that could be run again");
  return { file, findings: new Set(findings) };
}
