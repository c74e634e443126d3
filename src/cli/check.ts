import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { checkConfiguration } from "../composition/check-configuration.js";
import { type GivenSettings, settingsFromEnvironment } from "../config/settings.js";
import { displayPath } from "../files/display-path.js";
import { misfit, readScenarioFolder, readScenarioText, scenarioNameOf } from "../scenarios/folder.js";
import { builtInScenarios } from "../scenarios/library.js";
import { reviewScenarioText } from "../scenarios/review.js";
import { FileError, type FileProblem, formatProblem } from "../yaml/document.js";

/** A configuration has this name, or is given by `--config`; every other file is a scenario. */
const configurationName = "sandbox.yaml";

/** A file with its problems, none when it is correct. */
type Checked = readonly [path: string, problems: readonly FileProblem[]];

/**
 * `payments-sandbox check [FILE…]`: one line for each file, ✓ or ✗, with its problems below. Exit status 1 when one has any.
 * @param files scenarios, folders of scenarios, and configurations; none: everything that a start here would read
 */
export async function check(files: readonly string[], flags: GivenSettings): Promise<void> {
  const given: GivenSettings = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  const results =
    files.length === 0
      ? checkAll({ ...settingsFromEnvironment(process.env), ...given })
      : checkFiles(files, flags.config);
  for await (const [path, problems] of results) {
    const lines = problems.map((problem) => `  ${formatProblem({ ...problem, file: displayPath(problem.file) })}\n`);
    process.stdout.write(`${problems.length === 0 ? "✓" : "✗"} ${displayPath(path)}\n${lines.join("")}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

async function* checkAll(settings: GivenSettings): AsyncGenerator<Checked> {
  const configuration = resolve(settings.config ?? configurationName);
  let folder = settings.scenarios;
  if (settings.config !== undefined || (await kindOf(configuration)) === "file") {
    const { problems, scenarios } = await checkConfiguration(configuration);
    yield [configuration, problems];
    folder ??= scenarios;
  }
  const own = resolve(folder ?? "scenarios");
  if (folder !== undefined || (await kindOf(own)) === "folder") yield* checkFolder(own);
  if (own !== resolve(builtInScenarios)) yield* checkFolder(builtInScenarios);
}

async function* checkFiles(files: readonly string[], config: string | undefined): AsyncGenerator<Checked> {
  const configuration = config && resolve(config);
  for (const path of new Set([...(configuration ? [configuration] : []), ...files.map((file) => resolve(file))])) {
    if (path === configuration || basename(path) === configurationName)
      yield [path, (await checkConfiguration(path)).problems];
    else if ((await kindOf(path)) === "folder") yield* checkFolder(path);
    else yield await checkScenario(path);
  }
}

async function* checkFolder(folder: string): AsyncGenerator<Checked> {
  if ((await kindOf(folder)) !== "folder") {
    yield [folder, [atStart(folder, "There is no such folder.")]];
    return;
  }
  const { files, passedOver } = await readScenarioFolder(folder);
  for (const file of files) yield await checkScenario(file);
  for (const problem of passedOver) yield [problem.file, [problem]];
}

async function checkScenario(file: string): Promise<Checked> {
  const unfit = misfit(file);
  if (unfit !== undefined) return [file, [atStart(file, unfit)]];
  try {
    const text = await readScenarioText(file);
    if (text === undefined) return [file, [atStart(file, "There is no such file.")]];
    return [file, await reviewScenarioText(text, scenarioNameOf(file), file)];
  } catch (error) {
    if (error instanceof FileError) return [file, error.problems];
    throw error;
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
