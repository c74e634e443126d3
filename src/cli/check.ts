import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { displayPath } from "../base/files/display-path.js";
import { definedOnly } from "../base/text/json-object.js";
import { counted } from "../base/text/numbers.js";
import { inOrder, parseYaml } from "../base/yaml/document.js";
import { FileError, type FileProblem, formatProblem } from "../base/yaml/problem.js";
import { type CheckedConfiguration, checkConfiguration } from "../library/check-configuration.js";
import { readConfigurationText } from "../sandbox/config/file.js";
import { fileSchema } from "../sandbox/config/schema.js";
import { type GivenSettings, settingFacts, settingsFromEnvironment } from "../sandbox/config/settings.js";
import { defaultLists } from "../sandbox/lists/settings.js";
import { misfit, readScenarioFolder, readScenarioText, scenarioNameOf } from "../sandbox/scenarios/folder.js";
import { builtInScenarios } from "../sandbox/scenarios/library.js";
import { readScenario } from "../sandbox/scenarios/parse.js";
import { scenarioSchema } from "../sandbox/scenarios/schema.js";

/** The configuration that a start here reads. A configuration with another name is recognised by its content. */
const configurationName = "sandbox.yaml";

/** A file is a configuration if it has a key of a configuration and no key of a scenario. `$schema` may be in both. */
const isScenarioKey = (key: string) => key !== "$schema" && Object.hasOwn(scenarioSchema.shape, key);

/**
 * `payments-sandbox check [FILE…]`: one line for each file, ✓ or ✗, with its problems below; one line for all built-in
 * scenarios. Exit status 1 when there is a problem.
 * @param files scenarios, folders of scenarios, and configurations; none: everything that a start here would read
 */
export async function check(files: readonly string[], flags: GivenSettings): Promise<void> {
  if (files.length === 0) await checkAll({ ...settingsFromEnvironment(process.env), ...definedOnly(flags) });
  else await checkFiles(files, flags);
}

/** A file, and what is wrong with it; nothing if it is good. */
type CheckedFile = readonly [path: string, problems: readonly FileProblem[]];

async function checkAll(settings: GivenSettings): Promise<void> {
  const configuration = resolve(settings.config ?? configurationName);
  let folder = settings.scenarios;
  let lists: readonly string[] = Object.keys(defaultLists);
  if (settings.config !== undefined || (await kindOf(configuration)) === "file") {
    const checked = await checkConfiguration(configuration);
    report([configuration, inOrder([...checked.problems, ...checked.warnings])]);
    folder ??= checked.scenarios;
    lists = checked.lists;
  }
  const own = resolve(folder ?? "scenarios");
  if ((await kindOf(own)) === "folder") report(...(await checkFolder(own, lists)));
  else if (folder !== undefined) report([own, [{ file: own, message: "There is no such folder." }]]);
  if (own !== resolve(builtInScenarios)) await checkBuiltIn();
}

/** The good ones share one line, because the user did not write them. */
async function checkBuiltIn(): Promise<void> {
  const checked = await checkFolder(builtInScenarios, undefined);
  const bad = checked.filter(([, problems]) => problems.length > 0);
  report(...bad);
  process.stdout.write(`✓ ${counted(checked.length - bad.length, "built-in scenario")}\n`);
}

async function checkFiles(files: readonly string[], { config }: GivenSettings): Promise<void> {
  const named = config === undefined ? [] : [resolve(config)];
  const paths = [...new Set([...named, ...files.map((file) => resolve(file))])];
  const configurations = new Map<string, CheckedConfiguration>();
  for (const path of paths) {
    if (named.includes(path) || (await isConfiguration(path))) configurations.set(path, await checkConfiguration(path));
  }
  const lists = await knownLists([...configurations.values()]);
  for (const path of paths) {
    const checked = configurations.get(path);
    if (checked) report([path, inOrder([...checked.problems, ...checked.warnings])]);
    else if ((await kindOf(path)) === "folder") report(...(await checkNamedFolder(path, lists)));
    else report([path, await checkScenario(path, lists)]);
  }
}

/**
 * The lists that scenarios can name: from the configurations that are checked, or from the one that a start here reads.
 */
async function knownLists(checked: readonly CheckedConfiguration[]): Promise<readonly string[]> {
  const usual = resolve(process.env[settingFacts("config").variable] || configurationName);
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

async function checkFolder(folder: string, lists: readonly string[] | undefined): Promise<readonly CheckedFile[]> {
  const { files, passedOver } = await readScenarioFolder(folder);
  const checked: CheckedFile[] = [];
  for (const file of files) checked.push([file, await checkScenario(file, lists)]);
  return [...checked, ...passedOver.map((problem): CheckedFile => [problem.file, [problem]])];
}

/** A folder without scenarios is probably not the one that was meant. */
async function checkNamedFolder(folder: string, lists: readonly string[]): Promise<readonly CheckedFile[]> {
  const checked = await checkFolder(folder, lists);
  if (checked.length > 0) return checked;
  const message = "There is no scenario in this folder: no file NAME.yaml or NAME.yml.";
  return [[folder, [{ file: folder, message }]]];
}

/** What is wrong with a scenario. */
async function checkScenario(file: string, lists: readonly string[] | undefined): Promise<readonly FileProblem[]> {
  const unfit = misfit(file);
  if (unfit !== undefined) return [{ file, message: unfit }];
  try {
    const text = await readScenarioText(file);
    if (text === undefined) return [{ file, message: "There is no such file." }];
    return new FileError((await readScenario(text, scenarioNameOf(file), file, lists)).problems).problems;
  } catch (error) {
    if (error instanceof FileError) return error.problems;
    throw error;
  }
}

async function kindOf(path: string): Promise<"file" | "folder" | "nothing"> {
  return stat(path).then(
    (found) => (found.isDirectory() ? "folder" : "file"),
    () => "nothing",
  );
}

/** Prints results. A problem sets the exit status. */
function report(...checked: readonly CheckedFile[]): void {
  for (const [path, problems] of checked) {
    const lines = problems.map((problem) => `  ${formatProblem({ ...problem, file: displayPath(problem.file) })}\n`);
    process.stdout.write(`${lines.length === 0 ? "✓" : "✗"} ${displayPath(path)}\n${lines.join("")}`);
    if (lines.length > 0) process.exitCode = 1;
  }
}
