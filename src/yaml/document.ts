import type { Document, LineCounter, Node, Pair } from "yaml";
import type { ZodType } from "zod";
import { describeIssues } from "./issues.js";

/** Something wrong in a file, with its place. Lines and columns begin at 1. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A file that cannot be used. Every problem that was found is listed; the message holds one line for each. */
export class FileError extends Error {
  override readonly name = "FileError";
  constructor(readonly problems: readonly FileProblem[]) {
    super(problems.map(formatProblem).join("\n"));
  }
}

/** `file:line:column: message`, as compilers print it and editors open it. */
export function formatProblem({ file, line, column, message }: FileProblem): string {
  return `${file}:${line}:${column}: ${message}`;
}

/** Larger than any configuration or scenario that a person writes; parsing a megabyte takes about half a second. */
export const largestFile = 1_000_000;

/** Enough for honest reuse of anchors, far too little for aliases that multiply (the "billion laughs"). */
const mostAliases = 100;

/** Problems beyond this number say nothing new. */
const mostProblems = 20;

/** Where the parser's own words speak to programmers. */
const plainMessages: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: "This key stands here twice.",
  MULTIPLE_DOCS: "A second document begins here; a file holds one.",
  RESOURCE_EXHAUSTION: "It is nested too deeply.",
  TAB_AS_INDENT: "A tab indents this; use spaces.",
};

/** A parsed YAML file that can tell where in the text a path stands. */
export interface YamlFile {
  readonly value: unknown;
  /** The place of a value, or with `key` the place of its key; of the nearest enclosing node where there is none. */
  place(path: readonly PropertyKey[], key?: PropertyKey): { readonly line: number; readonly column: number };
}

/**
 * Parses one YAML 1.2 document.
 * @param file the name that problems are reported under
 * @throws FileError when it is too large, is not YAML, has duplicate keys, or expands too far
 */
export async function parseYaml(text: string, file: string): Promise<YamlFile> {
  const fail = (message: string, line = 1, column = 1): never => {
    throw new FileError([{ file, line, column, message }]);
  };
  if (text.length > largestFile) fail(`The file is larger than ${largestFile} characters.`);
  const { parseDocument, visit, LineCounter: Counter } = await import("./parser.js");
  const lines = new Counter();
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: "1.2", stringKeys: true });
  } catch (error) {
    return fail(`This is not YAML that can be read: ${reasonOf(error)}`);
  }
  if (document.errors.length > 0) {
    throw new FileError(
      document.errors.slice(0, mostProblems).map(({ code, message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        return { file, line, column: col, message: plainMessages[code] ?? `${message.replace(/\.$/, "")}.` };
      }),
    );
  }
  try {
    const anchors = new Map<string, unknown>();
    visit(document, {
      Node: (_key, node) => {
        if ("anchor" in node && node.anchor !== undefined) anchors.set(node.anchor, node);
      },
      Alias: (_key, alias, path) => {
        const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
        const target = anchors.get(alias.source);
        if (target === undefined) fail(`Nothing before this is called &${alias.source}.`, line, col);
        if (path.includes(target as never)) fail(`*${alias.source} stands inside of what it repeats.`, line, col);
      },
    });
    return {
      value: document.toJS({ maxAliasCount: mostAliases }),
      place: (path, key) => placeOf(document, lines, path, key),
    };
  } catch (error) {
    if (error instanceof FileError) throw error;
    return fail(`The document cannot be expanded: ${reasonOf(error)}`);
  }
}

/**
 * Checks a parsed file against a schema.
 * @throws FileError with every problem at its place, and a suggestion for each misspelt key
 */
export function validateYaml<T>(yaml: YamlFile, file: string, schema: ZodType<T>): T {
  const result = schema.safeParse(yaml.value ?? {}, { reportInput: true });
  if (result.success) return result.data;
  throw new FileError(
    describeIssues(result.error.issues, schema)
      .map(({ path, key, message }) => ({ file, ...yaml.place(path, key), message }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .slice(0, mostProblems),
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply.";
  if (error instanceof ReferenceError) return `its aliases (*name) are repeated more than ${mostAliases} times.`;
  return error instanceof Error ? error.message : String(error);
}

function placeOf(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[], key?: PropertyKey) {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  const follow = key === undefined ? path : [...path, key];
  for (const [index, step] of follow.entries()) {
    const pair = pairOf(node, step);
    const atKey = key !== undefined && index === follow.length - 1;
    const found = pair ? (atKey ? pair.key : (pair.value ?? pair.key)) : itemOf(node, step);
    const at = offsetOf(found) ?? (pair ? offsetOf(pair.key) : undefined);
    if (at === undefined) break;
    offset = at;
    node = found;
  }
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function pairOf(node: unknown, key: PropertyKey): Pair<Node, Node | null> | undefined {
  const items = (node as { items?: unknown[] } | null)?.items;
  return items?.find((item): item is Pair<Node, Node | null> => {
    const itemKey = (item as { key?: { value?: unknown } | null } | null)?.key;
    return itemKey !== undefined && String(itemKey?.value) === String(key);
  });
}

function itemOf(node: unknown, index: PropertyKey): unknown {
  const items = (node as { items?: unknown[] } | null)?.items;
  return typeof index === "number" ? items?.[index] : undefined;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
}
