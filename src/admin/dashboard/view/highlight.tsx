import type { ComponentChild, ComponentChildren } from "preact";
import { visible } from "./format.js";

/** How a language is coloured: one group of the pattern for each kind of token, and the names of their classes. */
interface Language {
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

const yaml = language([
  [String.raw`(?<=^|\s)#.*`, "comment"],
  [String.raw`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'`, "string"],
  [String.raw`[A-Za-z_][\w.-]*(?=\s*:(?:\s|$))`, "key"],
  [String.raw`(?<=[\s[,{(]|^)(?:true|false|null|~)(?=[\s\],})]|$)`, "word"],
  [String.raw`(?<=[\s[,{(]|^)[-+]?\d+(?:\.\d+)?(?:ms|s|m|h|d)?(?=[\s\],})]|$)`, "number"],
  [String.raw`(?<=[\s[,{(]|^)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?=[\s\],})]|$)`, "constant"],
  [String.raw`^\s*-(?=\s)|[{}[\],:|>]`, "mark"],
]);

const json = language([
  [String.raw`"(?:[^"\\]|\\.)*"(?=\s*:)`, "key"],
  [String.raw`"(?:[^"\\]|\\.)*"`, "string"],
  [String.raw`\b(?:true|false|null)\b`, "word"],
  [String.raw`-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?`, "number"],
  [String.raw`[{}[\],:]`, "mark"],
]);

/** Text with its tokens coloured. */
export function HighlightedJson({ text }: { readonly text: string }): ComponentChildren {
  return text.split("\n").map((line, index) => (
    <>
      {index > 0 && "\n"}
      {coloured(line, json)}
    </>
  ));
}

/** How many lines of a file are shown. More are not useful here, and each is an element. */
const mostLines = 3000;

/** YAML line by line. Lines with a problem are marked. */
export function HighlightedYaml({
  text,
  problemLines = new Set(),
}: {
  readonly text: string;
  readonly problemLines?: ReadonlySet<number>;
}): ComponentChildren {
  let blockIndent: number | undefined;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .slice(0, mostLines)
    .map((line, index) => {
      const indent = line.search(/\S|$/);
      if (blockIndent !== undefined && line.trim() !== "" && indent <= blockIndent) blockIndent = undefined;
      const inBlock = blockIndent !== undefined;
      if (!inBlock && /:\s*[|>][-+\d]*\s*(#.*)?$/.test(line)) blockIndent = indent;
      return (
        <span class={problemLines.has(index + 1) ? "yaml-line problem" : "yaml-line"}>
          {inBlock ? <span class="tok-string">{visible(line)}</span> : coloured(line, yaml)}
          {"\n"}
        </span>
      );
    });
}

function language(rules: readonly (readonly [pattern: string, name: string])[]): Language {
  return {
    pattern: new RegExp(rules.map(([source]) => `(${source})`).join("|"), "g"),
    names: rules.map(([, name]) => name),
  };
}

function coloured(line: string, { pattern, names }: Language): ComponentChildren {
  const pieces: ComponentChild[] = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    const group = match.findIndex((text, index) => index > 0 && text !== undefined) - 1;
    if (match.index > end) pieces.push(visible(line.slice(end, match.index)));
    pieces.push(<span class={`tok-${names[group]}`}>{visible(match[0])}</span>);
    end = match.index + match[0].length;
  }
  if (end < line.length) pieces.push(visible(line.slice(end)));
  return pieces;
}
