import { withoutUserInformation } from "./user-information.js";

/** Longest text in characters. The longest text of the sandbox itself lists every key of `assumptions`. */
const longestText = 2000;

/** Longest name in characters. No known key is longer. */
export const longestName = 64;

/** Characters that move a terminal's cursor, change the direction of text or end a line. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside, on one line that is safe to print and of bounded length, without the passwords of URLs.
 * @param longest in characters; "…" marks a text that was cut
 */
export function printable(text: string, longest: number = longestText): string {
  return cut(withoutUserInformation(text), longest).replaceAll(
    unprintable,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** JSON on one line that is safe to print. It is still JSON with the same value. */
export function printableJson(json: string): string {
  return json.replaceAll(unprintable, escapedForJson);
}

/** Each UTF-16 unit as a JSON escape (RFC 8259 §7). */
function escapedForJson(text: string): string {
  return text.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Text from outside, in quotation marks, without the passwords of URLs.
 * @param longest as for `printable`
 */
export function quote(text: string, longest = 120): string {
  return printableJson(JSON.stringify(cut(withoutUserInformation(text), longest)));
}

/** The same in ASCII, for error messages of the API: a client may display them in any way. */
export function quoteAscii(text: string, longest: number): string {
  const quoted = JSON.stringify(text.slice(0, longest)).replaceAll(/[^ -~]/g, escapedForJson);
  return text.length > longest ? `${quoted}...` : quoted;
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
