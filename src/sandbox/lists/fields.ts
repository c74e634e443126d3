import { second } from "../../base/text/duration.js";
import { escaped } from "./json.js";
import { joinKeys, type StreamKey, scale, streamKey, wordAt } from "./random.js";
import { base32, decimal, uuid } from "./row-text.js";
import type { FieldGenerator, FieldSettings } from "./settings.js";
import { charactersFor, combinationsOf, instantTemplate, parseTemplate } from "./template.js";
import { reducedWeights, WeightedChoice } from "./weighted-choice.js";

/** What a row depends on besides its index: the walk. */
interface RowContext {
  /** Instant of row 0, in milliseconds since the epoch. */
  readonly anchor: number;
  /** Derived from the path's parameters, so that each path has its own rows. */
  readonly key: StreamKey;
  /** Values of the path's parameters, escaped for a JSON string, in the order of the path. */
  readonly parameters: readonly string[];
}

/** The JSON text of a row, or of a piece of one. */
type RowText = (index: number, context: RowContext) => string;

/** A row consists of texts that all rows have and texts that differ. */
type Piece = string | RowText;

/** A field that an equality filter can test: the values as a request names them, and how rows get them. */
interface FilterableField {
  readonly values: readonly string[];
  /** Absent if every row has the same value. */
  readonly choice?: { readonly table: WeightedChoice; readonly key: StreamKey };
}

export interface CompiledRow {
  readonly text: RowText;
  /** By dotted path. */
  readonly filterable: ReadonlyMap<string, FilterableField>;
}

/** What the fields of a list may refer to. */
export interface FieldScope {
  readonly list: string;
  readonly seed: string;
  readonly count: number;
  readonly spacing: number;
  readonly pathParameters: readonly string[];
}

type NumberRange = Omit<Extract<FieldGenerator, { type: "integer" }>, "type">;

/**
 * Compiles the generators of a row to a flat list of pieces. Rows are text, not objects for `JSON.stringify`: so a
 * decimal such as 1.50 keeps its digits, and members keep their order whatever their names are.
 */
export function compileFields(fields: FieldSettings, scope: FieldScope): CompiledRow {
  const compiler = new FieldCompiler(scope);
  return { text: textOf(compiler.object(fields, "")), filterable: compiler.filterable };
}

/** All pieces as one text. Neighbouring constant texts are joined once. */
function textOf(pieces: readonly Piece[]): RowText {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return (index, context) => {
    let text = "";
    for (const piece of joined) text += typeof piece === "string" ? piece : piece(index, context);
    return text;
  };
}

function quoted(...pieces: readonly Piece[]): readonly Piece[] {
  return ['"', ...pieces, '"'];
}

class FieldCompiler {
  readonly filterable = new Map<string, FilterableField>();

  constructor(private readonly scope: FieldScope) {}

  object(fields: FieldSettings, path: string): readonly Piece[] {
    const members = Object.entries(fields).map(([name, generator], position) => [
      `${position > 0 ? "," : ""}${JSON.stringify(name)}:`,
      ...this.#field(generator, path === "" ? name : `${path}.${name}`),
    ]);
    return ["{", ...members.flat(), "}"];
  }

  #field(generator: FieldGenerator, path: string): readonly Piece[] {
    switch (generator.type) {
      case "uuid":
        return quoted(this.#random(path, uuid));
      case "id": {
        const { prefix = "", length = 16 } = generator;
        return quoted(
          escaped(prefix),
          this.#random(path, (word) => base32(word, length)),
        );
      }
      case "choice":
        return [this.#choice(generator.values, generator.weights, path)];
      case "boolean":
        return [this.#choice([true, false], generator.weights, path)];
      case "integer":
        return [this.#number(generator, 0, path)];
      case "decimal": {
        const number = this.#number(generator, generator.decimals ?? 2, path);
        return generator.as === "number" ? [number] : quoted(number);
      }
      case "constant":
        return [this.#constant(generator.value, path)];
      case "text":
        return quoted(...this.#text(generator.template, path));
      case "createdAt":
        return this.#createdAt(generator);
      case "object":
        return this.object(generator.fields, path);
      case "parameter":
        return quoted(this.#parameter(generator.name));
      case "nullable":
        return [this.#nullable(this.#field(generator.of, path), path)];
    }
  }

  #random(path: string, text: (word: number) => string): RowText {
    const wordOf = this.#word(path);
    return (index, context) => text(wordOf(index, context));
  }

  #number({ min, max, distinct }: NumberRange, decimals: number, path: string): RowText {
    const power = 10 ** decimals;
    const low = Math.round(min * power);
    const size = Math.round(max * power) - low + 1;
    if (!distinct) return this.#random(path, (word) => decimal(low + scale(word, size), decimals));
    const numberOf = this.#distinct(size, path);
    return (index, context) => decimal(low + numberOf(index, context), decimals);
  }

  #choice(
    values: readonly (string | number | boolean | null)[],
    weights: readonly number[] | undefined,
    path: string,
  ): RowText {
    const own = this.#key(path);
    const choice = new WeightedChoice(reducedWeights(weights, values.length), own);
    this.filterable.set(path, { values: values.map(String), choice: { table: choice, key: own } });
    const texts = values.map((value) => JSON.stringify(value));
    return (index, { key }) => texts[choice.valueAt(index, joinKeys(key, own))] as string;
  }

  #nullable(pieces: readonly Piece[], path: string): RowText {
    // Filters are those of members that every row has.
    for (const each of [...this.filterable.keys()])
      if (each === path || each.startsWith(`${path}.`)) this.filterable.delete(each);
    const wordOf = this.#word(`${path} or null`);
    const text = textOf(pieces);
    return (index, context) => (scale(wordOf(index, context), 4) === 0 ? "null" : text(index, context));
  }

  #constant(value: unknown, path: string): string {
    if (value === null || typeof value !== "object") this.filterable.set(path, { values: [String(value)] });
    return JSON.stringify(value);
  }

  #createdAt({ as = "date-time", template }: Extract<FieldGenerator, { type: "createdAt" }>): readonly Piece[] {
    const { spacing } = this.scope;
    if (template !== undefined) {
      const written = instantTemplate(template);
      return quoted((index, { anchor }) => escaped(written(anchor - index * spacing)));
    }
    const text = (ms: number) => new Date(ms).toISOString();
    switch (as) {
      case "date-time":
        return quoted((index, { anchor }) => text(anchor - index * spacing));
      case "date":
        return quoted((index, { anchor }) => text(anchor - index * spacing).slice(0, 10));
      case "seconds":
        return [(index, { anchor }) => String(Math.floor((anchor - index * spacing) / second))];
      case "milliseconds":
        return [(index, { anchor }) => String(anchor - index * spacing)];
    }
  }

  /** Characters of which a row has others than any other row are in one piece: together they are the row's number. */
  #text(template: string, path: string): readonly Piece[] {
    const { count } = this.scope;
    const parts = parseTemplate(template);
    const places = parts.filter((part) => Array.isArray(part));
    const pieces = parts.map((part) => {
      if (typeof part === "string") return escaped(part);
      if (!("name" in part)) return undefined;
      return part.name === "number" ? (index: number) => String(count - index) : this.#parameter(part.name);
    });
    if (places.length === 0) return pieces.filter((piece) => piece !== undefined);
    const combinations = combinationsOf(places);
    const numberOf = this.#distinct(combinations, path);
    const wordOf = this.#word(path);
    return [
      (index, context) => {
        const characters = charactersFor(places, combinations, numberOf(index, context), wordOf(index, context));
        let place = -1;
        return pieces
          .map((piece) => {
            if (piece !== undefined) return typeof piece === "string" ? piece : piece(index, context);
            place += 1;
            return escaped(characters[place] as string);
          })
          .join("");
      },
    ];
  }

  /**
   * A number from 0 to `size` - 1 that no other row has, as long as there are as many as rows: the older a row, the
   * lower it is, with gaps, as in a database.
   */
  #distinct(size: number, path: string): (index: number, context: RowContext) => number {
    const { count } = this.scope;
    const width = Math.floor(size / Math.max(count, 1));
    const wordOf = this.#word(path);
    if (width === 0) return (index) => (count - 1 - index) % size;
    return (index, context) => (count - 1 - index) * width + scale(wordOf(index, context), width);
  }

  /** A pseudo-random word for each row. */
  #word(path: string): (index: number, context: RowContext) => number {
    const { a, b } = this.#key(path);
    return (index, { key }) => wordAt(index, key.a ^ a, (key.b + b) | 0);
  }

  #parameter(name: string): RowText {
    const place = this.scope.pathParameters.indexOf(name);
    return (_index, { parameters }) => parameters[place] as string;
  }

  #key(path: string): StreamKey {
    return streamKey(this.scope.seed, this.scope.list, path);
  }
}
