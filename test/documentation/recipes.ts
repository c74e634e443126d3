import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocksOf, codeSpansOf, root } from "./markdown.js";

export const contributing = { path: "CONTRIBUTING.md", text: readFileSync(join(root, "CONTRIBUTING.md"), "utf8") };

/** What a block of a recipe says: lines of a file that change, or a file to write. */
export interface Change {
  readonly line: number;
  readonly path: string;
  readonly kind: "diff" | "file";
  readonly text: string;
}

/** A section of CONTRIBUTING.md that adds something, step by step. */
export interface Recipe {
  readonly title: string;
  readonly changes: readonly Change[];
  /** The line from which on types name the files that are still to change. */
  readonly typesFrom: number;
}

const isFile = (span: string) => /^(?:src|test|scenarios|docs)\/[\w./-]+\.\w+$|^CHANGELOG\.md$/.test(span);

/** The recipes. A block belongs to the file that the page names last before it. @throws Error where it names none */
export function recipes(): readonly Recipe[] {
  const lines = contributing.text.split("\n");
  const headings = lines.flatMap((text, index) => (text.startsWith("## ") ? [index + 1] : []));
  const spans = codeSpansOf(contributing).filter(({ target }) => isFile(target));
  return headings
    .map((from, index) => ({ from, to: headings[index + 1] ?? lines.length + 1 }))
    .filter(({ from }) => lines[from - 1]?.startsWith("## Add "))
    .map(({ from, to }) => ({
      title: (lines[from - 1] as string).slice(3),
      changes: blocksOf(contributing)
        .filter(({ line }) => line > from && line < to)
        .map(({ line, kind, text }) => {
          const path = spans.findLast((span) => span.line > from && span.line < line)?.target;
          if (path === undefined) throw new Error(`CONTRIBUTING.md:${line}: no file is named before the block.`);
          return { line, path, kind: kind === "diff" ? "diff" : "file", text };
        }),
      typesFrom: 1 + lines.findIndex((text, at) => at >= from && text.includes("`npm run types` now reports")),
    }));
}

/** The files that the reader is told to write. They may be there or not. */
export function filesToWrite(): readonly string[] {
  return recipes().flatMap(({ changes }) => changes.filter(({ kind }) => kind === "file").map(({ path }) => path));
}

const without = (mark: string, hunk: string) =>
  hunk
    .split("\n")
    .filter((line) => !line.startsWith(mark))
    .map((line) => line.slice(1))
    .join("\n");

/** The text of a file after a change. @throws Error when the lines that change are not there, or more than once */
export function changed(text: string, { line, path, kind, text: change }: Change): string {
  if (kind === "file") return `${change}\n`;
  let after = text;
  for (const hunk of change.split("\n@@\n")) {
    const [before, behind, ...more] = `\n${after}`.split(`\n${without("+", hunk)}\n`);
    if (behind === undefined || more.length > 0)
      throw new Error(`CONTRIBUTING.md:${line}: ${path} has not once:\n${without("+", hunk)}`);
    after = `${before}\n${without("-", hunk)}\n${behind}`.slice(1);
  }
  return after;
}

/** Whether a change was made already: the file is there, or has every line that is added. */
export function isMade({ path, kind, text }: Change, folder = root): boolean {
  const file = join(folder, path);
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, "utf8").split("\n");
  const added = text.split("\n").filter((line) => line.startsWith("+"));
  return kind === "file" || added.every((line) => lines.includes(line.slice(1)));
}

/** Makes a change in a folder. */
export function make(change: Change, folder: string): void {
  const file = join(folder, change.path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, changed(change.kind === "diff" ? readFileSync(file, "utf8") : "", change));
}
