import { wrapText } from "./wrap.js";

/** Codes of SGR (ECMA-48 §8.3.117). */
const colours = { red: 31, green: 32, yellow: 33, dim: 2 } as const;

export type Colour = keyof typeof colours;

/** Gives a text a colour, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

export function painter(coloured: boolean): Paint {
  return (colour, text) => (coloured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text);
}

/** Of the lines below a title. */
export const indentation = "  ";

/** A coloured word that begins a block. */
export type Mark = readonly [Colour, string];

/**
 * A title next to its mark, and lines below it, wrapped at the width. Empty texts are left out.
 * @param texts from outside: the first is the title
 * @param width in characters
 */
export function block([colour, word]: Mark, texts: readonly string[], paint: Paint, width: number): string[] {
  const [title = "", ...below] = texts.filter((text) => text !== "");
  const [first = "", ...more] = wrapText(title, width - word.length - 1);
  const lines = [...more, ...below.flatMap((text) => wrapText(text, width - indentation.length))];
  return [`${paint(colour, word)} ${first}`, ...lines.map((line) => `${indentation}${line}`)];
}
