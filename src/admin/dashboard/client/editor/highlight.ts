import { yamlLanguage } from "@codemirror/lang-yaml";
import { highlightCode, type Tag, tagHighlighter, tags } from "@lezer/highlight";

/** A piece of a text, and the class of its colour; empty without one. */
type Token = readonly [text: string, name: string];
export type Line = readonly Token[];

/** The kinds of tokens, by the class of their colour on the page. The editor has the same colours. */
export const kinds: readonly { readonly name: string; readonly color: string; readonly tag: readonly Tag[] }[] = [
  { name: "tok-key", color: "var(--accent)", tag: [tags.propertyName, tags.definition(tags.propertyName)] },
  { name: "tok-string", color: "var(--good)", tag: [tags.string, tags.special(tags.string)] },
  { name: "tok-word", color: "var(--info)", tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.content] },
  {
    name: "tok-quiet",
    color: "var(--quiet)",
    tag: [tags.comment, tags.lineComment, tags.punctuation, tags.separator],
  },
];

const highlighter = tagHighlighter(kinds.map(({ name, tag }) => ({ tag, class: name })));

/** The lines of a text in YAML, or in JSON, which YAML includes, as tokens. */
export function tokensOf(text: string): readonly Line[] {
  const lines: Token[][] = [[]];
  highlightCode(
    text,
    yamlLanguage.parser.parse(text),
    highlighter,
    (piece, name) => lines.at(-1)?.push([piece, name]),
    () => lines.push([]),
  );
  return lines;
}
