import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { namePattern, nameRule } from "../../base/text/name.js";
import { readFileText } from "../../base/yaml/file-text.js";
import type { FileProblem } from "../../base/yaml/problem.js";
import { scenarioLimits } from "./defaults.js";

/** What a folder holds. */
export interface FolderContent {
  /** The scenario files, sorted: one for each name. */
  readonly files: readonly string[];
  /** Files that look like scenarios and are not read, and why. */
  readonly passedOver: readonly FileProblem[];
}

/** Reads a folder of scenarios. A folder that does not exist counts as empty. Hidden files are ignored. */
export async function readScenarioFolder(folder: string): Promise<FolderContent> {
  const files = new Map<string, string>();
  const passedOver: FileProblem[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "ENOENT") passedOver.push({ file: folder, message: `${message}.` });
    return [];
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!/\.ya?ml$/.test(entry.name) || entry.name.startsWith(".")) continue;
    const file = join(folder, entry.name);
    const message =
      misfit(file, files.get(scenarioNameOf(file))) ?? (entry.isFile() ? undefined : await strayLink(file, folder));
    if (message === undefined) files.set(scenarioNameOf(file), file);
    else passedOver.push({ file, message });
  }
  return { files: [...files.values()], passedOver };
}

/** The name of the scenario in a file. */
export function scenarioNameOf(file: string): string {
  return basename(file).replace(/\.ya?ml$/, "");
}

/**
 * Why a file cannot be a scenario, whatever it contains; undefined if it can.
 * @param taken a file that already gives this name to a scenario
 */
export function misfit(file: string, taken?: string): string | undefined {
  if (!namePattern.test(scenarioNameOf(file))) {
    return `A scenario has the name of its file: ${nameRule}.`;
  }
  return taken === undefined ? undefined : `${basename(taken)} gives the same name to a scenario; rename one of them.`;
}

/**
 * Nothing outside the folder is read, wherever a link leads. A file that was removed a moment ago is no problem here.
 */
async function strayLink(file: string, folder: string): Promise<string | undefined> {
  try {
    const target = await realpath(file);
    if (!target.startsWith((await realpath(folder)) + sep)) return "This is a link that leads out of the folder.";
    return (await stat(target)).isFile() ? undefined : "This is not a file.";
  } catch {
    return lstat(file).then(
      () => "This is a link that leads nowhere.",
      () => undefined,
    );
  }
}

/**
 * Reads the text of a scenario file.
 * @returns undefined when there is no such file.
 * @throws FileError when it cannot be read
 */
export function readScenarioText(file: string): Promise<string | undefined> {
  return readFileText(file, scenarioLimits.characters);
}
