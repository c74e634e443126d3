import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { SettingError } from "../../config/settings.js";
import { formatReport, isReportEnding, type ReportEnding, reportEndings } from "../../exam/formats/format.js";
import { type FailOn, failureLevel, type Report } from "../../exam/report.js";
import { quote } from "../../text/printable.js";

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
 * The files of `--report`, checked before the command begins: each has a known ending, and can be written. Folders are not created.
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
  const path = await target(name);
  const present = await stat(path).catch(() => undefined);
  if (present !== undefined && !present.isFile())
    throw unusable(name, present.isDirectory() ? "it is a folder" : "it is not a regular file");
  const folder = await stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw unusable(name, `there is no folder ${quote(dirname(path))}`);
  // Only an attempt shows what the file system allows.
  const probe = temporaryPath(path);
  await writeFile(probe, "", { flag: "wx" }).catch(({ message }: Error) => {
    throw unusable(name, `its folder cannot be written: ${message}`);
  });
  await rm(probe, { force: true });
  return { name, path, ending };
}

/** The file behind a name: the target of a symbolic link is replaced, not the link. */
async function target(name: string): Promise<string> {
  const path = resolve(name);
  return realpath(path).catch(() => path);
}

function unusable(name: string, problem: string): SettingError {
  return new SettingError(`--report is ${quote(name)}; ${problem}.`);
}

/** A name for a temporary file in the same folder. */
function temporaryPath(path: string): string {
  return join(dirname(path), `.${basename(path)}-${randomBytes(6).toString("hex")}.tmp`);
}

/**
 * Writes a report to all of its files. Each file appears complete, or not at all.
 * @throws ReportFileError that names every file that could not be written
 */
export async function writeReportFiles(report: Report, files: readonly ReportFile[], failOn: FailOn): Promise<void> {
  const problems: string[] = [];
  for (const { name, path, ending } of files) {
    const made = temporaryPath(path);
    try {
      await writeFile(made, formatReport(ending, report, failureLevel(failOn)), { flag: "wx" });
      await rename(made, path);
    } catch (error) {
      await rm(made, { force: true });
      problems.push(`The report ${quote(name)} cannot be written: ${(error as Error).message}.`);
    }
  }
  if (problems.length > 0) throw new ReportFileError(problems.join(" "));
}
