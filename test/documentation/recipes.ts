import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blocksOf, codeSpansOf, type Page, root } from "./markdown.js";

/** Worked examples of recipes of CONTRIBUTING.md, as changes of files. */
const examples = ["operation", "fault", "condition"].map((name): Page => {
  const path = `test/documentation/recipes/${name}.md`;
  return { path, text: readFileSync(join(root, path), "utf8") };
});

/** The content of a block of a recipe: lines of a file that change, or a file to write. */
export interface Change {
  readonly page: string;
  readonly line: number;
  readonly path: string;
  readonly kind: "diff" | "file";
  readonly text: string;
}

/** A worked example, step by step. */
export interface Recipe {
  readonly title: string;
  readonly changes: readonly Change[];
  /** From this line on, the types name the files that must still be changed; undefined if they name none. */
  readonly typesFrom: number | undefined;
}

const isFile = (span: string) => /^(?:src|test|scenarios|docs)\/[\w./-]+\.\w+$|^CHANGELOG\.md$/.test(span);

/**
 * The worked examples. A block belongs to the last file that the page names before it.
 * @throws Error if there is none
 */
export function recipes(): readonly Recipe[] {
  return examples.map((page) => {
    const lines = page.text.split("\n");
    const spans = codeSpansOf(page).filter(({ target }) => isFile(target));
    const changes = blocksOf(page).map(({ line, kind, text }): Change => {
      const path = spans.findLast((span) => span.line < line)?.target;
      if (path === undefined) throw new Error(`${page.path}:${line}: no file is named before the block.`);
      return { page: page.path, line, path, kind: kind === "diff" ? "diff" : "file", text };
    });
    const typesFrom = lines.findIndex((text) => text.includes("`npm run types` now reports")) + 1;
    return { title: (lines[0] ?? "").replace("# ", ""), changes, typesFrom: typesFrom === 0 ? undefined : typesFrom };
  });
}

/** The files that the reader is told to write. They may exist or not. */
export function filesToWrite(): readonly string[] {
  return recipes().flatMap(({ changes }) => changes.filter(({ kind }) => kind === "file").map(({ path }) => path));
}

const without = (mark: string, hunk: string) =>
  hunk
    .split("\n")
    .filter((line) => !line.startsWith(mark))
    .map((line) => line.slice(1))
    .join("\n");

/**
 * The text of a file after a change.
 * @throws Error if the lines to change are missing, or occur more than once
 */
function changed(text: string, { page, line, path, kind, text: change }: Change): string {
  if (kind === "file") return `${change}\n`;
  let after = text;
  for (const hunk of change.split("\n@@\n")) {
    const [before, behind, ...more] = `\n${after}`.split(`\n${without("+", hunk)}\n`);
    if (behind === undefined || more.length > 0)
      throw new Error(
        `${page}:${line}: this block no longer fits. Change it: ${path} does not have exactly once\n${without("+", hunk)}`,
      );
    after = `${before}\n${without("-", hunk)}\n${behind}`.slice(1);
  }
  return after;
}

/** Whether a change was already made: the file exists, or has every line that is added. */
export function isMade({ path, kind, text }: Change, folder = root): boolean {
  const file = join(folder, path);
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, "utf8").split("\n");
  const added = text.split("\n").filter((line) => line.startsWith("+"));
  return kind === "file" || added.every((line) => lines.includes(line.slice(1)));
}

/**
 * Tries all recipes, one after the other, and writes nothing.
 * @throws Error for the first block that does not fit
 */
export function tryAll(): void {
  const texts = new Map<string, string>();
  for (const change of recipes().flatMap(({ changes }) => (changes.every((one) => isMade(one)) ? [] : changes))) {
    const { path, kind } = change;
    const text = texts.get(path) ?? (kind === "diff" ? readFileSync(join(root, path), "utf8") : "");
    texts.set(path, changed(text, change));
  }
}

/** Makes a change in a folder. */
export function make(change: Change, folder: string): void {
  const file = join(folder, change.path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, changed(change.kind === "diff" ? readFileSync(file, "utf8") : "", change));
}
