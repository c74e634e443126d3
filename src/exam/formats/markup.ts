import { escapeMarkup } from "../../text/markup.js";
import { printable } from "../../text/printable.js";

/**
 * Text as content or attribute of XML and HTML. Characters that nothing shows are written out: XML 1.0 §2.2 has most of them in no form,
 * escaped or not.
 */
export function markupText(text: string): string {
  return escapeMarkup(printable(text));
}
