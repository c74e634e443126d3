import type { FieldGenerator } from "../../sandbox/lists/settings.js";

/** A part of a pattern: one of these characters, and how often it is repeated. */
interface Atom {
  readonly characters: string;
  readonly minimum: number;
  readonly maximum: number;
}

const digits = "0123456789";
const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const lower = upper.toLowerCase();
const classes: Readonly<Record<string, string>> = { d: digits, w: `${upper}${lower}${digits}_`, s: " " };

/** Characters of the identifiers that the sandbox generates. */
const ofIdentifiers = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** How many values are made of a pattern. */
const samples = 4;

/** Longest value of a pattern, in characters. */
const longest = 200;

/**
 * A generator of texts that a pattern matches, for patterns of literals, sets of characters, groups and counts. The pattern is not run:
 * an untrusted pattern can take extremely long to match.
 * @param unique whether rows should differ, as identifiers do
 * @returns undefined for other patterns
 */
export function ofPattern(pattern: string, unique: boolean): FieldGenerator | undefined {
  if (pattern.length > 1000) return undefined;
  const atoms = new PatternReader(pattern).read();
  if (atoms === undefined || atoms.reduce((length, atom) => length + countOf(atom), 0) > longest) return undefined;
  if (unique) {
    const id = identifier(atoms);
    if (id) return id;
  }
  const number = digitsOnly(atoms);
  if (number) return number;
  const values = [...new Set(Array.from({ length: samples }, (_, index) => sample(atoms, index)))];
  return values.length === 1 ? { type: "constant", value: values[0] } : { type: "choice", values };
}

/** A literal text, followed by a number of arbitrary characters. */
function identifier(atoms: readonly Atom[]): FieldGenerator | undefined {
  const last = atoms.at(-1);
  const prefix = atoms.slice(0, -1);
  if (!last || prefix.some(({ characters, minimum, maximum }) => characters.length !== 1 || minimum !== maximum))
    return;
  if (![...ofIdentifiers].every((character) => last.characters.includes(character))) return;
  const length = Math.min(Math.max(last.minimum, 16), last.maximum, 64);
  if (length < 8 || length < last.minimum) return;
  const text = prefix.map(({ characters, minimum }) => characters.repeat(minimum)).join("");
  return { type: "id", ...(text === "" ? {} : { prefix: text }), length };
}

/** Numbers with this count of digits. */
function digitsOnly(atoms: readonly Atom[]): FieldGenerator | undefined {
  if (atoms.length === 0 || atoms.some(({ characters }) => characters !== digits)) return;
  const length = atoms.reduce((sum, atom) => sum + countOf(atom), 0);
  if (length < 2 || length > 15) return;
  return { type: "decimal", min: 10 ** (length - 1), max: 10 ** length - 1, decimals: 0 };
}

/** How often a part is repeated in a value: at most four times, unless it must be more. */
function countOf({ minimum, maximum }: Atom): number {
  return Math.max(minimum, Math.min(maximum, 4));
}

function sample(atoms: readonly Atom[], seed: number): string {
  let place = 0;
  return atoms
    .flatMap((atom) =>
      Array.from({ length: countOf(atom) }, () => {
        place += 1;
        return atom.characters.charAt((seed * 7 + place * 11) % atom.characters.length);
      }),
    )
    .join("");
}

class PatternReader {
  #at = 0;

  constructor(private readonly text: string) {}

  read(): readonly Atom[] | undefined {
    const atoms = this.#alternatives(0);
    return this.#at === this.text.length ? atoms : undefined;
  }

  /** The first of some alternatives; the others are skipped. */
  #alternatives(depth: number): readonly Atom[] | undefined {
    if (depth > 10) return undefined;
    const first = this.#sequence(depth);
    while (first && this.#takes("|")) if (!this.#sequence(depth)) return undefined;
    return first;
  }

  #sequence(depth: number): readonly Atom[] | undefined {
    const atoms: Atom[] = [];
    while (this.#at < this.text.length && !/[|)]/.test(this.text.charAt(this.#at))) {
      if (this.#takes("^") || this.#takes("$")) continue;
      const part = this.#takes("(") ? this.#group(depth) : this.#characters();
      if (!part) return undefined;
      const count = this.#count();
      if (typeof part === "string") atoms.push({ characters: part, ...count });
      else
        for (let time = 0; time < Math.max(count.minimum, Math.min(count.maximum, 1)); time += 1) atoms.push(...part);
      if (atoms.length > longest) return undefined;
    }
    return atoms;
  }

  #group(depth: number): readonly Atom[] | undefined {
    if (this.#takes("?") && !this.#takes(":")) return undefined;
    const atoms = this.#alternatives(depth + 1);
    return this.#takes(")") ? atoms : undefined;
  }

  #takes(character: string): boolean {
    const found = this.text.charAt(this.#at) === character;
    if (found) this.#at += 1;
    return found;
  }

  #characters(): string | undefined {
    if (this.#takes("[")) return this.#set();
    if (this.#takes(".")) return `${upper}${lower}${digits}`;
    if (this.#takes("\\")) return this.#escaped();
    const character = this.text.charAt(this.#at);
    this.#at += 1;
    return /[*+?{}\]]/.test(character) ? undefined : character;
  }

  #escaped(): string | undefined {
    const character = this.text.charAt(this.#at);
    this.#at += 1;
    if (classes[character]) return classes[character];
    return /[A-Za-z0-9]|^$/.test(character) ? undefined : character;
  }

  #set(): string | undefined {
    let characters = "";
    if (this.#takes("^")) return undefined;
    while (!this.#takes("]")) {
      if (this.#at >= this.text.length) return undefined;
      const one = this.#takes("\\") ? this.#escaped() : this.text.charAt(this.#at++);
      if (one === undefined) return undefined;
      const isRange = one.length === 1 && this.text.charAt(this.#at) === "-" && this.text.charAt(this.#at + 1) !== "]";
      if (!isRange) characters += one;
      else {
        this.#at += 1;
        const end = this.#takes("\\") ? this.#escaped() : this.text.charAt(this.#at++);
        if (end?.length !== 1) return undefined;
        for (let code = one.charCodeAt(0); code <= Math.min(end.charCodeAt(0), one.charCodeAt(0) + 255); code += 1)
          characters += String.fromCharCode(code);
      }
    }
    // Prefer letters and digits, which are readable.
    const plain = [...new Set(characters)].filter((each) => /[A-Za-z0-9]/.test(each)).join("");
    return plain === "" ? characters || undefined : plain;
  }

  /** How often the part before is repeated. A `?` after that makes no difference to what matches. */
  #count(): Omit<Atom, "characters"> {
    const rest = this.text.slice(this.#at, this.#at + 12);
    const [count = "", least, comma, most] = /^(?:[*+?]|\{(\d{1,4})(,?)(\d{0,4})\})/.exec(rest) ?? [];
    if (count === "") return { minimum: 1, maximum: 1 };
    this.#at += count.length;
    this.#takes("?");
    if (count === "?") return { minimum: 0, maximum: 1 };
    const minimum = count === "+" ? 1 : Number(least ?? 0);
    if (comma === "") return { minimum, maximum: minimum };
    return { minimum, maximum: Number(most || longest) };
  }
}
