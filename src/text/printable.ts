/** Text longer than this is not read to its end. The longest of our own lists every key of `assumptions`. */
const longestText = 2000;

/** No key that means something is longer. */
export const longestName = 64;

/** Characters that move a terminal's cursor, change the direction of text or end a line. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text that somebody else wrote, on one line that is safe to print and of bounded length.
 * @param longest in characters; what is cut off is shown as "…"
 */
export function printable(text: string, longest: number = longestText): string {
  return cut(text, longest).replaceAll(
    unprintable,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** JSON on one line that is safe to print: it stays JSON of the same value. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintable, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Text that somebody else wrote, in quotation marks. @param longest as for `printable` */
export function quote(text: string, longest = 120): string {
  return printableJson(JSON.stringify(cut(text, longest)));
}

/** The same in ASCII, for error messages of the interface: nothing is known of how a client shows them. */
export function quoteAscii(text: string, longest: number): string {
  const quoted = JSON.stringify(text.slice(0, longest)).replaceAll(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > longest ? `${quoted}...` : quoted;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
