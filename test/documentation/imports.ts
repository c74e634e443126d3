import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseAst } from "vitest/node";
import { root } from "./markdown.js";

/** An import of one source file by another, both below src/. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether lint is told to look away there, with a reason. */
  readonly excepted: boolean;
}

/** Every source file below src/. */
export function sources(): readonly string[] {
  return readdirSync(`${root}/src`, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** Every import between source files: static, dynamic, of types, and what is exported again. It is read from the syntax tree. */
export function imports(): readonly Import[] {
  return sources().flatMap((from) => {
    const text = readFileSync(`${root}/src/${from}`, "utf8");
    return specifiersIn(parseAst(text, { lang: "ts" }))
      .filter(({ name }) => name.startsWith("."))
      .map(({ name, start }) => ({
        from,
        to: posix.normalize(posix.join(posix.dirname(from), name)).replace(/\.js$/, ".ts"),
        excepted: lineBefore(text, start).includes("biome-ignore lint/style/noRestrictedImports: "),
      }));
  });
}

interface Specifier {
  readonly name: string;
  /** Where its statement begins. */
  readonly start: number;
}

function specifiersIn(tree: unknown): Specifier[] {
  const found: Specifier[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { source, start } = node as {
      readonly source?: { readonly value?: unknown } | null;
      readonly start?: number;
    };
    if (typeof source?.value === "string") found.push({ name: source.value, start: start ?? 0 });
    Object.values(node).forEach(visit);
  };
  visit(tree);
  return found;
}

function lineBefore(text: string, at: number): string {
  return text.slice(0, at).split("\n").at(-2) ?? "";
}
