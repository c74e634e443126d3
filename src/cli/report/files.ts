import { stat } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { quote } from "../../base/text/printable.js";
import { formatReport, isReportEnding, type ReportEnding, reportEndings } from "../../report/format.js";
import type { Sheet } from "../../report/sheet.js";
import { SettingError } from "../../sandbox/config/settings.js";
import { fileBehind, replaceFile, tryToReplace } from "../replace-file.js";

/** A file that a report is written to. */
export interface ReportFile {
  /** As it was given. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly ending: ReportEnding;
}

/** A report cannot be written. */
class ReportFileError extends Error {
  override readonly name = "ReportFileError";
}

/**
 * The files of `--report`, checked before the command begins: each has a known ending, and can be written. Folders are
 * not created.
 * @throws SettingError for a file that cannot be used
 */
export async function reportFiles(names: readonly string[]): Promise<readonly ReportFile[]> {
  const files: ReportFile[] = [];
  for (const name of names) files.push(await usable(name));
  return files;
}

async function usable(name: string): Promise<ReportFile> {
  const ending = extname(name).toLowerCase();
  if (!isReportEnding(ending)) throw unusable(name, `give a file that ends with ${reportEndings.join(", ")}`);
  const path = await fileBehind(resolve(name));
  const present = await stat(path).catch(() => undefined);
  if (present !== undefined && !present.isFile())
    throw unusable(name, present.isDirectory() ? "it is a folder" : "it is not a regular file");
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw unusable(name, `there is no folder ${quote(dirname(path))}`);
  await tryToReplace(path).catch(({ message }: Error) => {
    throw unusable(name, `its folder cannot be written: ${message}`);
  });
  return { name, path, ending };
}

function unusable(name: string, problem: string): SettingError {
  return new SettingError(`--report is ${quote(name)}; ${problem}.`);
}

/**
 * Writes a report to all of its files. Each file appears complete, or not at all.
 * @param report as it is in JSON
 * @param sheet the same for persons
 * @throws ReportFileError that names every file that could not be written
 */
export async function writeReportFiles(files: readonly ReportFile[], report: object, sheet: Sheet): Promise<void> {
  const problems: string[] = [];
  for (const { name, path, ending } of files) {
    try {
      await replaceFile(path, formatReport(ending, report, sheet));
    } catch (error) {
      problems.push(`The report ${quote(name)} cannot be written: ${(error as Error).message}.`);
    }
  }
  if (problems.length > 0) throw new ReportFileError(problems.join(" "));
}
