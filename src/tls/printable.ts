/** Longer text is cut: it is read by people. */
const MAX_LENGTH = 512;

/**
 * What a stranger sent, as one line that is safe to print: without characters that control a terminal or change the direction of
 * text, and of bounded length.
 */
export function printable(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replaceAll(/\p{C}/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
