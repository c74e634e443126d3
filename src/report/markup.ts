import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { printable } from "../base/text/printable.js";

/** Text that is HTML or XML already. */
export type Markup = HtmlEscapedString;

type Value = string | number | Markup | undefined | readonly Value[];

/**
 * Markup with values in it, which are escaped unless they are markup. Invisible characters are written out: XML 1.0 §2.2
 * does not allow most of them, escaped or not.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  // It is a promise only if one of the values is.
  return html(strings, ...values.map(visible)) as Markup;
}

function visible(value: Value): unknown {
  if (typeof value === "string") return printable(value);
  return Array.isArray(value) ? value.map(visible) : value;
}

/** Values on lines of their own. */
export function onLines(values: readonly (string | Markup)[]): readonly Markup[] {
  return values.map((value, index) => (index === 0 ? markup`${value}` : markup`\n${value}`));
}
