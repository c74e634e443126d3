import { printable } from "./printable.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as content or attribute of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}

/**
 * Text as content or attribute of XML and HTML. Invisible characters are written out: XML 1.0 §2.2 does not allow most
 * of them, escaped or not.
 */
export function markupText(text: string): string {
  return escapeMarkup(printable(text));
}
