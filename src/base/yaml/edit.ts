import type { Pair, Scalar, YAMLMap } from "yaml";
import { printable } from "../text/printable.js";
import type * as yaml from "./parser.js";
import { FileError } from "./problem.js";

/** A value to set at a path of keys. */
export interface YamlEdit {
  readonly path: readonly [string, ...string[]];
  /** Anything that JSON has. */
  readonly value: unknown;
  /**
   * The comment above the key; a line break begins another line. An existing comment above the key that begins with the
   * same word is from an earlier edit, and is replaced.
   */
  readonly comment?: string | undefined;
}

/** The new content of a key: other keys, or a value. */
interface Change {
  readonly comment: string | undefined;
  readonly content: { readonly value: unknown } | Changes;
}
type Changes = Map<string, Change>;

/** A replacement for a part of the text. */
interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A short map or list of plain values is written in braces or brackets, on one line of at most this number of
 * characters.
 */
const longestInline = 90;

/**
 * Sets values in the text of a YAML file. All other text stays as it is, byte for byte: comments, order, quotes,
 * alignment.
 * @param text a document that `parseYaml` accepts: a map, or only comments
 * @param file the name that problems are reported under
 * @param edits no path is below the path of another edit
 * @throws FileError where a path leads through something other than a map, or through an alias
 */
export async function editYaml(text: string, file: string, edits: readonly YamlEdit[]): Promise<string> {
  const changes = treeOf(edits);
  if (changes.size === 0) return text;
  const editor = new Editor(await import("./parser.js"), text, file);
  return editor.edited(changes);
}

function treeOf(edits: readonly YamlEdit[]): Changes {
  const root: Changes = new Map();
  for (const { path, value, comment } of edits) {
    let changes = root;
    for (const key of path.slice(0, -1)) {
      const found = changes.get(key)?.content;
      const below = found instanceof Map ? found : new Map<string, Change>();
      if (below !== found) changes.set(key, { comment: undefined, content: below });
      changes = below;
    }
    changes.set(path.at(-1) as string, { comment, content: { value: JSON.parse(JSON.stringify(value)) } });
  }
  return root;
}

class Editor {
  readonly #splices: Splice[] = [];
  readonly #lineBreak: string;

  constructor(
    private readonly library: typeof yaml,
    private readonly text: string,
    private readonly file: string,
  ) {
    this.#lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  }

  edited(changes: Changes): string {
    const { parseDocument, isMap, isScalar } = this.library;
    const { contents, errors } = parseDocument(this.text, { version: "1.2", stringKeys: true, uniqueKeys: false });
    const [error] = errors;
    if (error) this.#fail(error.pos[0], `${printable(error.message, 200)}.`);
    if (isMap(contents) && contents.anchor === undefined) this.#extend(contents as YAMLMap<Scalar>, changes);
    else if (contents === null || (isScalar(contents) && contents.value === null && contents.source === ""))
      this.#append(changes);
    else this.#fail(contents.range?.[0] ?? 0, "This is not a map of keys and values, and cannot be extended.");
    return this.#spliced();
  }

  #spliced(): string {
    let text = this.text;
    // From the end to the start, so that the places before a change stay right. Two changes at one place are applied in
    // the reverse of their order: the later one then follows the earlier one.
    const backwards = this.#splices.toReversed().toSorted((a, b) => b.start - a.start);
    for (const { start, end, text: part } of backwards) text = text.slice(0, start) + part + text.slice(end);
    return text;
  }

  /** Appends to a text that has only comments. */
  #append(changes: Changes): void {
    const end = this.text.length;
    const gap = this.text === "" ? "" : /\n\s*$/.test(this.text) ? this.#lineBreak : this.#lineBreak.repeat(2);
    this.#splices.push({ start: end, end, text: gap + this.#block(changes, "") });
  }

  #extend(map: YAMLMap<Scalar>, changes: Changes): void {
    const missing: Changes = new Map();
    for (const [key, change] of changes) {
      const pair = map.items.find((each) => String(each.key.value) === key);
      if (pair === undefined) missing.set(key, change);
      else this.#change(map, pair, key, change);
    }
    if (missing.size === 0) return;
    if (map.flow) this.#insertInline(map, missing);
    else this.#insertBlock(map, missing);
  }

  #change(map: YAMLMap<Scalar>, pair: Pair<Scalar>, key: string, change: Change): void {
    const { isMap, isAlias, isScalar } = this.library;
    const value = pair.value as YAMLMap<Scalar> | null;
    if (isAlias(value))
      this.#fail(startOf(value), "This repeats another value (*name), and cannot be changed by itself.");
    if (change.content instanceof Map && isMap(value)) {
      this.#extend(value, change.content);
      return;
    }
    if (change.content instanceof Map && !(value === null || (isScalar(value) && value.value === null)))
      this.#fail(startOf(value), `${JSON.stringify(key)} is not a map of keys and values, and cannot be extended.`);
    const start = startOf(pair.key);
    const isEmpty = value === null || value.range?.[0] === value.range?.[1];
    const end = isEmpty ? this.#behindKey(pair) : (value?.range?.[1] ?? 0);
    if (map.flow) {
      this.#splices.push({ start, end, text: this.#inlinePair(key, change) });
      return;
    }
    const indent = this.#indentOf(start);
    if (isEmpty && change.content instanceof Map) {
      this.#insertLines(end, change.content, `${indent}  `);
      return;
    }
    const above = change.comment === undefined ? start : this.#startOfComment(start, indent, change.comment);
    const block = this.#block(new Map([[key, change]]), indent);
    // The range of a block scalar includes its line break.
    const behind = this.text.charAt(end - 1) === "\n" ? this.#lineBreak : "";
    this.#splices.push({ start: above, end, text: block.slice(indent.length).trimEnd() + behind });
  }

  /** The start of the comment that an earlier edit put above a key, or the start of the key if there is none. */
  #startOfComment(start: number, indent: string, comment: string): number {
    const [word] = comment.split(/\s/, 1);
    let found = start;
    let lineStart = start - indent.length;
    while (lineStart > 0) {
      const before = this.text.lastIndexOf("\n", lineStart - 2) + 1;
      const line = this.text.slice(before, lineStart);
      if (!line.startsWith(`${indent}#`)) break;
      const above = line.slice(indent.length + 1).trim();
      if (above.split(/\s/, 1)[0] === word) found = before + indent.length;
      lineStart = before;
    }
    return found;
  }

  #insertBlock(map: YAMLMap<Scalar>, missing: Changes): void {
    const indent = this.#indentOf(startOf(map.items[0]?.key));
    const last = map.items.at(-1) as Pair<Scalar>;
    const end = Math.max((last.value as Scalar | null)?.range?.[1] ?? 0, last.key.range?.[1] ?? 0);
    this.#insertLines(end, missing, indent);
  }

  /** Inserts new lines after the line in which a value ends. */
  #insertLines(end: number, changes: Changes, indent: string): void {
    const lineEnd = this.text.charAt(end - 1) === "\n" ? end - 1 : this.text.indexOf("\n", end);
    const at = lineEnd < 0 ? this.text.length : lineEnd + 1;
    const gap = lineEnd < 0 ? this.#lineBreak : "";
    this.#splices.push({ start: at, end: at, text: gap + this.#block(changes, indent) });
  }

  #insertInline(map: YAMLMap<Scalar>, missing: Changes): void {
    const end = (map.range?.[1] ?? 0) - 1;
    const pairs = [...missing].map(([key, change]) => this.#inlinePair(key, change)).join(", ");
    const last = map.items.at(-1);
    const at = last ? Math.max((last.value as Scalar | null)?.range?.[1] ?? 0, this.#behindKey(last)) : end;
    const text = last ? `, ${pairs}` : ` ${pairs} `;
    this.#splices.push({ start: at, end: at, text });
  }

  /** Where the key of a pair ends, with its colon if it has one. */
  #behindKey({ key, value }: Pair<Scalar>): number {
    const end = key.range?.[1] ?? 0;
    return value === null ? end : this.text.indexOf(":", end) + 1;
  }

  #inlinePair(key: string, change: Change): string {
    // JSON is valid YAML. The comment is left out: it would need a line of its own.
    return `${JSON.stringify(key)}: ${JSON.stringify(plain(change))}`;
  }

  /** The indentation of a key is its column, also if the line has something else before the key. */
  #indentOf(start: number): string {
    const lineStart = this.text.lastIndexOf("\n", start - 1) + 1;
    return " ".repeat(start - lineStart);
  }

  #block(changes: Changes, indent: string): string {
    const { Document } = this.library;
    const document = new Document(null, { version: "1.2" });
    document.contents = this.#mapOf(changes, document) as never;
    const text = document.toString({ lineWidth: 0, singleQuote: false, flowCollectionPadding: true });
    const lines = text.trimEnd().split("\n");
    return lines.map((line) => (line === "" ? line : indent + line) + this.#lineBreak).join("");
  }

  #mapOf(changes: Changes, document: yaml.Document): YAMLMap {
    const map = new this.library.YAMLMap();
    for (const [key, { content, comment }] of changes) {
      const node = document.createNode(key) as Scalar;
      if (comment !== undefined) node.commentBefore = commentLines(comment);
      const value = content instanceof Map ? this.#mapOf(content, document) : document.createNode(content.value);
      this.#putInline(value);
      map.items.push(document.createPair(node, value) as never);
    }
    return map;
  }

  /**
   * Puts short values on one line.
   * @returns whether a value is plain, or is on one line and not nested
   */
  #putInline(node: unknown): boolean {
    const { isMap, isSeq, isPair } = this.library;
    if (isPair(node)) return this.#putInline(node.value);
    if (!isMap(node) && !isSeq(node)) return true;
    const flat = (node.items as unknown[]).map((item) => this.#putInline(item)).every(Boolean);
    const text = JSON.stringify(node);
    // In braces, a comment would need lines of its own.
    const commented = isMap(node) && node.items.some(({ key }) => (key as Scalar).commentBefore != null);
    node.flow = flat && !commented && text.length <= longestInline;
    return node.flow && isSeq(node);
  }

  #fail(offset: number, message: string): never {
    const lines = this.text.slice(0, offset).split("\n");
    const column = (lines.at(-1) as string).length + 1;
    throw new FileError([{ file: this.file, line: lines.length, column, message }]);
  }
}

function startOf(node: unknown): number {
  return (node as Scalar | null | undefined)?.range?.[0] ?? 0;
}

function plain({ content }: Change): unknown {
  if (!(content instanceof Map)) return content.value;
  return Object.fromEntries([...content].map(([key, change]) => [key, plain(change)]));
}

function commentLines(comment: string): string {
  return comment
    .split("\n")
    .map((line) => ` ${printable(line)}`)
    .join("\n");
}
