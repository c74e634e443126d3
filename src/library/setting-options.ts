import type { FileSettingName, GivenSettings } from "../sandbox/config/settings.js";

/** The settings of the command that are options of the library. The package's declarations describe each. */
export type SettingOptions = { readonly [Name in FileSettingName]?: GivenSettings[Name] };
