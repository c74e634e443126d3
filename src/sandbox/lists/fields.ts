import { second } from "../../base/text/duration.js";
import { escaped, json } from "./json.js";
import { joinKeys, type StreamKey, scale, streamKey, wordAt } from "./random.js";
import { base32, decimal, uuid } from "./row-text.js";
import { type FieldGenerator, type FieldSettings, ListSettingsError, mostDecimals, together } from "./settings.js";
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
  /** Dotted paths of the fields that hold the row's instant. */
  readonly dates: ReadonlySet<string>;
}

/** What the fields of a list may refer to. */
export interface FieldScope {
  /** Path of the setting, for errors: `lists.payments.fields`. */
  readonly path: string;
  readonly list: string;
  readonly seed: string;
  readonly count: number;
  readonly spacing: number;
  readonly pathParameters: readonly string[];
}

const maximumDepth = 16;

interface NumberRange {
  readonly min: number;
  readonly max: number;
  readonly distinct?: boolean | undefined;
}

/**
 * Compiles the generators of a row to a flat list of pieces. Rows are text, not objects for `JSON.stringify`: so a
 * decimal such as 1.50 keeps its digits, and members keep their order whatever their names are.
 * @throws {ListSettingsError}
 */
export function compileFields(fields: FieldSettings, scope: FieldScope): CompiledRow {
  const compiler = new FieldCompiler(scope);
  const text = textOf(compiler.object(fields, scope.path, "", 0));
  return { text, filterable: compiler.filterable, dates: compiler.dates };
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
  readonly dates = new Set<string>();

  constructor(private readonly scope: FieldScope) {}

  object(fields: FieldSettings, where: string, path: string, depth: number): readonly Piece[] {
    if (depth > maximumDepth) throw new ListSettingsError(where, `objects are nested more than ${maximumDepth} deep`);
    const members = together(Object.entries(fields).entries(), ([position, [name, generator]]) => [
      `${position > 0 ? "," : ""}${JSON.stringify(name)}:`,
      ...this.#field(generator, `${where}.${name}`, path === "" ? name : `${path}.${name}`, depth),
    ]);
    return ["{", ...members.flat(), "}"];
  }

  #field(generator: FieldGenerator, where: string, path: string, depth: number): readonly Piece[] {
    switch (generator.type) {
      case "uuid":
        return quoted(this.#random(path, uuid));
      case "id":
        return quoted(escaped(generator.prefix ?? ""), this.#id(generator.length ?? 16, where, path));
      case "choice":
        return [this.#choice(generator.values, generator.weights, where, path)];
      case "boolean":
        return [this.#choice([true, false], generator.weights, where, path)];
      case "integer":
        return [this.#number(generator, 0, where, path)];
      case "decimal": {
        const number = this.#number(generator, generator.decimals ?? 2, where, path);
        return generator.as === "number" ? [number] : quoted(number);
      }
      case "constant":
        return [this.#constant(generator.value, where, path)];
      case "text":
        return quoted(...this.#text(generator.template, `${where}.template`, path));
      case "createdAt":
        return this.#createdAt(generator, where, path);
      case "object":
        return this.object(generator.fields, `${where}.fields`, path, depth + 1);
      case "parameter":
        return quoted(this.#parameter(generator.name, `${where}.name`));
      case "nullable":
        return [this.#nullable(this.#field(generator.of, `${where}.of`, path, depth), path)];
      default:
        throw new ListSettingsError(where, `unknown type ${JSON.stringify((generator as { type?: unknown }).type)}`);
    }
  }

  #random(path: string, text: (word: number) => string): RowText {
    const wordOf = this.#word(path);
    return (index, context) => text(wordOf(index, context));
  }

  #id(length: number, where: string, path: string): RowText {
    if (!Number.isInteger(length) || length < 8 || length > 64) {
      const reason = "must be a whole number from 8 to 64, or identifiers might repeat";
      throw new ListSettingsError(`${where}.length`, reason);
    }
    return this.#random(path, (word) => base32(word, length));
  }

  #number({ min, max, distinct }: NumberRange, decimals: number, where: string, path: string): RowText {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > mostDecimals) {
      throw new ListSettingsError(`${where}.decimals`, `must be a whole number from 0 to ${mostDecimals}`);
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
    const size = high - low + 1;
    if (!distinct) return this.#random(path, (word) => decimal(low + scale(word, size), decimals));
    const numberOf = this.#distinct(size, path);
    return (index, context) => decimal(low + numberOf(index, context), decimals);
  }

  #choice(
    values: readonly (string | number | boolean | null)[],
    weights: readonly number[] | undefined,
    where: string,
    path: string,
  ): RowText {
    const names = values.map(String);
    const repeated = names.find((name, place) => names.indexOf(name) !== place);
    if (repeated !== undefined) {
      const reason = `${JSON.stringify(repeated)} is listed twice; give it a larger weight`;
      throw new ListSettingsError(`${where}.values`, reason);
    }
    if (values.length === 0) throw new ListSettingsError(`${where}.values`, "needs at least one value");
    const own = this.#key(path);
    const choice = new WeightedChoice(reducedWeights(weights, values.length, `${where}.weights`), own);
    this.filterable.set(path, { values: names, choice: { table: choice, key: own } });
    const texts = values.map((value) => json(value, `${where}.values`));
    return (index, { key }) => texts[choice.valueAt(index, joinKeys(key, own))] as string;
  }

  #nullable(pieces: readonly Piece[], path: string): RowText {
    // Filters and dates are those of members that every row has.
    const isHere = (each: string) => each === path || each.startsWith(`${path}.`);
    for (const each of [...this.filterable.keys()].filter(isHere)) this.filterable.delete(each);
    for (const each of [...this.dates].filter(isHere)) this.dates.delete(each);
    const wordOf = this.#word(`${path} or null`);
    const text = textOf(pieces);
    return (index, context) => (scale(wordOf(index, context), 4) === 0 ? "null" : text(index, context));
  }

  #constant(value: unknown, where: string, path: string): string {
    if (value === null || typeof value !== "object") this.filterable.set(path, { values: [String(value)] });
    return json(value, `${where}.value`);
  }

  #createdAt(
    { as, template }: Extract<FieldGenerator, { type: "createdAt" }>,
    where: string,
    path: string,
  ): readonly Piece[] {
    this.dates.add(path);
    const { spacing } = this.scope;
    if (template !== undefined) {
      if (as !== undefined) throw new ListSettingsError(`${where}.template`, "has no meaning together with as");
      const written = instantTemplate(template, `${where}.template`);
      return quoted((index, { anchor }) => escaped(written(anchor - index * spacing)));
    }
    const text = (ms: number) => new Date(ms).toISOString();
    switch (as ?? "date-time") {
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
  #text(template: string, where: string, path: string): readonly Piece[] {
    const { count } = this.scope;
    const parts = parseTemplate(template, where);
    const places = parts.filter((part) => Array.isArray(part));
    const pieces = parts.map((part) => {
      if (typeof part === "string") return escaped(part);
      if (!("name" in part)) return undefined;
      return part.name === "number" ? (index: number) => String(count - index) : this.#parameter(part.name, where);
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

  #parameter(name: string, where: string): RowText {
    const place = this.scope.pathParameters.indexOf(name);
    if (place < 0) {
      const known = this.scope.pathParameters.map((parameter) => `{${parameter}}`).join(", ");
      const reason = `the path has no parameter {${name}}; it has ${known === "" ? "none" : known}`;
      throw new ListSettingsError(where, reason);
    }
    return (_index, { parameters }) => parameters[place] as string;
  }

  #key(path: string): StreamKey {
    return streamKey(this.scope.seed, this.scope.list, path);
  }
}
