import type { LineCounter, Scalar } from "yaml";
import type { ZodType } from "zod";
import { deepest, Inspector, type NodeProblem, offsetOf, tooDeep } from "./inspect.js";
import { validate } from "./issues.js";
import type * as parser from "./parser.js";
import { FileError, type FileProblem } from "./problem.js";
import { syntaxMessage } from "./syntax-messages.js";

/** How large a text may be. One character may be a token. */
export interface YamlLimits {
  /** Of the text, and of its texts and keys with those that its aliases repeat. */
  readonly characters: number;
  /**
   * Texts, numbers, brackets, dashes, colons, line breaks and indentations, each by itself. There are at most as many
   * values, with those that aliases repeat.
   */
  readonly tokens: number;
}

/**
 * For files that are read at the start: `sandbox.yaml`, and files of items with some thousands of rows. More rows belong
 * in a JSON file, which has no such limit.
 */
export const configurationLimits: YamlLimits = { characters: 1_000_000, tokens: 500_000 };

/** A parsed YAML file that knows the place of each path in the text. */
export interface YamlFile {
  readonly value: unknown;
  /**
   * The place of a value, or with `key` the place of its key. If it is missing: the place of the nearest enclosing
   * node.
   */
  place(path: readonly PropertyKey[], key?: PropertyKey): Place;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Parses one YAML 1.2 document.
 * @param file the name that problems are reported under
 * @throws FileError when it is too large, also with what its aliases repeat, is not YAML, or has duplicate keys
 */
export async function parseYaml(
  text: string,
  file: string,
  { characters, tokens }: YamlLimits = configurationLimits,
): Promise<YamlFile> {
  const refused = (place: Place, message: string) => new FileError([{ file, ...place, message }]);
  if (text.length > characters)
    throw refused({ line: 1, column: 1 }, `The file is larger than ${characters} characters.`);
  const library = await import("./parser.js");
  const lines = new library.LineCounter();
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const unfit = unfitFor(text, tokens, lines, library);
  if (unfit) throw refused(at(unfit.offset), unfit.message);
  const document = library.parseDocument(text, parseOptions);
  const { contents, errors } = document;
  const inspector = new Inspector(library, { values: tokens, characters });
  if (errors.length === 0) inspector.inspect(contents);
  const problems = [
    ...errors.map(({ code, message, pos }) => ({ offset: pos[0], message: syntaxMessage(code, message) })),
    ...inspector.problems,
  ];
  if (problems.length > 0)
    throw new FileError(problems.map(({ offset, message }) => ({ file, ...at(offset), message })));
  // The inspector has counted what the aliases repeat.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  return { value, place: (path, key) => at(offsetIn(contents, path, key, library)) };
}

/** A directive does not change how values are read. The inspector compares the keys, in linear time. */
const parseOptions = {
  schema: "core",
  stringKeys: true,
  uniqueKeys: false,
  resolveKnownTags: false,
  prettyErrors: false,
} as const;

/**
 * Why a text must not become a document. The library makes nodes recursively, and V8 ends the process when a regular
 * expression is compiled where little of the stack is left.
 * @param lines gets the beginning of each line
 */
function unfitFor(
  text: string,
  most: number,
  lines: LineCounter,
  { Lexer, Parser }: typeof parser,
): NodeProblem | undefined {
  const parts = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    count += 1;
    if (count > most) {
      const message = `The file has more than ${most} tokens: texts, numbers, brackets, dashes, colons, line breaks.`;
      return { offset: 0, message };
    }
    Array.from(parts.next(token));
    // The document and the collections that are open.
    if (parts.stack.length > 2 * deepest) return { offset: parts.offset, message: tooDeep };
  }
  return undefined;
}

/** Problems in the order of the file. */
export function inOrder<Problem extends FileProblem>(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** A part of a file that does not fit its schema: where, and the path of the value. */
export interface SchemaProblem extends FileProblem {
  readonly path: readonly PropertyKey[];
  /** The message without a suggestion. */
  readonly head: string;
}

/**
 * Checks a parsed file against a schema.
 * @throws FileError with the first problems, each at its place, and a suggestion for each misspelt key
 */
export function validateYaml<T>(yaml: YamlFile, file: string, schema: ZodType<T>): T {
  const { data, problems } = checkYaml(yaml, file, schema);
  if (problems.length > 0) throw new FileError(inOrder(problems));
  return data as T;
}

/**
 * The same without an error.
 * @returns the value as the schema makes it; undefined if there are problems
 */
export function checkYaml<T>(
  yaml: YamlFile,
  file: string,
  schema: ZodType<T>,
): { readonly data: T | undefined; readonly problems: readonly SchemaProblem[] } {
  const result = validate(yaml.value ?? {}, schema);
  if (result.success) return { data: result.data, problems: [] };
  const problems = result.issues.map(({ path, key, message, head = message }) => ({
    file,
    ...yaml.place(path, key),
    message,
    head,
    path: key === undefined ? path : [...path, key],
  }));
  return { data: undefined, problems };
}

/** A value on one line, as it is written in a file. */
export async function inOneLine(value: unknown): Promise<string> {
  const { Document } = await import("./parser.js");
  const options = { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: true } as const;
  return new Document(value).toString(options).trimEnd();
}

/** Where the value at a path begins, or its key. */
function offsetIn(
  root: unknown,
  path: readonly PropertyKey[],
  key: PropertyKey | undefined,
  { isMap, isSeq }: typeof parser,
): number {
  const pairOf = (node: unknown, name: PropertyKey) =>
    isMap<Scalar>(node) ? node.items.find((pair) => pair.key.value === String(name)) : undefined;
  let node = root;
  let offset = offsetOf(node) ?? 0;
  for (const step of path) {
    const pair = pairOf(node, step);
    node = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined;
    const found = offsetOf(node) ?? offsetOf(pair?.key);
    if (found === undefined) return offset;
    offset = found;
  }
  const pair = key === undefined ? undefined : pairOf(node, key);
  return offsetOf(pair?.key) ?? offset;
}
