import { ListSettingsError } from "./settings.js";

/** A text as it stands between the quotes of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** JSON text of a value from a configuration file. @throws {ListSettingsError} if it has none. */
export function json(value: unknown, where: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw new ListSettingsError(where, "cannot be written as JSON");
  return text;
}
