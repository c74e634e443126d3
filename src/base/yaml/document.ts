import { setImmediate as nextTurn } from "node:timers/promises";
import type { CST, Document, LineCounter } from "yaml";
import type { ZodType } from "zod";
import { validate } from "./issues.js";
import type * as parser from "./parser.js";
import { FileError, type FileProblem, mostProblems } from "./problem.js";
import { NodeReader, offsetOf } from "./read.js";
import { syntaxMessage } from "./syntax-messages.js";

/** How large a text may be. The time to check it grows with its tokens, and one character may be a token. */
export interface YamlLimits {
  readonly characters: number;
  /** Texts, numbers, brackets, dashes, colons, line breaks and indentations, each by itself. */
  readonly tokens: number;
}

/**
 * For files that are read at the start: `sandbox.yaml`, and files of items with some thousands of rows. The worst text
 * takes one to two seconds (Node 20). More rows belong in a JSON file, which has no such limit.
 */
export const configurationLimits: YamlLimits = { characters: 1_000_000, tokens: 500_000 };

/** A parsed YAML file that knows the place of each path in the text. */
export interface YamlFile {
  readonly value: unknown;
  /**
   * The place of a value, or with `key` the place of its key. If it is missing: the place of the nearest enclosing
   * node.
   */
  place(path: readonly PropertyKey[], key?: PropertyKey): { readonly line: number; readonly column: number };
}

/**
 * Parses one YAML 1.2 document, in linear time. It yields to the event loop between the stages.
 * @param file the name that problems are reported under
 * @throws FileError when it is too large, is not YAML, has duplicate keys, or expands too far
 */
export async function parseYaml(
  text: string,
  file: string,
  { characters, tokens }: YamlLimits = configurationLimits,
): Promise<YamlFile> {
  const problem = (message: string, line = 1, column = 1) => ({ file, line, column, message });
  if (text.length > characters) {
    throw new FileError([problem(`The file is larger than ${characters} characters.`)]);
  }
  const library = await import("./parser.js");
  const lines = new library.LineCounter();
  const at = (offset: number, message: string) => {
    const { line, column } = placeIn(lines, offset);
    return problem(message, line, column);
  };
  const sourceTokens = await tokensOf(text, tokens, lines, library);
  if (sourceTokens === undefined) {
    throw new FileError([
      problem(`The file has more than ${tokens} tokens: texts, numbers, brackets, dashes, colons, line breaks.`),
    ]);
  }
  await nextTurn();
  const { document, errors } = documentOf(sourceTokens, text.length, library);
  if (errors.length > 0) throw new FileError(errors.map(({ offset, message }) => at(offset, message)));
  await nextTurn();
  const reader = new NodeReader(library, tokens);
  const value = reader.read(document.contents);
  if (reader.problems.length > 0) {
    throw new FileError(reader.problems.map(({ offset, message }) => at(offset, message)));
  }
  await nextTurn();
  return { value, place: (path, key) => placeIn(lines, offsetIn(document, reader, path, key)) };
}

/** How many tokens are read between two turns of the event loop: a few milliseconds. */
const tokensInATurn = 4000;

/** The source in tokens; undefined if there are too many. */
async function tokensOf(
  text: string,
  most: number,
  lines: LineCounter,
  { Lexer, Parser }: typeof parser,
): Promise<CST.Token[] | undefined> {
  const parts = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > most) return undefined;
    if (count % tokensInATurn === 0) await nextTurn();
    for (const token of parts.next(lexeme)) tokens.push(token);
  }
  for (const token of parts.end()) tokens.push(token);
  return tokens;
}

/** The document, and what is wrong with the syntax: the first problems only. */
function documentOf(tokens: Iterable<CST.Token>, length: number, { Composer }: typeof parser) {
  // Keys are compared by the reader: the library compares each one with all before it.
  const options = { version: "1.2", stringKeys: true, uniqueKeys: false, resolveKnownTags: false } as const;
  const { stackTraceLimit } = Error;
  // The parser creates an Error for each problem. Capturing the stacks would take 90 % of the time.
  Error.stackTraceLimit = 0;
  try {
    const [document, second] = new Composer(options).compose(tokens, true, length);
    const errors = (document as Document.Parsed).errors
      .slice(0, mostProblems)
      .map(({ code, message, pos }) => ({ offset: pos[0], message: syntaxMessage(code, message) }));
    if (second) errors.push({ offset: second.range[0], message: syntaxMessage("MULTIPLE_DOCS", "") });
    return { document: document as Document.Parsed, errors };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Problems in the order of the file. */
export function inOrder<Problem extends FileProblem>(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** A part of a file that does not fit its schema: where, and the path of the value. */
export interface Misfit extends FileProblem {
  readonly path: readonly PropertyKey[];
}

/**
 * Checks a parsed file against a schema.
 * @throws FileError with the first problems, each at its place, and a suggestion for each misspelt key
 */
export function validateYaml<T>(yaml: YamlFile, file: string, schema: ZodType<T>): T {
  const { data, misfits } = checkYaml(yaml, file, schema);
  if (misfits.length > 0) throw new FileError(inOrder(misfits));
  return data as T;
}

/**
 * The same without an error.
 * @returns the value as the schema makes it; undefined if there are misfits
 */
export function checkYaml<T>(
  yaml: YamlFile,
  file: string,
  schema: ZodType<T>,
): { readonly data: T | undefined; readonly misfits: readonly Misfit[] } {
  const result = validate(yaml.value ?? {}, schema);
  if (result.success) return { data: result.data, misfits: [] };
  const misfits = result.issues.map(({ path, key, message }) => ({
    file,
    ...yaml.place(path, key),
    message,
    path: key === undefined ? path : [...path, key],
  }));
  return { data: undefined, misfits };
}

function placeIn(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** Where the value at a path begins, or its key. */
function offsetIn(
  document: Document.Parsed,
  reader: NodeReader,
  path: readonly PropertyKey[],
  key?: PropertyKey,
): number {
  let node: unknown = document.contents;
  let offset = offsetOf(node) ?? 0;
  for (const step of path) {
    const pair = reader.pair(node, step);
    node = pair ? (pair.value ?? pair.key) : itemOf(node, step);
    const at = offsetOf(node) ?? offsetOf(pair?.key);
    if (at === undefined) return offset;
    offset = at;
  }
  const pair = key === undefined ? undefined : reader.pair(node, key);
  return offsetOf(pair?.key) ?? offset;
}

function itemOf(node: unknown, index: PropertyKey): unknown {
  const items = (node as { items?: unknown[] } | null)?.items;
  return typeof index === "number" ? items?.[index] : undefined;
}
