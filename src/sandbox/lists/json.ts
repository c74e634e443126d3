import { ListSettingsError } from "./settings.js";

/** A text as it is written between the quotes of a JSON string. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * JSON text of a value from a configuration file.
 * @throws {ListSettingsError} if it has none.
 */
export function json(value: unknown, where: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  if (text === undefined) throw new ListSettingsError(where, "cannot be written as JSON");
  // `JSON.stringify` writes null instead of a number that is not finite. Looking at each value takes several times as
  // long.
  if (text.includes("null")) JSON.stringify(value, (name, member) => finite(name, member, where));
  return text;
}

/** JSON has only finite numbers (RFC 8259 §6). A JSON file can contain one that is too large, such as 1e400. */
function finite(name: string, value: unknown, where: string): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  const subject = name === "" ? "" : `${JSON.stringify(name)} `;
  throw new ListSettingsError(where, `${subject}is not a finite number. Give a finite one, or a text`);
}
