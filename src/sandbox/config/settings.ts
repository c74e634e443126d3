import { enumerated } from "../../base/text/enumerated.js";
import { quote } from "../../base/text/printable.js";
import { settingKind, type ValueKinds } from "./setting-kinds.js";
import { type SettingRow, settingsTable } from "./settings-table.js";

export type SettingName = keyof typeof settingsTable;

type ValueOf<Kind extends SettingRow["kind"]> = Kind extends keyof ValueKinds ? ValueKinds[Kind] : Kind[number];

/** Values given for settings, from any source. */
export type GivenSettings = {
  readonly [Name in SettingName]?: ValueOf<(typeof settingsTable)[Name]["kind"]> | undefined;
};

/** The settings that are keys of `sandbox.yaml` by their own names. */
export type FileSettingName = {
  [Name in SettingName]: (typeof settingsTable)[Name] extends { key: unknown } ? never : Name;
}[SettingName];

/** All settings, with the defaults of the table. */
export type CompleteSettings = {
  readonly [Name in SettingName]: (typeof settingsTable)[Name] extends { default: unknown }
    ? NonNullable<GivenSettings[Name]>
    : GivenSettings[Name];
};

/** All settings, in the order of the table. */
export const settingNames = Object.keys(settingsTable) as SettingName[];

/** The facts of one setting: its row in the table, with what derives from it. */
export function settingFacts(name: SettingName) {
  const row: SettingRow = settingsTable[name];
  const { key = name, shownDefault = String(row.default) } = row;
  return {
    ...row,
    key,
    shownDefault,
    variable: `SANDBOX_${flagName(name).slice(2).replaceAll("-", "_").toUpperCase()}`,
  };
}

/** Adds the defaults of the table. */
export function withDefaults(given: GivenSettings): CompleteSettings {
  const complete = settingNames.map((name) => [name, given[name] ?? settingFacts(name).default]);
  return Object.fromEntries(complete) as CompleteSettings;
}

/** What a setting does, with its values if there are only some: `rsa or ec: keys of …`. */
export function describeSetting(name: SettingName): string {
  const { kind, description } = settingFacts(name);
  return typeof kind === "string" ? description : `${enumerated(kind, "or")}: ${description}`;
}

/** A flag, a variable or a value in a file that cannot be used. The message names the source and the expected value. */
export class SettingError extends Error {
  override readonly name = "SettingError";

  /** @param setting the setting that is wrong, if it is in the table */
  constructor(
    message: string,
    readonly setting?: SettingName,
  ) {
    super(message);
  }
}

/**
 * Reads the text of a flag or variable.
 * @param source its name in the message: `--port`, `SANDBOX_PORT`
 * @throws SettingError
 */
export function readSetting(name: SettingName, text: string, source: string): unknown {
  const { give, fromText, accepts } = settingKind(settingFacts(name).kind);
  const value = fromText ? fromText(text) : text;
  if (accepts(value)) return value;
  throw new SettingError(`${source} is ${quote(text)}; ${give}.`);
}

/** Takes the problem of a setting, and throws it, or collects it. */
export type TakesProblem = (error: SettingError) => void;

export const throwProblem: TakesProblem = (error) => {
  throw error;
};

/**
 * Reads every setting for which the environment has a variable. An empty variable counts as unset.
 * @param wrong takes the problem of a variable, which is left out
 * @throws SettingError for the first problem, if `wrong` is not given
 */
export function settingsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  wrong: TakesProblem = throwProblem,
): GivenSettings {
  const given: Record<string, unknown> = {};
  for (const name of settingNames) {
    const { variable } = settingFacts(name);
    const text = environment[variable];
    if (text === undefined || text === "") continue;
    try {
      given[name] = readSetting(name, text, variable);
    } catch (error) {
      wrong(error as SettingError);
    }
  }
  return given as GivenSettings;
}

/** The name of a setting's flag, without its argument: `--admin-port`. */
export function flagName(name: SettingName): string {
  return settingsTable[name].flag.split(" ", 1)[0] as string;
}
