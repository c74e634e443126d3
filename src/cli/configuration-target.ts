import { randomBytes } from "node:crypto";
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkConfiguration } from "../composition/check-configuration.js";
import { readConfigurationText } from "../config/file.js";
import { SettingError } from "../config/settings.js";
import { thousands } from "../text/numbers.js";
import { configurationLimits, parseYaml } from "../yaml/document.js";
import { editYaml, type YamlEdit } from "../yaml/edit.js";
import { FileError } from "../yaml/problem.js";

/** The configuration that lists are written into. */
export interface Target {
  /** The lists that it has already, each with its path. */
  readonly present: ReadonlyMap<string, string>;
  readonly basePath: string;
  /** Whether it says how dates are written. */
  readonly hasDates: boolean;
  /** Whether the file would be within the bounds of a configuration. */
  fits(edits: readonly YamlEdit[]): Promise<boolean>;
  /** Writes the file, once it is sure that a start accepts it. @throws SettingError where it cannot be written */
  write(edits: readonly YamlEdit[]): Promise<void>;
}

interface Shape {
  readonly basePath?: unknown;
  readonly lists?: Readonly<Record<string, { readonly path?: unknown } | null>> | null;
  readonly assumptions?: Readonly<Record<string, unknown>> | null;
}

/**
 * Looks at the configuration, which need not be there.
 * @param name the name that problems are reported under
 * @throws FileError when it is there and has a mistake
 */
export async function openTarget(path: string, name: string): Promise<Target> {
  const found = await stat(path).catch(() => undefined);
  const file = found ? await realpath(path) : path;
  let text = "";
  let byteOrderMark = "";
  if (found) {
    const { problems } = await checkConfiguration(path);
    if (problems.length > 0) throw new FileError(problems.map((problem) => ({ ...problem, file: name })));
    text = await readConfigurationText(path);
    if ((await readFile(file, "utf8")).startsWith("\uFEFF")) byteOrderMark = "\uFEFF";
  }
  const shape = ((await parseYaml(text, name)).value ?? {}) as Shape;
  const lists = Object.entries(shape.lists ?? {});
  return {
    present: new Map(lists.map(([list, settings]) => [list, String(settings?.path ?? `/v1/${list}`)])),
    basePath: typeof shape.basePath === "string" ? shape.basePath : "",
    hasDates: shape.assumptions?.["list.dates"] !== undefined,
    async fits(edits) {
      const edited = await editYaml(text, name, edits);
      try {
        await parseYaml(edited, name);
        return true;
      } catch (error) {
        if (error instanceof FileError) return false;
        throw error;
      }
    },
    async write(edits) {
      if (edits.length === 0) return;
      const edited = await editYaml(text, name, edits);
      if (edited.length > configurationLimits.characters) {
        const most = thousands(configurationLimits.characters);
        throw new SettingError(`${name} would have more than ${most} characters. Import fewer lists, with --list.`);
      }
      await replace(file, byteOrderMark + edited, found?.mode);
    },
  };
}

/**
 * Finds out whether a file can be written, before what goes into it is found out. Only an attempt shows what the file system allows.
 * @param name the name that the problem is reported under
 * @throws SettingError
 */
export async function mustBeWritable(path: string, name: string): Promise<void> {
  const file = await realpath(path).catch(() => path);
  const probe = besides(file);
  try {
    await writeFile(probe, "", { flag: "wx" });
    await rm(probe, { force: true });
  } catch (error) {
    throw cannotWrite(name, file, error as NodeJS.ErrnoException);
  }
}

/** A file of the same folder, with a name that nothing else has. */
function besides(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}`);
}

/** What the system says names the file beside it. */
function cannotWrite(name: string, file: string, { code, message }: NodeJS.ErrnoException): SettingError {
  const reason = code === "ENOENT" ? `there is no folder ${dirname(file)}` : message.replace(/, \w+ '.*$/, "");
  return new SettingError(`${name} cannot be written: ${reason}.`);
}

/** Checks the text beside the file, where its paths lead to the same files, and puts it in its place in one step. */
async function replace(file: string, text: string, mode: number | undefined): Promise<void> {
  const beside = besides(file);
  try {
    // Nobody else may read it before it has the mode of the file.
    await writeFile(beside, text, { flag: "wx", ...(mode !== undefined && { mode: 0o600 }) });
    if (mode !== undefined) await chmod(beside, mode);
    const { problems } = await checkConfiguration(beside);
    if (problems.length > 0) throw new FileError(problems.map((problem) => ({ ...problem, file })));
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    if (error instanceof FileError || !(error instanceof Error) || !("syscall" in error)) throw error;
    throw cannotWrite(file, file, error as NodeJS.ErrnoException);
  }
}
