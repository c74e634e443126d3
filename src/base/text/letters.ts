/** The text with its first letter in upper case, to begin a sentence. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The text with its first letter in lower case, for the middle of a sentence. An abbreviation such as PEM stays as it
 * is.
 */
export function lowerFirst(text: string): string {
  if (/^[A-Z]{2}/.test(text)) return text;
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Words as one name: `paymentId`. The first one stays as it is. */
export function camelCase([first = "", ...others]: readonly string[]): string {
  return first + others.map(upperFirst).join("");
}
