import { printable } from "../text/printable.js";

/**
 * What the parser reports, by its code and the beginning of its message, and what is said instead: the first row that
 * fits.
 */
const rows: readonly (readonly [code: string, start: string, message: string])[] = [
  ["MULTIPLE_DOCS", "", "A second document begins here; a file has only one."],
  ["RESOURCE_EXHAUSTION", "", "It is nested too deeply."],
  ["TAB_AS_INDENT", "", "This is indented with a tab; use spaces."],
  [
    "BAD_INDENT",
    "Flow",
    "A bracket before this is not closed, or this line is inside it and not indented. Close the bracket, or indent the line.",
  ],
  [
    "BAD_INDENT",
    "",
    "This is not in the same column as the rest of its level. Indent all keys and items of one level equally.",
  ],
  [
    "BLOCK_AS_IMPLICIT_KEY",
    "Nested",
    "This value has a colon, or a line below it is indented too far. Put a text with a colon in quotes; begin keys on a line of their own.",
  ],
  ["BLOCK_AS_IMPLICIT_KEY", "", "The items of this list are not in one column. Indent each - equally."],
  ["MULTILINE_IMPLICIT_KEY", "", "This is not a key with a value. Write KEY: VALUE, with the colon on the same line."],
  ["MISSING_CHAR", "Implicit map keys", "This key has no colon. Write KEY: VALUE."],
  ["MISSING_CHAR", "Missing closing", "The quotation mark is not closed before this. Close it."],
  ["MISSING_CHAR", "Missing , ", "There is no comma before this. Put one between the parts inside brackets."],
  ["BAD_SCALAR_START", "", "A text cannot begin with this character. Put the text in quotes."],
  [
    "BAD_DQ_ESCAPE",
    "",
    "Inside double quotes a backslash begins an escape, and this one is not known. Write two backslashes, or use single quotes.",
  ],
  ["BLOCK_IN_FLOW", "", "Inside brackets, a list is written as [a, b], and keys are written as {a: b}."],
  [
    "UNEXPECTED_TOKEN",
    "Unexpected block-seq-ind",
    "A list does not begin on the line of its key. Begin it on the next line.",
  ],
  [
    "UNEXPECTED_TOKEN",
    "Unexpected",
    "This does not belong here. Look for a quotation mark, colon or bracket that is missing or too many.",
  ],
  ["NON_STRING_KEY", "", "A key must be a text."],
];

/** Says in plain words what is wrong with the syntax. A message of the parser may repeat a long token, so it is cut. */
export function syntaxMessage(code: string, message: string): string {
  const row = rows.find(([known, start]) => known === code && message.startsWith(start));
  return row?.[2] ?? `${printable(message.replace(/\.$/, ""), 200)}.`;
}
