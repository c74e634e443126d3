import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./markdown.js";

/**
 * The lines of code in each folder of `src/` and `test/`, and in each of `src/sandbox/` and `test/sandbox/`; files that
 * are directly in one of these four are counted under its name. Formatted, without comments and blank lines.
 */
export function linesOfFolders(): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const top of ["src", "test"]) {
    for (const file of readdirSync(join(root, top), { recursive: true, encoding: "utf8" })) {
      const path = `${top}/${file.replaceAll("\\", "/")}`;
      if (!/\.(tsx?|mjs|mts|css)$/.test(path) || path.includes("node_modules/")) continue;
      const folder = folderOf(path);
      lines.set(folder, (lines.get(folder) ?? 0) + linesOf(readFileSync(join(root, path), "utf8")));
    }
  }
  return lines;
}

function folderOf(path: string): string {
  const parts = path.split("/").slice(0, -1);
  return `${parts.slice(0, parts[1] === "sandbox" ? 3 : 2).join("/")}/`;
}

/** Comments stand on lines of their own, as the formatter leaves them. */
function linesOf(text: string): number {
  return text
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length;
}
