import { printableJson } from "../base/text/printable.js";

/** JSON on several lines. Control characters of terminals are escaped; the value stays the same. */
export function jsonText(value: unknown): string {
  // In JSON text, line breaks are only part of the indentation.
  return `${JSON.stringify(value, null, 2).split("\n").map(printableJson).join("\n")}\n`;
}
