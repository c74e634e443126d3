/** A position in a YAML text where the user types. */
export interface YamlPlace {
  /** The keys that lead there; `[]` for an item of a list. */
  readonly path: readonly string[];
  readonly kind: "key" | "value";
  /** The part of the word that was typed already. */
  readonly typed: string;
}

/** An open key or list item of a block, with the column at which it begins. */
interface Level {
  readonly column: number;
  readonly key: string;
}

/**
 * The position of the end of a text in a YAML document, by its lines and indents. A text that is being typed is rarely
 * valid: this function reads as much as it can, and never throws.
 * @param text everything before the cursor
 */
export function yamlPlace(text: string): YamlPlace | undefined {
  const lines = text.split("\n");
  const current = lines.pop() ?? "";
  const levels: Level[] = [];
  let blockColumn: number | undefined;
  for (const line of lines) {
    const column = line.search(/\S|$/);
    if (line.trim() === "" || (blockColumn !== undefined && column > blockColumn)) continue;
    blockColumn = undefined;
    const rest = open(line, column, levels);
    if (/^[|>][-+\d]*\s*(#.*)?$/.test(rest.text.trim())) blockColumn = levels.at(-1)?.column ?? 0;
  }
  const column = current.search(/\S|$/);
  if (blockColumn !== undefined && column > blockColumn) return undefined;
  const rest = open(current, column, levels);
  if (/(^|\s)#/.test(current)) return undefined;
  const path = levels.map(({ key }) => key);
  return inFlow(rest, path);
}

/**
 * Puts the list markers and the key of a line on the stack.
 * @returns the text after them
 */
function open(line: string, column: number, levels: Level[]): { readonly text: string; readonly isValue: boolean } {
  let at = column;
  let isItem = false;
  while (/^-(\s|$)/.test(line.slice(at))) {
    if (!isItem) leave(levels, at, true);
    levels.push({ column: at, key: "[]" });
    isItem = true;
    at += 1 + (/^\s*/.exec(line.slice(at + 1))?.[0].length ?? 0);
  }
  if (!isItem) leave(levels, at, false);
  const [whole = "", quotedKey, key = quotedKey] =
    /^(?:"([^"]*)"|([\w$.-]+))\s*:(?=\s|$)\s*/.exec(line.slice(at)) ?? [];
  if (key === undefined) return { text: line.slice(at), isValue: false };
  levels.push({ column: at, key });
  return { text: line.slice(at + whole.length), isValue: true };
}

/** Removes the levels that a line at this column ends. A list may begin at the column of its key (YAML 1.2 §8.2.1). */
function leave(levels: Level[], column: number, isItem: boolean): void {
  const isOver = (last: Level) => last.column > column || (last.column === column && (!isItem || last.key === "[]"));
  for (let last = levels.at(-1); last && isOver(last); last = levels.at(-1)) levels.pop();
}

/** Reads an open flow collection at the end of a line, such as `{ a: [b`. */
function inFlow({ text, isValue }: { readonly text: string; readonly isValue: boolean }, path: string[]): YamlPlace {
  const open: ("{" | "[")[] = [];
  let kind: YamlPlace["kind"] = isValue ? "value" : "key";
  let word = "";
  const pop = (mark: "{" | "[") => {
    if (open.pop() === mark && (mark === "[" || kind === "value")) path.pop();
    kind = "value";
  };
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?|[{}[\],]|:(?=\s|$)|[^\s{}[\],:]+|:|\s+/g)) {
    const begun = word;
    word = "";
    if (piece === "{") {
      open.push("{");
      kind = "key";
    } else if (piece === "[") {
      open.push("[");
      path.push("[]");
      kind = "value";
    } else if (piece === "}") pop("{");
    else if (piece === "]") pop("[");
    else if (piece === ",") {
      if (open.at(-1) === "{") {
        if (kind === "value") path.pop();
        kind = "key";
      }
    } else if (piece === ":" && open.at(-1) === "{" && kind === "key") {
      path.push(begun.replaceAll(/^["']|["']$/g, ""));
      kind = "value";
    } else if (piece.trim() !== "") word = begun + piece;
  }
  return { path, kind, typed: word };
}

/** The part of JSON Schema that the published schema of scenarios uses. */
export interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
}

/** A text that is allowed at a position. */
export interface Choice {
  readonly label: string;
  readonly kind: "key" | "value";
  readonly detail: string | undefined;
}

/** What a schema allows at a position of a YAML text: keys, or the values of a closed list. */
export function schemaChoices(schema: JsonSchema, { path, kind }: YamlPlace): Choice[] {
  let found: readonly JsonSchema[] = alternatives(schema);
  for (const step of path) found = found.flatMap((one) => below(one, step)).flatMap(alternatives);
  const choices = found.flatMap((one) => (kind === "key" ? keysOf(one) : valuesOf(one)));
  const seen = new Set<string>();
  return choices.filter(({ label }) => !seen.has(label) && seen.add(label));
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ? [schema, ...schema.anyOf.flatMap(alternatives)] : [schema];
}

function below({ properties, additionalProperties, items }: JsonSchema, step: string): JsonSchema[] {
  if (step === "[]") return items ? [items] : [];
  if (properties && Object.hasOwn(properties, step)) return [properties[step] as JsonSchema];
  return typeof additionalProperties === "object" ? [additionalProperties] : [];
}

function keysOf({ properties = {} }: JsonSchema): Choice[] {
  return Object.entries(properties).map(([label, { description }]) => ({ label, kind: "key", detail: description }));
}

function valuesOf({
  enum: values = [],
  enumDescriptions,
  const: only,
  type,
  description,
  examples = [],
}: JsonSchema): Choice[] {
  const value = (given: unknown, detail = description): Choice => ({ label: written(given), kind: "value", detail });
  if (only !== undefined) return [value(only)];
  if (type === "boolean") return [value(true), value(false)];
  if (values.length > 0) return values.map((given, index) => value(given, enumDescriptions?.[index]));
  return examples.map((given) => value(given, description));
}

/** A value as YAML, on one line. */
function written(value: unknown): string {
  if (typeof value === "string")
    return /^[A-Za-z][\w.-]*$|^\d+(\.\d+)?(ms|s|m|h|d)$/.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, member]) => `${/^[\w$.-]+$/.test(name) ? name : JSON.stringify(name)}: ${written(member)}`)
      .join(", ")} }`;
  return JSON.stringify(value);
}
