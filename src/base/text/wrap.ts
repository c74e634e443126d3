import { printable } from "./printable.js";

/** Puts words on lines. A line is longer than the width only if one word is. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Lines of a text from outside, safe to print. A word that is wider than a line is cut into pieces. */
export function wrapText(text: string, width: number): string[] {
  const words = printable(text).split(" ");
  return wrapWords(
    words.flatMap((word) => (word.length <= width ? [word] : pieces(word, width))),
    width,
  );
}

function pieces(word: string, width: number): string[] {
  return Array.from({ length: Math.ceil(word.length / width) }, (_, at) => word.slice(at * width, (at + 1) * width));
}

/** A text that fits, on one line that is safe to print. "…" marks one that was cut. */
export function fitting(text: string, width: number): string {
  const safe = printable(text);
  return safe.length > width ? `${safe.slice(0, width - 1)}…` : safe;
}
