import { escapeMarkup } from "../../base/text/markup.js";
import { printable } from "../../base/text/printable.js";

/**
 * Text as content or attribute of XML and HTML. Invisible characters are written out: XML 1.0 §2.2 does not allow most
 * of them, escaped or not.
 */
export function markupText(text: string): string {
  return escapeMarkup(printable(text));
}
