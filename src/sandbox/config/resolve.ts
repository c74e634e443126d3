import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { definedOnly } from "../../base/text/json-object.js";
import { inOrder } from "../../base/yaml/document.js";
import { FileError, type FileProblem } from "../../base/yaml/problem.js";
import { configurationOf } from "./complete.js";
import type { Configuration } from "./configuration.js";
import { type ConfigurationFile, readConfigurationFile } from "./file.js";
import {
  flagName,
  type GivenSettings,
  SettingError,
  type SettingName,
  settingFacts,
  settingNames,
  settingsFromEnvironment,
} from "./settings.js";
import { emptyFile } from "./shape.js";

/** The file that is read when none is named, if it exists. */
const usualFile = "sandbox.yaml";

/** A configuration, as far as flags, environment and file can be read. */
export interface ReadConfiguration {
  readonly configuration: Configuration;
  /** All problems: one does not hide another. */
  readonly problems: readonly ConfigurationProblem[];
  /** Undefined if there is none. */
  readonly file: ConfigurationFile | undefined;
}

/** With the place in the file, or with the flag or the variable in its message. */
export type ConfigurationProblem = FileProblem | SettingError;

/**
 * Merges flags, environment, file and defaults: a flag overrides its variable, the variable overrides the file.
 * @param folder relative paths of flags and variables start here
 */
export async function readConfiguration(
  flags: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<ReadConfiguration> {
  const problems: ConfigurationProblem[] = [];
  const wrong = (error: unknown) => {
    if (!(error instanceof SettingError)) throw error;
    problems.push(error);
    return undefined;
  };
  const variables = definedOnly(settingsFromEnvironment(environment, wrong));
  const path = await configurationFile(flags, environment, folder).catch(wrong);
  const file = path === undefined ? undefined : await readConfigurationFile(path);
  problems.push(...(file?.problems ?? []));
  const parts = file?.configuration ?? emptyFile;
  const settings = { ...parts.settings, ...variables, ...definedOnly(flags) };
  const { certs = "certs" } = settings;
  const login = { user: environment["SANDBOX_SHARED_USER"], password: environment["SANDBOX_SHARED_PASSWORD"] };
  const given = givenBy(definedOnly(flags), variables);
  const configuration = await configurationOf({ ...settings, certs }, parts, folder, login, (error) =>
    problems.push(error.setting === undefined ? error : problemAt([error.setting], error.message, given, file)),
  );
  // The usual folder may be made later.
  const scenarios = settings.scenarios === undefined ? resolve(folder, "scenarios") : configuration.scenarios;
  return { configuration: { ...configuration, scenarios, file: path, given }, problems, file };
}

/**
 * The same for a configuration that must be valid.
 * @throws SettingError or FileError with all problems, each with its source
 */
export async function resolveConfiguration(...sources: Parameters<typeof readConfiguration>): Promise<Configuration> {
  const { configuration, problems } = await readConfiguration(...sources);
  if (problems.length > 0) throw configurationError(problems);
  return configuration;
}

/** The settings that are from flags and variables, with the names of these. */
function givenBy(flags: GivenSettings, variables: GivenSettings): Configuration["given"] {
  const nameOf = (name: SettingName) =>
    name in flags ? flagName(name) : name in variables ? settingFacts(name).variable : undefined;
  return definedOnly(Object.fromEntries(settingNames.map((name) => [name, nameOf(name)])));
}

/**
 * A problem with its source: a flag or a variable, or a place of the file.
 * @param path of the value in `sandbox.yaml`; that of a setting may begin with its name
 */
export function problemAt(
  path: readonly PropertyKey[],
  message: string,
  given: Configuration["given"],
  file: ConfigurationFile | undefined,
): ConfigurationProblem {
  const [first, ...rest] = path;
  const name = settingNames.find((each) => each === first);
  const source = name && given[name];
  if (source !== undefined) return new SettingError(`${source}: ${message}`);
  const key = name && settingFacts(name).key;
  const place = key ? [...key.split("."), ...rest] : path;
  return file ? file.problemOf({ place, message }) : new SettingError(message);
}

/** One error with all problems: those of flags and variables first, then those of the file in its order. */
export function configurationError(problems: readonly ConfigurationProblem[]): SettingError | FileError {
  const ofFile = problems.filter((problem): problem is FileProblem => !(problem instanceof SettingError));
  const others = problems.filter((problem) => problem instanceof SettingError);
  const fileError = new FileError(inOrder(ofFile));
  if (others.length === 0) return fileError;
  const errors = ofFile.length === 0 ? others : [...others, fileError];
  return new SettingError(errors.map(({ message }) => message).join("\n"));
}

/**
 * The configuration file that is read; undefined if there is none.
 * @throws SettingError when the named file does not exist
 */
async function configurationFile(
  flags: GivenSettings,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<string | undefined> {
  const named = flags.config ?? (environment[settingFacts("config").variable] || undefined);
  const path = resolve(folder, named ?? usualFile);
  try {
    await access(path);
    return path;
  } catch {
    if (named === undefined) return undefined;
    const source = flags.config === undefined ? settingFacts("config").variable : flagName("config");
    throw new SettingError(`${source}: There is no configuration file ${path}.`);
  }
}
