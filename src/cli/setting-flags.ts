import { type CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import {
  describeSetting,
  flagName,
  type GivenSettings,
  readSetting,
  type SettingName,
  settingFacts,
  settingNames,
} from "../sandbox/config/settings.js";

/** Whether the user sets it. Settings that `run` and `exam` decide themselves have no flag there. */
export function isOfUser(name: SettingName): boolean {
  return (
    !["port", "adminPort", "defectPorts", "publicUrl", "certs", "hostCerts", "freshCerts", "report"].includes(name) &&
    !name.startsWith("shared")
  );
}

/**
 * Adds a flag for each setting.
 * @param defaults of the command, if they differ from those of `start`
 */
export function addSettings(
  command: CommandUnknownOpts,
  names: readonly SettingName[] = settingNames,
  defaults: Partial<Record<SettingName, string>> = {},
  descriptions: Partial<Record<SettingName, string>> = {},
): void {
  for (const name of names) {
    const { flag, variable, shownDefault, kind } = settingFacts(name);
    const description = descriptions[name] ?? describeSetting(name);
    const option = new Option(flag, `${description} (default: ${defaults[name] ?? shownDefault}; ${variable})`);
    if (kind === "list") {
      option.argParser((text: string, before: string[] | undefined) => [
        ...(before ?? []),
        ...(readSetting(name, text, flagName(name)) as string[]),
      ]);
    } else if (kind !== "switch") {
      option.argParser((text: string) => readSetting(name, text, flagName(name)));
    }
    command.addOption(option);
  }
}

/** The settings that were given as flags. */
export function givenFlags(command: CommandUnknownOpts): GivenSettings {
  const values = command.opts();
  const keyOf = (name: SettingName) => new Option(settingFacts(name).flag).attributeName();
  return Object.fromEntries(settingNames.map((name) => [name, values[keyOf(name)]])) as GivenSettings;
}
