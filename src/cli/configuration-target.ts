import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { displayPath } from "../base/files/display-path.js";
import { thousands } from "../base/text/numbers.js";
import { configurationLimits, parseYaml } from "../base/yaml/document.js";
import { editYaml, type YamlEdit } from "../base/yaml/edit.js";
import { FileError } from "../base/yaml/problem.js";
import { checkConfiguration } from "../library/check-configuration.js";
import { readConfigurationText } from "../sandbox/config/file.js";
import { SettingError } from "../sandbox/config/settings.js";
import { fileBehind, replaceFile, tryToReplace } from "./replace-file.js";

/** The configuration file that lists are written to. */
export interface Target {
  /** The existing lists, each with its path. */
  readonly present: ReadonlyMap<string, string>;
  readonly basePath: string;
  /** Whether it sets the format of dates. */
  readonly hasDates: boolean;
  /** Whether the edited file would be within the limits of a configuration. */
  fits(edits: readonly YamlEdit[]): Promise<boolean>;
  /**
   * Writes the file after a check that a start accepts it.
   * @throws SettingError when it cannot be written
   */
  write(edits: readonly YamlEdit[]): Promise<void>;
}

interface Shape {
  readonly basePath?: unknown;
  readonly lists?: Readonly<Record<string, { readonly path?: unknown } | null>> | null;
  readonly assumptions?: Readonly<Record<string, unknown>> | null;
}

/**
 * Reads the configuration, which may not exist yet.
 * @param out its path as it was given
 * @throws FileError when it exists and has a mistake
 */
export async function openTarget(out: string): Promise<Target> {
  const [path, name] = [resolve(out), displayPath(out)];
  const found = await stat(path).catch(() => undefined);
  const file = await fileBehind(path);
  let text = "";
  let byteOrderMark = "";
  if (found) {
    await mustBeAccepted(path, name);
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
      // The text is checked in the same folder, so that relative paths lead to the same files.
      const check = (temporary: string) => mustBeAccepted(temporary, file);
      try {
        await replaceFile(file, byteOrderMark + edited, { mode: found?.mode, check });
      } catch (error) {
        if (!(error instanceof Error && "syscall" in error)) throw error;
        throw cannotWrite(file, file, error as NodeJS.ErrnoException);
      }
    },
  };
}

/**
 * Checks whether a file can be written, before the work on its content begins.
 * @param out its path as it was given
 * @throws SettingError
 */
export async function mustBeWritable(out: string): Promise<void> {
  const file = await fileBehind(resolve(out));
  await tryToReplace(file).catch((error) => {
    throw cannotWrite(displayPath(out), file, error);
  });
}

/**
 * @param name the name that problems are reported under.
 * @throws FileError when a start would not accept the file
 */
async function mustBeAccepted(path: string, name: string): Promise<void> {
  const { problems } = await checkConfiguration(path);
  if (problems.length > 0) throw new FileError(problems.map((problem) => ({ ...problem, file: name })));
}

/** The system's message names the temporary file, so its path is removed. */
function cannotWrite(name: string, file: string, { code, message }: NodeJS.ErrnoException): SettingError {
  const reason = code === "ENOENT" ? `there is no folder ${dirname(file)}` : message.replace(/, \w+ '.*$/, "");
  return new SettingError(`${name} cannot be written: ${reason}.`);
}
