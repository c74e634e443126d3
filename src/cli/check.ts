import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { checkConfiguration } from "../composition/check-configuration.js";
import { type GivenSettings, settingsFromEnvironment } from "../config/settings.js";
import { misfit, readScenarioFolder, readScenarioText, scenarioNameOf } from "../scenarios/folder.js";
import { builtInScenarios } from "../scenarios/library.js";
import { reviewScenarioText } from "../scenarios/review.js";
import { FileError, type FileProblem, formatProblem } from "../yaml/document.js";
import { displayPath } from "./display-path.js";

/** A configuration is known by this name, or by `--config`; every other file is a scenario. */
const configurationName = "sandbox.yaml";

/**
 * `payments-sandbox check [FILE…]`: one line for each file, ✓ or ✗, with its problems below. Exit status 1 when one has any.
 * @param files scenarios, folders of scenarios, and configurations; none: everything that a start here would read
 */
export async function check(files: readonly string[], flags: GivenSettings): Promise<void> {
  const report = new Report();
  if (files.length === 0) await checkAll({ ...settingsFromEnvironment(process.env), ...given(flags) }, report);
  else await checkFiles(files, flags, report);
  if (report.failed) process.exitCode = 1;
}

function given(flags: GivenSettings): GivenSettings {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

async function checkAll(settings: GivenSettings, report: Report): Promise<void> {
  const configuration = resolve(settings.config ?? configurationName);
  let folder = settings.scenarios;
  if (settings.config !== undefined || (await kindOf(configuration)) === "file") {
    const checked = await checkConfiguration(configuration);
    report.add(configuration, checked.problems);
    folder ??= checked.scenarios;
  }
  const own = resolve(folder ?? "scenarios");
  if (folder !== undefined || (await kindOf(own)) === "folder") await checkFolder(own, report);
  if (own !== resolve(builtInScenarios)) await checkFolder(builtInScenarios, report);
}

async function checkFiles(files: readonly string[], { config }: GivenSettings, report: Report): Promise<void> {
  const configuration = config === undefined ? undefined : resolve(config);
  for (const path of new Set([
    ...(configuration === undefined ? [] : [configuration]),
    ...files.map((file) => resolve(file)),
  ])) {
    if (path === configuration || basename(path) === configurationName) {
      report.add(path, (await checkConfiguration(path)).problems);
    } else if ((await kindOf(path)) === "folder") await checkFolder(path, report);
    else await checkScenario(path, report);
  }
}

async function checkFolder(folder: string, report: Report): Promise<void> {
  if ((await kindOf(folder)) !== "folder") return report.add(folder, [atStart(folder, "There is no such folder.")]);
  const { files, passedOver } = await readScenarioFolder(folder);
  for (const file of files) await checkScenario(file, report);
  for (const problem of passedOver) report.add(problem.file, [problem]);
}

async function checkScenario(file: string, report: Report): Promise<void> {
  const unfit = misfit(file);
  if (unfit !== undefined) return report.add(file, [atStart(file, unfit)]);
  try {
    const text = await readScenarioText(file);
    if (text === undefined) return report.add(file, [atStart(file, "There is no such file.")]);
    report.add(file, await reviewScenarioText(text, scenarioNameOf(file), file));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    report.add(file, error.problems);
  }
}

function atStart(file: string, message: string): FileProblem {
  return { file, line: 1, column: 1, message };
}

async function kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
  return stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "nothing",
  );
}

/** Prints as it goes, and remembers whether anything was wrong. */
class Report {
  failed = false;

  add(path: string, problems: readonly FileProblem[]): void {
    const lines = problems.map((problem) => `  ${formatProblem({ ...problem, file: displayPath(problem.file) })}\n`);
    process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${displayPath(path)}\n${lines.join("")}`);
    this.failed ||= problems.length > 0;
  }
}
