import { enumerated } from "../../base/text/enumerated.js";
import { quote } from "../../base/text/printable.js";
import { type AlpnProtocol, alpnProtocols } from "../connection/alpn.js";
import { type SettingRow, settingsTable, type ValueKinds } from "./settings-table.js";

/** The highest first port of three. */
export const lastFirstPort = 65_533;

/** A range of ports, or `all`. */
export const defectPortsPattern = /^(?:all|(\d{1,5})-(\d{1,5}))$/;

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
  const { kind } = settingFacts(name);
  const wrong = (expected: string) => new SettingError(`${source} is ${quote(text)}; ${expected}.`);
  if (kind === "port") {
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw wrong("give a port number from 0 to 65535");
    return Number(text);
  }
  if (kind === "defect ports") {
    if (/^\d{1,5}$/.test(text) && Number(text) <= lastFirstPort) return Number(text);
    if (defectPortsPattern.test(text)) return text;
    if (/^(true|yes|on)$/i.test(text)) return true;
    if (/^(false|no|off)$/i.test(text)) return false;
    throw wrong("give true, false, all, the first of three ports, or a range such as 8444-8446");
  }
  if (kind === "switch") {
    if (/^(1|true|yes|on)$/i.test(text)) return true;
    if (/^(0|false|no|off)$/i.test(text)) return false;
    throw wrong("give true or false");
  }
  if (text.trim() === "") throw wrong("give a value, or leave it out");
  const items = text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (kind === "list") return items;
  if (kind === "protocols") {
    if (!areAlpnProtocols(items)) throw wrong("give h2, http/1.1, or both with a comma, each once");
    return items;
  }
  if (typeof kind !== "string" && !kind.includes(text)) throw wrong(`give one of ${kind.join(", ")}`);
  return text;
}

/** Whether these versions of HTTP can be offered: at least one, and each once. */
export function areAlpnProtocols(names: readonly string[]): names is readonly AlpnProtocol[] {
  const known: readonly string[] = alpnProtocols;
  return names.length > 0 && new Set(names).size === names.length && names.every((name) => known.includes(name));
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
