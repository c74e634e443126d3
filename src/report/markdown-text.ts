import { printable } from "../base/text/printable.js";

/**
 * A table.
 * @param rows their cells are Markdown already
 */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "-").join("|")}|`, ...rows.map(line)].join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text from outside that Markdown shows unchanged. A backslash before punctuation also breaks addresses, mentions and emojis. */
export function escaped(text: string): string {
  return printable(text)
    .replaceAll(/[\\`*_[\]|~@#$:!]/g, "\\$&")
    .replaceAll(/[&<>]/g, (character) => entities[character] as string)
    .replaceAll(/www\./gi, (start) => `${start.slice(0, -1)}\\.`);
}
