import {
  type Literal,
  literal,
  putBase32,
  putDecimal,
  putInteger,
  putLiteral,
  putUuid,
  slack,
  timestampLength,
  timestampWriter,
} from "./bytes.js";
import { ChoiceTable, reducedWeights } from "./choice.js";
import { escaped, json } from "./json.js";
import { type StreamKey, scale, streamKey, wordAt } from "./random.js";
import { type FieldGenerator, type FieldSettings, ListSettingsError } from "./settings.js";

/** What a row depends on besides its index: the walk. */
export interface RowContext {
  /** Instant of row 0, in milliseconds since the epoch. */
  readonly anchor: number;
  /** Derived from the path's parameters, so that each path has rows of its own. */
  readonly key: StreamKey;
  /** Values of the path's parameters as the inside of a JSON string, in the order of the path. */
  readonly parameters: readonly Literal[];
}

/** Writes a piece of a row and returns the place after it. Room for the row's `maximumBytes` has been made. */
type Writer = (out: DataView, at: number, index: number, context: RowContext) => number;

/** A field that an equality filter can test: the values as a request names them, and how rows get them. */
export interface FilterableField {
  readonly values: readonly string[];
  /** Absent where every row has the one value. */
  readonly choice?: { readonly table: ChoiceTable; readonly key: StreamKey };
}

export interface CompiledRow {
  readonly write: Writer;
  /** No row is longer than this. */
  readonly maximumBytes: number;
  /** By dotted path. */
  readonly filterable: ReadonlyMap<string, FilterableField>;
  /** Dotted paths of the fields that hold the row's instant. */
  readonly dates: ReadonlySet<string>;
}

/** What the fields of a list may refer to. */
export interface FieldScope {
  /** Where the fields stand, for errors: `lists.payments.fields`. */
  readonly path: string;
  readonly list: string;
  readonly seed: string;
  readonly count: number;
  readonly spacing: number;
  readonly pathParameters: readonly string[];
  /** Longest value of a path parameter, in characters. */
  readonly maximumParameterLength: number;
}

/** Rows before row 0 that a walk can be asked for (`List.arrivals`); they make numbers in texts longer. */
export const maximumArrivals = 1000;

const maximumDepth = 16;

/**
 * Compiles the generators of a row to a flat sequence of writers, each with the constant text before it.
 * @throws {ListSettingsError}
 */
export function compileFields(fields: FieldSettings, scope: FieldScope): CompiledRow {
  const compiler = new FieldCompiler(scope);
  compiler.object(fields, scope.path, "", 0);
  return compiler.finish();
}

class FieldCompiler {
  readonly #scope: FieldScope;
  readonly #writers: Writer[] = [];
  readonly #filterable = new Map<string, FilterableField>();
  readonly #dates = new Set<string>();
  #pending = "";
  #maximumBytes = slack;

  constructor(scope: FieldScope) {
    this.#scope = scope;
  }

  finish(): CompiledRow {
    const tail = this.#take();
    const writers = this.#writers;
    const write: Writer = (out, at, index, context) => {
      let place = at;
      for (let step = 0; step < writers.length; step += 1) {
        place = (writers[step] as Writer)(out, place, index, context);
      }
      return putLiteral(out, place, tail);
    };
    return { write, maximumBytes: this.#maximumBytes, filterable: this.#filterable, dates: this.#dates };
  }

  object(fields: FieldSettings, where: string, path: string, depth: number): void {
    if (depth > maximumDepth) throw new ListSettingsError(where, `objects are nested more than ${maximumDepth} deep`);
    this.#pending += "{";
    Object.entries(fields).forEach(([name, generator], position) => {
      this.#pending += `${position > 0 ? "," : ""}${JSON.stringify(name)}:`;
      this.#field(generator, `${where}.${name}`, path === "" ? name : `${path}.${name}`, depth);
    });
    this.#pending += "}";
  }

  #field(generator: FieldGenerator, where: string, path: string, depth: number): void {
    switch (generator.type) {
      case "uuid":
        this.#quoted(() => this.#random(path, 36, putUuid));
        break;
      case "id":
        this.#quoted(() => this.#id(generator.prefix ?? "", generator.length ?? 16, where, path));
        break;
      case "choice":
        this.#choice(generator.values, generator.weights, where, path);
        break;
      case "boolean":
        this.#choice([true, false], generator.weights, where, path);
        break;
      case "integer":
        this.#number(generator.min, generator.max, 0, where, path);
        break;
      case "decimal": {
        const write = () => this.#number(generator.min, generator.max, generator.decimals ?? 2, where, path);
        if (generator.as === "number") write();
        else this.#quoted(write);
        break;
      }
      case "constant":
        this.#constant(generator.value, where, path);
        break;
      case "text":
        this.#quoted(() => this.#text(generator.template, `${where}.template`));
        break;
      case "createdAt":
        this.#quoted(() => this.#createdAt(path));
        break;
      case "object":
        this.object(generator.fields, `${where}.fields`, path, depth + 1);
        break;
      case "parameter":
        this.#quoted(() => this.#parameter(generator.name, `${where}.name`));
        break;
      default:
        throw new ListSettingsError(where, `unknown type ${JSON.stringify((generator as { type?: unknown }).type)}`);
    }
  }

  #quoted(write: () => void): void {
    this.#pending += '"';
    write();
    this.#pending += '"';
  }

  #random(path: string, bytes: number, put: (out: DataView, at: number, word: number) => number): void {
    const text = this.#take(bytes);
    const { a, b } = this.#key(path);
    this.#writers.push((out, at, index, { key }) =>
      put(out, putLiteral(out, at, text), wordAt(index, key.a ^ a, (key.b + b) | 0)),
    );
  }

  #id(prefix: string, length: number, where: string, path: string): void {
    if (!Number.isInteger(length) || length < 8 || length > 64) {
      throw new ListSettingsError(
        `${where}.length`,
        "must be a whole number from 8 to 64, or identifiers might repeat",
      );
    }
    this.#pending += escaped(prefix);
    this.#random(path, length, (out, at, word) => putBase32(out, at, word, length));
  }

  #number(min: number, max: number, decimals: number, where: string, path: string): void {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > 9) {
      throw new ListSettingsError(`${where}.decimals`, "must be a whole number from 0 to 9");
    }
    const power = 10 ** decimals;
    const [low, high] = [min, max].map((bound, place) => {
      const scaled = Math.round(bound * power);
      if (!Number.isSafeInteger(scaled) || Number(bound.toFixed(decimals)) !== bound) {
        const digits = decimals === 0 ? "a whole number" : `a number with at most ${decimals} decimals`;
        throw new ListSettingsError(`${where}.${place === 0 ? "min" : "max"}`, `must be ${digits}, exact in 53 bits`);
      }
      return scaled;
    }) as [number, number];
    if (low > high) throw new ListSettingsError(`${where}.min`, "must not be larger than max");
    if (!Number.isSafeInteger(high - low + 1)) throw new ListSettingsError(where, "the range is wider than 2^53 steps");
    this.#random(path, 20, (out, at, word) => putDecimal(out, at, low + scale(word, high - low + 1), decimals, power));
  }

  #choice(
    values: readonly (string | number | boolean | null)[],
    weights: readonly number[] | undefined,
    where: string,
    path: string,
  ): void {
    const texts = values.map(String);
    const repeated = texts.find((text, place) => texts.indexOf(text) !== place);
    if (repeated !== undefined) {
      throw new ListSettingsError(
        `${where}.values`,
        `${JSON.stringify(repeated)} stands there twice; give it a larger weight`,
      );
    }
    if (values.length === 0) throw new ListSettingsError(`${where}.values`, "needs at least one value");
    const key = this.#key(path);
    const table = new ChoiceTable(reducedWeights(weights, values.length, `${where}.weights`), key);
    this.#filterable.set(path, { values: texts, choice: { table, key } });
    // The constant text before the value is copied together with it.
    const before = this.#pending;
    this.#pending = "";
    const pieces = values.map((value) => literal(before + json(value, `${where}.values`)));
    this.#maximumBytes += Math.max(...pieces.map((piece) => piece.length));
    this.#writers.push((out, at, index, context) =>
      putLiteral(out, at, pieces[table.valueAt(index, context.key.a ^ key.a, (context.key.b + key.b) | 0)] as Literal),
    );
  }

  #constant(value: unknown, where: string, path: string): void {
    this.#pending += json(value, `${where}.value`);
    if (value === null || typeof value !== "object") this.#filterable.set(path, { values: [String(value)] });
  }

  #createdAt(path: string): void {
    this.#dates.add(path);
    const text = this.#take(timestampLength);
    const { spacing } = this.#scope;
    const put = timestampWriter();
    this.#writers.push((out, at, index, { anchor }) => put(out, putLiteral(out, at, text), anchor - index * spacing));
  }

  #text(template: string, where: string): void {
    let end = 0;
    for (const match of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g)) {
      this.#pending += escaped(template.slice(end, match.index));
      end = match.index + match[0].length;
      const name = match[1];
      if (match[0] === "{{" || match[0] === "}}") this.#pending += match[0][0];
      else if (name === undefined) throw new ListSettingsError(where, "a single brace; write {{ or }}");
      else if (name === "number") this.#rowNumber();
      else this.#parameter(name, where);
    }
    this.#pending += escaped(template.slice(end));
  }

  #rowNumber(): void {
    const { count } = this.#scope;
    const text = this.#take(String(count + maximumArrivals).length);
    this.#writers.push((out, at, index) => putInteger(out, putLiteral(out, at, text), count - index));
  }

  #parameter(name: string, where: string): void {
    const place = this.#scope.pathParameters.indexOf(name);
    if (place < 0) {
      const known = this.#scope.pathParameters.map((parameter) => `{${parameter}}`).join(", ");
      throw new ListSettingsError(
        where,
        `the path has no parameter {${name}}; it has ${known === "" ? "none" : known}`,
      );
    }
    // No character of a JSON string takes more than the six bytes of a \u escape.
    const text = this.#take(this.#scope.maximumParameterLength * 6);
    this.#writers.push((out, at, _index, { parameters }) =>
      putLiteral(out, putLiteral(out, at, text), parameters[place] as Literal),
    );
  }

  /** The constant text that has gathered, and room for it and for `bytes` more. */
  #take(bytes = 0): Literal {
    const text = literal(this.#pending);
    this.#pending = "";
    this.#maximumBytes += text.length + bytes;
    return text;
  }

  #key(path: string): StreamKey {
    return streamKey(this.#scope.seed, this.#scope.list, path);
  }
}
