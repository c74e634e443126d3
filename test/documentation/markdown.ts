import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** A Markdown file: its path below the root, and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A fenced block. */
export interface Block {
  readonly page: string;
  /** The line of its opening fence, from 1. */
  readonly line: number;
  /** The word after the opening fence, or an empty text. */
  readonly kind: string;
  readonly text: string;
}

/** A command of a block, and the output below it. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/** A link or a picture. */
export interface Link {
  readonly line: number;
  readonly target: string;
}

// Files of others, and generated ones.
const passedOver = new Set(["node_modules", "dist", ".git", "coverage"]);

/** Every Markdown file of the repository. */
export function pages(folder = ""): readonly Page[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : pages(path);
    return path.endsWith(".md") ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}

/**
 * The fenced blocks of a page, without the indentation that a list gives them.
 * @throws Error when one does not end
 */
export function blocksOf({ path, text }: Page): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; indent: string; fence: string; kind: string; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    if (open === undefined) {
      const [, indent, fence, kind] = /^( *)(`{3,}|~{3,})\s*(\S*)/.exec(line) ?? [];
      if (indent === undefined || fence === undefined) continue;
      open = { line: index + 1, indent, fence, kind: kind ?? "", lines: [] };
    } else if (line.trim() === open.fence) {
      blocks.push({ page: path, line: open.line, kind: open.kind, text: open.lines.join("\n") });
      open = undefined;
    } else open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
  }
  if (open) throw new Error(`${path}:${open.line}: the block does not end.`);
  return blocks;
}

/** A page with its blocks blanked, line by line: its prose. */
function proseOf({ text }: Page): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const [, mark] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
      if (fence === undefined && mark === undefined) return line;
      if (fence === undefined) fence = mark;
      else if (line.trim() === fence) fence = undefined;
      return "";
    })
    .join("\n");
}

/** The commands of a block of kind `sh`: one on each line, except for lines that `\` or a here-document joins. */
export function commandsOf(text: string): readonly string[] {
  const commands: string[] = [];
  let joined: string[] = [];
  let end: string | undefined;
  for (const line of text.split("\n")) {
    if (joined.length === 0 && line.trim() === "") continue;
    joined.push(line);
    end ??= /<<-?\s*'?(\w+)'?/.exec(line)?.[1];
    if (end === undefined ? line.endsWith("\\") : line !== end) continue;
    commands.push(joined.join("\n"));
    joined = [];
    end = undefined;
  }
  if (joined.length > 0) throw new Error(`The last command of a block does not end: ${joined.join("\n")}`);
  return commands;
}

/** The commands of a block of kind `console`, after `$ `, each with the lines below it. */
export function stepsOf(text: string): readonly Step[] {
  const [before, ...rest] = `\n${text}`.split("\n$ ");
  if (before !== "") throw new Error(`A console block begins with a command, behind "$ ", and not with: ${before}`);
  return rest.map((step) => {
    const [command = "", ...output] = step.split("\n");
    return { command, output: output.join("\n") };
  });
}

/** The texts between backticks in the prose. */
export function codeSpansOf(page: Page): readonly Link[] {
  return linesOf(proseOf(page), /`([^`]+)`/g);
}

/** Every link and picture of the prose, in Markdown or HTML, and every bare address. */
export function linksOf(page: Page): readonly Link[] {
  const prose = proseOf(page).replaceAll(/`[^`\n]+`/g, (span) => " ".repeat(span.length));
  return [
    // The text of a link may contain a picture or brackets; only its target matters.
    ...linesOf(prose, /\]\(\s*<?([^)\s>]+)>?[^)]*\)/g),
    ...linesOf(prose, /^\s*\[[^\]]+\]:\s*<?([^\s>]+)/g),
    ...linesOf(prose, /\b(?:src|srcset|href)="([^"\s]+)[^"]*"/g),
    ...linesOf(prose, /(?<![("<])\b(https?:\/\/[^\s)"'<>|]+)/g),
  ];
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(page: Page): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of proseOf(page).split("\n")) {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let at = 1; anchors.has(anchor); at++) anchor = `${slug}-${at}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Lower case, with letters, digits, `-` and `_`. Each blank becomes a hyphen, and all other characters are removed. */
function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}

function linesOf(text: string, pattern: RegExp): Link[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      [...line.matchAll(pattern)].map(([, target = ""]) => ({ line: index + 1, target: target.trim() })),
    );
}

/** The commands of a block, whatever its kind. */
export function commandsIn({ kind, text }: Block): readonly string[] {
  if (kind === "console") return stepsOf(text).map(({ command }) => command);
  return kind === "sh" ? commandsOf(text) : [];
}
