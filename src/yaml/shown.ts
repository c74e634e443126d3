/** A message longer than this is not read to its end. The longest of our own lists every key of `assumptions`. */
const longestMessage = 2000;

/** No key that means something is longer. */
export const longestName = 64;

/**
 * Text that somebody else wrote, as a part of a message: of bounded length, and without characters that control a terminal or change
 * the direction of text.
 * @param longest in characters; what is cut off is shown as "…"
 */
export function shown(text: string, longest: number = longestMessage): string {
  const kept = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return kept.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
