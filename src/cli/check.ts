import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type CheckedConfiguration, checkConfiguration } from "../composition/check-configuration.js";
import { readConfigurationText } from "../config/file.js";
import { fileSchema } from "../config/schema.js";
import { type GivenSettings, settingsFromEnvironment } from "../config/settings.js";
import { displayPath } from "../files/display-path.js";
import { defaultLists } from "../lists/settings.js";
import { misfit, readScenarioFolder, readScenarioText, scenarioNameOf } from "../scenarios/folder.js";
import { builtInScenarios } from "../scenarios/library.js";
import { reviewScenario } from "../scenarios/review.js";
import { scenarioSchema } from "../scenarios/schema.js";
import { definedOnly } from "../text/json-object.js";
import { counted } from "../text/numbers.js";
import { inOrder, parseYaml } from "../yaml/document.js";
import { FileError, type FileProblem, formatProblem } from "../yaml/problem.js";

/** The configuration that a start here reads. A configuration with another name is recognised by its content. */
const configurationName = "sandbox.yaml";

/** A file is a configuration if it has a key of a configuration and no key of a scenario. `$schema` may be in both. */
const isScenarioKey = (key: string) => key !== "$schema" && Object.hasOwn(scenarioSchema.shape, key);

/**
 * `payments-sandbox check [FILE…]`: one line for each file, ✓ or ✗, with its problems below; one line for all built-in scenarios. Exit
 * status 1 when there is a problem.
 * @param files scenarios, folders of scenarios, and configurations; none: everything that a start here would read
 */
export async function check(files: readonly string[], flags: GivenSettings): Promise<void> {
  const report = new Report();
  if (files.length === 0) await checkAll({ ...settingsFromEnvironment(process.env), ...definedOnly(flags) }, report);
  else await checkFiles(files, flags, report);
  if (report.failed) process.exitCode = 1;
}

async function checkAll(settings: GivenSettings, report: Report): Promise<void> {
  const configuration = resolve(settings.config ?? configurationName);
  let folder = settings.scenarios;
  let lists: readonly string[] = Object.keys(defaultLists);
  if (settings.config !== undefined || (await kindOf(configuration)) === "file") {
    const checked = await checkConfiguration(configuration);
    report.add(configuration, inOrder([...checked.problems, ...checked.warnings]));
    folder ??= checked.scenarios;
    lists = checked.lists;
  }
  const own = resolve(folder ?? "scenarios");
  if (folder !== undefined || (await kindOf(own)) === "folder") await checkFolder(own, lists, report);
  if (own !== resolve(builtInScenarios)) await checkBuiltIn(lists, report);
}

/** The good ones share one line, because the user did not write them. */
async function checkBuiltIn(lists: readonly string[], report: Report): Promise<void> {
  const found: [path: string, problems: readonly FileProblem[]][] = [];
  await checkFolder(builtInScenarios, lists, { add: (...finding) => found.push(finding) });
  const bad = found.filter(([, problems]) => problems.length > 0);
  for (const finding of bad) report.add(...finding);
  report.allGood(counted(found.length - bad.length, "built-in scenario"));
}

async function checkFiles(files: readonly string[], { config }: GivenSettings, report: Report): Promise<void> {
  const named = config === undefined ? [] : [resolve(config)];
  const paths = [...new Set([...named, ...files.map((file) => resolve(file))])];
  const configurations = new Map<string, CheckedConfiguration>();
  for (const path of paths) {
    if (named.includes(path) || (await isConfiguration(path))) configurations.set(path, await checkConfiguration(path));
  }
  const lists = await knownLists([...configurations.values()]);
  for (const path of paths) {
    const checked = configurations.get(path);
    if (checked) report.add(path, inOrder([...checked.problems, ...checked.warnings]));
    else if ((await kindOf(path)) === "folder") await checkNamedFolder(path, lists, report);
    else await checkScenario(path, lists, report);
  }
}

/** The lists that scenarios can name: from the configurations that are checked, or from the one that a start here reads. */
async function knownLists(checked: readonly CheckedConfiguration[]): Promise<readonly string[]> {
  const usual = resolve(configurationName);
  const all = checked.length > 0 || (await kindOf(usual)) !== "file" ? checked : [await checkConfiguration(usual)];
  return all.length === 0 ? Object.keys(defaultLists) : all.flatMap(({ lists }) => lists);
}

async function isConfiguration(path: string): Promise<boolean> {
  if (basename(path) === configurationName) return true;
  if ((await kindOf(path)) !== "file") return false;
  try {
    const { value } = await parseYaml(await readConfigurationText(path), path);
    const keys = Object.keys(Object(value));
    return !keys.some(isScenarioKey) && keys.some((key) => Object.hasOwn(fileSchema.shape, key));
  } catch (error) {
    // Its kind is not known. The check of a scenario reports the problem.
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** @returns how many files were checked */
async function checkFolder(folder: string, lists: readonly string[], report: Findings): Promise<number> {
  if ((await kindOf(folder)) !== "folder") {
    report.add(folder, [{ file: folder, message: "There is no such folder." }]);
    return 0;
  }
  const { files, passedOver } = await readScenarioFolder(folder);
  for (const file of files) await checkScenario(file, lists, report);
  for (const problem of passedOver) report.add(problem.file, [problem]);
  return files.length + passedOver.length;
}

/** A folder without scenarios is probably not the one that was meant. */
async function checkNamedFolder(folder: string, lists: readonly string[], report: Report): Promise<void> {
  if ((await checkFolder(folder, lists, report)) === 0)
    report.add(folder, [
      { file: folder, message: "There is no scenario in this folder: no file NAME.yaml or NAME.yml." },
    ]);
}

async function checkScenario(file: string, lists: readonly string[], report: Findings): Promise<void> {
  const unfit = misfit(file);
  if (unfit !== undefined) {
    report.add(file, [{ file, message: unfit }]);
    return;
  }
  try {
    const text = await readScenarioText(file);
    if (text === undefined) {
      report.add(file, [{ file, message: "There is no such file." }]);
      return;
    }
    const { problems, warnings } = await reviewScenario(text, scenarioNameOf(file), file, lists);
    report.add(file, new FileError(inOrder([...problems, ...warnings])).problems);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    report.add(file, error.problems);
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
  return stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "nothing",
  );
}

/** Receives the problems of each file; a good file has none. */
interface Findings {
  add(path: string, problems: readonly FileProblem[]): unknown;
}

/** Prints each result at once, and remembers whether there was a problem. */
class Report implements Findings {
  failed = false;

  add(path: string, problems: readonly FileProblem[]): void {
    if (problems.length === 0) {
      this.allGood(displayPath(path));
      return;
    }
    const lines = problems.map((problem) => `  ${formatProblem({ ...problem, file: displayPath(problem.file) })}\n`);
    process.stdout.write(`✗ ${displayPath(path)}\n${lines.join("")}`);
    this.failed = true;
  }

  allGood(what: string): void {
    process.stdout.write(`✓ ${what}\n`);
  }
}
