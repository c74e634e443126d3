import { printable } from "../../text/printable.js";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text as content or attribute of XML and HTML. Characters that nothing shows are written out: XML 1.0 §2.2 has most of them in no form,
 * escaped or not.
 */
export function markupText(text: string): string {
  return printable(text).replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}
