import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseAst } from "vitest/node";
import { root } from "./markdown.js";

/** An import by a source file below src/. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

let files: readonly string[] | undefined;

/** Every source file below src/. The folder is read once for all tests of a file. */
export function sources(): readonly string[] {
  files ??= readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
  return files;
}

/** Every import between source files: static, dynamic, of types, and re-exports. It is read from the syntax tree. */
export function imports(): readonly Import[] {
  return all()
    .filter(({ to }) => to.startsWith("."))
    .map(({ from, to }) => ({
      from,
      to: sourceOf(posix.normalize(posix.join(posix.dirname(from), to))),
    }));
}

/** The source of a module that is imported as `.js`. */
function sourceOf(module: string): string {
  const [typescript, jsx] = [".ts", ".tsx"].map((ending) => module.replace(/\.js$/, ending));
  return (sources().includes(jsx as string) ? jsx : typescript) as string;
}

/** Imports from outside src/: packages, and modules of Node. */
export function packages(): readonly Import[] {
  return all().filter(({ to }) => !to.startsWith("."));
}

let parsed: readonly Import[] | undefined;

/** The sources are parsed once for all tests of a file. */
function all(): readonly Import[] {
  parsed ??= sources().flatMap((from) =>
    specifiersIn(
      parseAst(readFileSync(`${root}/src/${from}`, "utf8"), { lang: from.endsWith("x") ? "tsx" : "ts" }),
    ).map((to) => ({ from, to })),
  );
  return parsed;
}

function specifiersIn(tree: unknown): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { source } = node as { readonly source?: { readonly value?: unknown } | null };
    if (typeof source?.value === "string") found.push(source.value);
    Object.values(node).forEach(visit);
  };
  visit(tree);
  return found;
}
